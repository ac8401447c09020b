import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import { newId } from '../../platform/ids.ts';
import type { SyncTarget } from './sync.targets.ts';

/** Longer than a request may take: whoever has it renews it before each. */
const LEASE_MS = 20_000;

/** The right to send to a zone, which one hub has at a time. */
export const createZoneLease = (db: Db) => {
  const own = newId();

  return {
    /** Also anew, where it is had already. */
    async take(zoneId: number): Promise<boolean> {
      const time = databaseTime(db);
      const { numUpdatedRows } = await db
        .updateTable('sync_zone')
        .set({ leader: own, leader_until: leaseUntil(LEASE_MS, time) })
        .where('zone_id', '=', zoneId)
        .where((row) => row.or([row('leader', '=', own), isLeaseFree('leader_until', LEASE_MS, time)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /**
     * Until the transaction ends: the zone still has the nodes and receivers that were sent to, and this hub is its
     * sender.
     */
    async hold(db: Db, { zone, mark }: SyncTarget, peers: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('sync_zone')
        .set({ leader_until: leaseUntil(LEASE_MS, databaseTime(db)) })
        .where('zone_id', '=', zone.zone_id)
        .where('leader', '=', own)
        .where('target', '=', mark)
        .where('peers', '=', peers)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async give(zoneId: number): Promise<void> {
      await db
        .updateTable('sync_zone')
        .set({ leader_until: 0 })
        .where('zone_id', '=', zoneId)
        .where('leader', '=', own)
        .execute();
    },
  };
};
