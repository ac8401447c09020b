import { useWorkerId, WORKER_IDS, workerIdOf } from '../platform/ids.ts';
import { databaseTime } from './clock.ts';
import type { Db } from './connect.ts';
import { uniqueViolation } from './errors.ts';
import { leaseUntil } from './lease.ts';

export const LEASE_MS = 15_000;
export const RENEW_MS = 5_000;

const nextNo = async (db: Db): Promise<number> => {
  const { last_no } = await db
    .updateTable('hub_number')
    .set((row) => ({ last_no: row('last_no', '+', 1) }))
    .returning('last_no')
    .executeTakeFirstOrThrow();
  return last_no;
};

const isWorkerIdFree = async (db: Db, hubNo: number): Promise<boolean> => {
  const active = await db
    .selectFrom('hub_instance')
    .select('hub_no')
    .where('lease_until', '>', databaseTime(db))
    .execute();
  return active.every(({ hub_no }) => workerIdOf(hub_no) !== workerIdOf(hubNo));
};

/** Uses the database's clock: a hub with a wrong clock would lose its lease or expire those of others. */
const leaseFromNow = (db: Db) => leaseUntil(LEASE_MS, databaseTime(db));

const insert = async (db: Db, hub_no: number): Promise<boolean> => {
  try {
    await db
      .insertInto('hub_instance')
      .values({ hub_no, started_at: Date.now(), lease_until: leaseFromNow(db) })
      .execute();
    return true;
  } catch (error) {
    if (!uniqueViolation(error)) throw error;
    return false;
  }
};

/**
 * Acquires a number that no process had before, with a lease that must be renewed, and the worker id for record numbers
 * that goes with it.
 */
export const acquireHubNo = async (db: Db): Promise<number> => {
  for (let attempt = 0; attempt < WORKER_IDS; attempt++) {
    const hubNo = await nextNo(db);
    if (!(await isWorkerIdFree(db, hubNo)) || !(await insert(db, hubNo))) continue;
    useWorkerId(hubNo);
    return hubNo;
  }
  throw new Error(`more than ${WORKER_IDS} hub processes run on this database`);
};

/** Returns false if the lease expired and another hub has removed the row: the number is lost. */
export const renewHubNo = async (db: Db, hubNo: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('hub_instance')
    .set({ lease_until: leaseFromNow(db) })
    .where('hub_no', '=', hubNo)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
};

/** Number lease of a process without connections: if it loses its number, it acquires another one. */
export const createNumberLease = async (db: Db) => {
  let hubNo = await acquireHubNo(db);
  return {
    async renew(): Promise<void> {
      if (!(await renewHubNo(db, hubNo))) hubNo = await acquireHubNo(db);
    },
    async release(): Promise<void> {
      await db.deleteFrom('hub_instance').where('hub_no', '=', hubNo).execute();
    },
  };
};
