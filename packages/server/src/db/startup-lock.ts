import { Client } from 'pg';
import type { DatabaseSettings } from './connect.ts';
import { cannotOpen } from './migrate.ts';

/** Any number will do, as long as all hubs use the same one, and another than for migrations. */
const START_LOCK = 7_415_002;

/**
 * Of several hubs that start together on a PostgreSQL one prepares it, and the next begins when it is done. A hub that
 * ends meanwhile takes its lock along. On SQLite each step holds the file itself.
 */
export const withStartupLock = async <Result>(
  { DATABASE_URL }: DatabaseSettings,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (!DATABASE_URL) return work();
  const client = new Client({ connectionString: DATABASE_URL, connectionTimeoutMillis: 10_000, keepAlive: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [START_LOCK]);
  } catch (error) {
    throw cannotOpen(error);
  }
  try {
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
};
