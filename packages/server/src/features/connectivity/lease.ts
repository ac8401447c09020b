import { sql } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { LEASE_MS, RENEW_MS, renewHubNo } from '../../db/hub-lease.ts';
import type { Log } from '../../platform/log.ts';
import { disconnectedRow } from '../../records/connects.ts';

/** Why its devices went offline. */
const LOST = 'hubStopped';
const AT_ONCE = 500;

type LeaseDeps = {
  db: Db;
  records: RecordDb;
  hubNo: number;
  /** Other hubs may use the same database. On SQLite none can, so a lease that is overdue harms nobody. */
  shared: boolean;
  log: Log;
  /** The lease could not be renewed: others will say that our devices are offline, so they must be. */
  lost: () => void;
  /** It was taken for dead and its number is gone: it can only begin anew. */
  buried: () => void;
};

export const createLease = ({ db, records, hubNo, shared, log, lost, buried }: LeaseDeps) => {
  // By a clock that nobody sets: how long ago something was is no matter of the time of day.
  const clock = (): number => performance.now();
  let until = clock() + LEASE_MS;
  let warned = false;
  /** Since when it has been renewed without a gap. */
  let steadySince = Number.NEGATIVE_INFINITY;

  const renew = async (): Promise<void> => {
    const next = clock() + LEASE_MS;
    if (!(await renewHubNo(db, hubNo))) {
      log.error({ hubNo }, 'other hubs took this one for dead; the device side begins anew');
      buried();
      return;
    }
    if (clock() > until) steadySince = clock();
    until = next;
    warned = false;
  };

  /** Only the dead one's devices go offline, in pieces, each with a record of it. */
  const bury = async (deadNo: number): Promise<void> => {
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
        .where('hub_no', '=', deadNo)
        .where('online', '=', 1)
        .limit(AT_ONCE)
        .execute();
      if (rows.length === 0) break;
      const at = Date.now();
      const { rows: gone } = await sql<{ device_id: string }>`
        update device set online = 2, presence_at = ${at}, offline_reason = ${LOST}
        where hub_no = ${deadNo} and online = 1 and device_id in (${sql.join(rows.map((row) => row.deviceId))})
        returning device_id`.execute(db);
      const ids = new Set(gone.map(({ device_id }) => device_id));
      const ended = rows.filter(({ deviceId }) => ids.has(deviceId));
      if (ended.length === 0) continue;
      await records
        .insertInto('connect_record')
        .values(
          ended.map(({ ip, transport, since, ...whose }) =>
            disconnectedRow(whose, { at, ip, transport }, since, LOST, 'the hub ended without a goodbye'),
          ),
        )
        .execute();
    }
    await db.deleteFrom('connection_moved').where('hub_no', '=', deadNo).execute();
    await db.deleteFrom('hub_instance').where('hub_no', '=', deadNo).execute();
  };

  /** Again and again until it is renewed: whoever has come since the last time was let in without a lease. */
  const cutAll = (error?: unknown): void => {
    if (!shared) return;
    if (!warned) log.error({ err: error }, 'the lease could not be renewed, connections are cut');
    warned = true;
    lost();
  };

  return {
    renewMs: RENEW_MS,
    async renew(): Promise<void> {
      // A database that has fallen silent lets nobody know that the time is over. Whoever is late himself may still ask.
      const limit = setTimeout(cutAll, Math.max(until - clock(), RENEW_MS));
      try {
        await renew();
      } catch (error) {
        if (clock() > until) cutAll(error);
        throw error;
      } finally {
        clearTimeout(limit);
      }
    },
    /** At its start, a hub on SQLite finds only rows of hubs that have ended. */
    async reap(atStart = false): Promise<void> {
      // When the database was away nobody could renew: whoever is back first must not judge the others by that.
      if (clock() - steadySince < LEASE_MS) return;
      const dead = await db
        .selectFrom('hub_instance')
        .select('hub_no')
        .where('hub_no', '!=', hubNo)
        .$if(shared || !atStart, (rows) => rows.where('lease_until', '<', databaseTime(db)))
        .execute();
      for (const { hub_no } of dead) await bury(hub_no);
    },
    /** This process has the place now, so whoever had it is gone or about to: nothing need wait for the end of its lease. */
    async inherit(place: string): Promise<void> {
      if (place === '') return;
      const gone = await db
        .selectFrom('hub_instance')
        .select('hub_no')
        .where('listens_at', '=', place)
        .where('hub_no', '!=', hubNo)
        .execute();
      for (const { hub_no } of gone) await bury(hub_no);
      await db.updateTable('hub_instance').set({ listens_at: place }).where('hub_no', '=', hubNo).execute();
    },
    /** A hub that stopped in order leaves nothing to reap. */
    async give(): Promise<void> {
      await bury(hubNo);
    },
  };
};
