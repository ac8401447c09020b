import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Dialect, Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import { sqliteDialect } from './sqlite-dialect.ts';
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

/** The schema of what people manage; records will have one of their own, and nothing crosses the two. */
export const HUB_SCHEMA = 'hub';

export const postgresPool = (connectionString: string, max: number): Pool => {
  types.setTypeParser(INT8, exactNumber);
  types.setTypeParser(NUMERIC, exactNumber);
  const pool = new Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    options: `-c search_path=${HUB_SCHEMA}`,
  });
  // An idle connection that dies is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => undefined);
  // One that dies in use between two queries is nobody's either: the next query on it fails, and that is answered.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

export const hubFile = (dataDir: string): string => join(dataDir, 'hub.db');

const dialectFor = ({ DATABASE_URL, DATA_DIR }: DatabaseSettings): Dialect => {
  if (DATABASE_URL) return new PostgresDialect({ pool: postgresPool(DATABASE_URL, 10) });
  mkdirSync(DATA_DIR, { recursive: true });
  return sqliteDialect(hubFile(DATA_DIR));
};

export const connect = (settings: DatabaseSettings): Db => new Kysely<Tables>({ dialect: dialectFor(settings) });
