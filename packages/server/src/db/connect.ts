import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { type Client, Pool, type PoolClient, types } from 'pg';
import { isUnanswered } from './errors.ts';
import type { RecordTables } from './record-tables.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SharedThread } from './sqlite-thread.ts';
import type { Tables } from './tables.ts';

/** A connection or an open transaction: queries take it first and do not care which. */
export type Db = Kysely<Tables>;

export type DatabaseSettings = { DATABASE_URL: string | undefined; DATA_DIR: string };

const INT8 = 20;
const NUMERIC = 1700;

const exactNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) && Number.isInteger(value)) throw new Error(`${text} is beyond 2^53`);
  return value;
};

/** History has a database of its own, so that neither side's work holds up the other's; nothing crosses the two. */
export type RecordDb = Kysely<RecordTables>;

/** What people manage, and what devices sent: two files on SQLite, two schemas on PostgreSQL. */
export const places = {
  hub: { schema: 'hub', file: 'hub.db' },
  records: { schema: 'records', file: 'records.db' },
} as const;
export type Place = keyof typeof places;

/** The driver answers texts where a number could be too large for JavaScript; none of ours is. */
export const readExactNumbers = (): void => {
  types.setTypeParser(INT8, exactNumber);
  types.setTypeParser(NUMERIC, exactNumber);
};

/** A connection that has left a question unanswered would leave the next one so too: it is closed, and not shared again. */
const closeWhenSilent = (client: Client): void => {
  const ask = client.query.bind(client) as (...question: unknown[]) => unknown;
  const askStrictly = (...question: unknown[]): unknown => {
    const answer = ask(...question);
    if (answer instanceof Promise) answer.catch((error) => isUnanswered(error) && void client.end());
    return answer;
  };
  client.query = askStrictly as typeof client.query;
};

export const postgresPool = (connectionString: string, max: number, place: Place = 'hub'): Pool => {
  readExactNumbers();
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    // For a server that takes the question and is not heard of again.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
    options: `-c search_path=${places[place].schema}`,
  });
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // One that dies in use between two queries is nobody's either: the next query on it fails, and that is answered.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    closeWhenSilent(client as PoolClient & Client);
  });
  return pool;
};

export const databaseFile = (dataDir: string, place: Place): string => join(dataDir, places[place].file);

const dialectFor = ({ DATABASE_URL, DATA_DIR }: DatabaseSettings, place: Place, thread?: SharedThread): Dialect => {
  if (DATABASE_URL) return new PostgresDialect({ pool: postgresPool(DATABASE_URL, 10, place) });
  return sqliteDialect(databaseFile(DATA_DIR, place), thread);
};

export const connect = (settings: DatabaseSettings, thread?: SharedThread): Db =>
  new Kysely<Tables>({ dialect: dialectFor(settings, 'hub', thread) });

export const connectRecords = (settings: DatabaseSettings, thread?: SharedThread): RecordDb =>
  new Kysely<RecordTables>({ dialect: dialectFor(settings, 'records', thread) });

export type Databases = { db: Db; records: RecordDb };

/** Both databases of a process. On SQLite they share a thread until one would have to wait for the other. */
export const connectBoth = (settings: DatabaseSettings): Databases => {
  const thread = new SharedThread();
  return { db: connect(settings, thread), records: connectRecords(settings, thread) };
};
