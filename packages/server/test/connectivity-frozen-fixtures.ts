import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect } from 'vitest';
import type { SpawnedHub } from './hub.ts';
import { deviceProcess } from './hub-process.ts';

const isFree = (file: string): boolean => {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
};

/** Whether no transaction is open except the test's own. */
const hasNoTransaction = async ({ env, db }: SpawnedHub): Promise<boolean> => {
  if (!env.DATABASE_URL) return ['hub.db', 'records.db'].every((file) => isFree(join(env.DATA_DIR ?? '', file)));
  const { rows } = await sql`select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(db);
  return rows.length === 0;
};

/** Freezes the device process (SIGSTOP) while it holds no transaction; returns a function that continues it. */
export const freezeDeviceProcess = async (hub: SpawnedHub): Promise<() => void> => {
  const side = deviceProcess(hub.process);
  const goOn = (): void => {
    process.kill(side, 'SIGCONT');
  };
  const stop = async (): Promise<boolean> => {
    process.kill(side, 'SIGSTOP');
    if (await hasNoTransaction(hub)) return true;
    goOn();
    return false;
  };
  await expect.poll(stop, { interval: 20 }).toBe(true);
  return goOn;
};
