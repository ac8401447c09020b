import { sql } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { LEASE_MS, RENEW_MS, renewHubNo } from '../../db/hub-lease.ts';
import type { Log } from '../../platform/log.ts';
import { disconnectedRow } from '../../records/connection-events.ts';

/** Offline reason of the devices of an expired hub. */
const OFFLINE_REASON = 'hubStopped';
const BATCH_SIZE = 500;

type LeaseDeps = {
  db: Db;
  records: RecordDb;
  hubNo: number;
  /** Other hubs may use the same database. On SQLite there are none, so an overdue lease is harmless. */
  shared: boolean;
  log: Log;
  /** The lease could not be renewed: other hubs will mark this hub's devices offline, so they are disconnected. */
  onOverdue: () => void;
  /** Another hub has expired the lease and deleted the hub's row, so the process must restart. */
  onExpired: () => void;
};

export const createLease = ({ db, records, hubNo, shared, log, onOverdue, onExpired }: LeaseDeps) => {
  // Monotonic: the lease must not depend on changes of the system time.
  const clock = (): number => performance.now();
  let expiresAt = clock() + LEASE_MS;
  let overdueReported = false;
  /** Start of the current period of uninterrupted renewals. */
  let uninterruptedSince = Number.NEGATIVE_INFINITY;

  const renew = async (): Promise<void> => {
    const next = clock() + LEASE_MS;
    if (!(await renewHubNo(db, hubNo))) {
      log.error({ hubNo }, 'hub lease expired, restarting');
      onExpired();
      return;
    }
    if (clock() > expiresAt) uninterruptedSince = clock();
    expiresAt = next;
    overdueReported = false;
  };

  /** Marks the expired hub's devices offline, in batches, each with a connection event, and deletes the hub's row. */
  const expireHub = async (expiredNo: number): Promise<void> => {
    for (;;) {
      const rows = await db
        .selectFrom('device')
        .select([
          'device_id as deviceId',
          'tenancy_id as tenancyId',
          'product_id as productId',
          'ip',
          'transport',
          'presence_at as since',
        ])
        .where('hub_no', '=', expiredNo)
        .where('online', '=', 1)
        .limit(BATCH_SIZE)
        .execute();
      if (rows.length === 0) break;
      const at = Date.now();
      const { rows: offline } = await sql<{ device_id: string }>`
        update device set online = 2, presence_at = ${at}, offline_reason = ${OFFLINE_REASON}
        where hub_no = ${expiredNo} and online = 1 and device_id in (${sql.join(rows.map((row) => row.deviceId))})
        returning device_id`.execute(db);
      const ids = new Set(offline.map(({ device_id }) => device_id));
      const disconnected = rows.filter(({ deviceId }) => ids.has(deviceId));
      if (disconnected.length === 0) continue;
      await records
        .insertInto('connect_record')
        .values(
          disconnected.map(({ ip, transport, since, ...device }) =>
            disconnectedRow(device, { at, ip, transport }, since, OFFLINE_REASON, 'the hub stopped unexpectedly'),
          ),
        )
        .execute();
    }
    await db.deleteFrom('connection_moved').where('hub_no', '=', expiredNo).execute();
    await db.deleteFrom('hub_instance').where('hub_no', '=', expiredNo).execute();
  };

  /** Repeated until the renewal succeeds: devices that have connected meanwhile are not covered by a lease. */
  const reportOverdue = (error?: unknown): void => {
    if (!shared) return;
    if (!overdueReported) log.error({ err: error }, 'hub lease not renewed in time, disconnecting all devices');
    overdueReported = true;
    onOverdue();
  };

  return {
    renewMs: RENEW_MS,
    async renew(): Promise<void> {
      // An unresponsive database does not report the expiry, so a timer does. A late renewal may still be tried.
      const limit = setTimeout(reportOverdue, Math.max(expiresAt - clock(), RENEW_MS));
      try {
        await renew();
      } catch (error) {
        if (clock() > expiresAt) reportOverdue(error);
        throw error;
      } finally {
        clearTimeout(limit);
      }
    },
    /** Expires hubs whose lease is overdue. On SQLite, all other rows at startup belong to processes that have ended. */
    async expireStaleHubs(atStart = false): Promise<void> {
      // After a database outage every lease looks expired: wait one period, or the first hub to reconnect expires the
      // others.
      if (clock() - uninterruptedSince < LEASE_MS) return;
      const stale = await db
        .selectFrom('hub_instance')
        .select('hub_no')
        .where('hub_no', '!=', hubNo)
        .$if(shared || !atStart, (rows) => rows.where('lease_until', '<', databaseTime(db)))
        .execute();
      for (const { hub_no } of stale) await expireHub(hub_no);
    },
    /** This process now listens on the address, so its previous owner has ended: its lease is expired immediately. */
    async takeOverAddress(address: string): Promise<void> {
      if (address === '') return;
      const previous = await db
        .selectFrom('hub_instance')
        .select('hub_no')
        .where('listens_at', '=', address)
        .where('hub_no', '!=', hubNo)
        .execute();
      for (const { hub_no } of previous) await expireHub(hub_no);
      await db.updateTable('hub_instance').set({ listens_at: address }).where('hub_no', '=', hubNo).execute();
    },
    /** Ends the hub's own lease on an orderly stop. */
    async release(): Promise<void> {
      await expireHub(hubNo);
    },
  };
};
