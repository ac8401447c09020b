import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import { newId } from '../../platform/ids.ts';
import type { SyncTarget } from './sync.targets.ts';

/** Longer than the timeout of a request, because the holder renews the lease before each request. */
const LEASE_MS = 20_000;

/** The lease for sending to a zone: one hub sends at a time. */
export const createZoneLease = (db: Db) => {
  const hubLeaseId = newId();

  return {
    /** Acquires the lease, or renews it. */
    async acquire(zoneId: number): Promise<boolean> {
      const time = databaseTime(db);
      const { numUpdatedRows } = await db
        .updateTable('sync_zone')
        .set({ leader: hubLeaseId, leader_until: leaseUntil(LEASE_MS, time) })
        .where('zone_id', '=', zoneId)
        .where((row) => row.or([row('leader', '=', hubLeaseId), isLeaseFree('leader_until', LEASE_MS, time)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Locks the zone's row until the transaction ends. False where this hub lost the lease, or the zone's nodes or
     * receivers are not those that were sent to.
     */
    async lock(db: Db, { zone, nodesHash }: SyncTarget, peers: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sync_zone')
        .set({ leader_until: leaseUntil(LEASE_MS, databaseTime(db)) })
        .where('zone_id', '=', zone.zone_id)
        .where('leader', '=', hubLeaseId)
        .where('target', '=', nodesHash)
        .where('peers', '=', peers)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async release(zoneId: number): Promise<void> {
      await db
        .updateTable('sync_zone')
        .set({ leader_until: 0 })
        .where('zone_id', '=', zoneId)
        .where('leader', '=', hubLeaseId)
        .execute();
    },
  };
};
