import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import { newId } from '../../platform/ids.ts';

const LEASE_MS = 30_000;

/** The lease of a job that one hub does for all, once per `everyMs`. */
export const createJobLease = (db: Db, jobName: 'compare' | 'check', everyMs: number) => {
  const hubLeaseId = newId();
  const job = () => db.updateTable('sync_job').where('job_name', '=', jobName);

  return {
    async acquire(): Promise<boolean> {
      const time = databaseTime(db);
      const { numUpdatedRows } = await job()
        .set({ leader: hubLeaseId, leader_until: leaseUntil(LEASE_MS, time) })
        .where(isLeaseFree('leader_until', LEASE_MS, time))
        .where('done_at', '<=', Date.now() - everyMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async renew(): Promise<boolean> {
      const { numUpdatedRows } = await job()
        .set({ leader_until: leaseUntil(LEASE_MS, databaseTime(db)) })
        .where('leader', '=', hubLeaseId)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async complete(startedAt: number): Promise<void> {
      await job().set({ leader_until: 0, done_at: startedAt }).where('leader', '=', hubLeaseId).execute();
    },
  };
};
