import { Client } from 'pg';
import type { DatabaseSettings } from '../db/connect.ts';
import { cannotOpen } from '../db/migrate.ts';

/** Arbitrary, but the same for all hubs and different from the migration lock. */
const START_LOCK = 7_415_002;

/**
 * Hubs on one PostgreSQL prepare it one after the other. The lock is released when the connection ends, also with a
 * killed hub. On SQLite each step locks the file itself.
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
