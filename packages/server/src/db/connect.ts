import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect, SqliteAdapter } from 'kysely';
import { type Client, Pool, type PoolClient, types } from 'pg';
import { isUnanswered } from './errors.ts';
import type { HubTables } from './hub-tables.ts';
import type { RecordTables } from './record-tables.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { SharedThread } from './sqlite-thread.ts';

/** A connection pool or an open transaction; queries work with both. */
export type Db = Kysely<HubTables>;

export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

export type DatabaseSettings = { DATABASE_URL: string | undefined; DATA_DIR: string };

const INT8 = 20;
const NUMERIC = 1700;

const exactNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value) && Number.isInteger(value)) throw new Error(`${text} exceeds 2^53`);
  return value;
};

/**
 * The history database: separate, so that its load and the admin process's do not block each other. No query or
 * transaction spans both.
 */
export type RecordDb = Kysely<RecordTables>;

/**
 * The hub database (managed data) and the records database (history): two files on SQLite, two schemas on PostgreSQL.
 */
export const databaseLayout = {
  hub: { schema: 'hub', file: 'hub.db' },
  records: { schema: 'records', file: 'records.db' },
} as const;
export type DatabaseName = keyof typeof databaseLayout;

/** The driver returns int8 and numeric as text, since they may exceed 2^53; the hub's values do not. */
export const readExactNumbers = (): void => {
  types.setTypeParser(INT8, exactNumber);
  types.setTypeParser(NUMERIC, exactNumber);
};

/** Closes a connection after a query time-out: it must not return to the pool, since its next query would hang too. */
const closeAfterTimeout = (client: Client): void => {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const queryStrictly = (...args: unknown[]): unknown => {
    const result = query(...args);
    if (result instanceof Promise) result.catch((error) => isUnanswered(error) && void client.end());
    return result;
  };
  client.query = queryStrictly as typeof client.query;
};

export const postgresPool = (connectionString: string, max: number, databaseName: DatabaseName = 'hub'): Pool => {
  readExactNumbers();
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    // For a server that accepts a query and never responds.
    query_timeout: 35_000,
    idle_in_transaction_session_timeout: 30_000,
    options: `-c search_path=${databaseLayout[databaseName].schema}`,
  });
  // The pool replaces a broken idle connection; without a listener its error would end the process.
  pool.on('error', () => undefined);
  // A connection may also break between two queries of a user: the next query then fails.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    closeAfterTimeout(client as PoolClient & Client);
  });
  return pool;
};

export const databaseFile = (dataDir: string, databaseName: DatabaseName): string =>
  join(dataDir, databaseLayout[databaseName].file);

const dialectFor = (
  { DATABASE_URL, DATA_DIR }: DatabaseSettings,
  databaseName: DatabaseName,
  thread?: SharedThread,
): Dialect => {
  if (DATABASE_URL) return new PostgresDialect({ pool: postgresPool(DATABASE_URL, 10, databaseName) });
  return sqliteDialect(databaseFile(DATA_DIR, databaseName), thread);
};

export const connect = (settings: DatabaseSettings, thread?: SharedThread): Db =>
  new Kysely<HubTables>({ dialect: dialectFor(settings, 'hub', thread) });

export const connectRecords = (settings: DatabaseSettings, thread?: SharedThread): RecordDb =>
  new Kysely<RecordTables>({ dialect: dialectFor(settings, 'records', thread) });

export type Databases = { db: Db; records: RecordDb };

/** Both databases of a process. On SQLite they share a thread as long as neither delays the other. */
export const connectBoth = (settings: DatabaseSettings): Databases => {
  const thread = new SharedThread();
  return { db: connect(settings, thread), records: connectRecords(settings, thread) };
};
