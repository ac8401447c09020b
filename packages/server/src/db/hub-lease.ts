import { LANES_GIVEN, takeLane, workerIdOf } from '../platform/ids.ts';
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

const isLaneFree = async (db: Db, hubNo: number): Promise<boolean> => {
  const held = await db
    .selectFrom('hub_instance')
    .select('hub_no')
    .where('lease_until', '>', databaseTime(db))
    .execute();
  return held.every(({ hub_no }) => workerIdOf(hub_no) !== workerIdOf(hubNo));
};

/** By the database's clock: a hub whose own is wrong would be taken for dead, or take others for it. */
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
 * Takes a number for this process that none had before, with a lease that must be renewed, and the lane of record
 * numbers that goes with it.
 */
export const acquireHubNo = async (db: Db): Promise<number> => {
  for (let tried = 0; tried < LANES_GIVEN; tried++) {
    const hubNo = await nextNo(db);
    if (!(await isLaneFree(db, hubNo)) || !(await insert(db, hubNo))) continue;
    takeLane(hubNo);
    return hubNo;
  }
  throw new Error(`more than ${LANES_GIVEN} sides of hubs run on this database`);
};

/** False where the lease had ended and somebody else has taken the row away: the number is then nobody's. */
export const renewHubNo = async (db: Db, hubNo: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('hub_instance')
    .set({ lease_until: leaseFromNow(db) })
    .where('hub_no', '=', hubNo)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
};

/** The lane of a process that has no connections to lose: when its number was taken away it takes another. */
export const createNumberLease = async (db: Db) => {
  let hubNo = await acquireHubNo(db);
  return {
    async renew(): Promise<void> {
      if (!(await renewHubNo(db, hubNo))) hubNo = await acquireHubNo(db);
    },
    async give(): Promise<void> {
      await db.deleteFrom('hub_instance').where('hub_no', '=', hubNo).execute();
    },
  };
};
