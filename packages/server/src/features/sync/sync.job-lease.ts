import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import { newId } from '../../platform/ids.ts';

const LEASE_MS = 30_000;

/** The right to do a job that one hub does for all, each `everyMs`. */
export const createJobLease = (db: Db, jobName: 'compare' | 'check', everyMs: number) => {
  const own = newId();
  const job = () => db.updateTable('sync_job').where('job_name', '=', jobName);

  return {
    async begin(): Promise<boolean> {
      const time = databaseTime(db);
      const { numUpdatedRows } = await job()
        .set({ leader: own, leader_until: leaseUntil(LEASE_MS, time) })
        .where(isLeaseFree('leader_until', LEASE_MS, time))
        .where('done_at', '<=', Date.now() - everyMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async goOn(): Promise<boolean> {
      const { numUpdatedRows } = await job()
        .set({ leader_until: leaseUntil(LEASE_MS, databaseTime(db)) })
        .where('leader', '=', own)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async end(began: number): Promise<void> {
      await job().set({ leader_until: 0, done_at: began }).where('leader', '=', own).execute();
    },
  };
};
