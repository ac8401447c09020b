import { ConnectStatus } from '@device-center/contract';
import { sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { SESSION_NAMED_MS } from '../db/device-tokens.ts';
import { firstNumberAt } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { dayOf, quarterHourOf } from './batch.ts';
import { byAge, createPieces, deleteSamplesOf, PIECE } from './old-records.ts';
import { DAY_MS, type Partitions } from './partitions.ts';
import { createTrim, cutIn, fairShare, type TenantDevices } from './tenant-shares.ts';
import { clearBytesBefore, quarterBytesOf, storedBytesByTenant } from './tenant-usage.ts';

type RetentionDeps = {
  records: RecordDb;
  days: number;
  bytes: number;
  /** How many bytes the records take, without what is free again. */
  usedBytes: () => Promise<number>;
  /** On PostgreSQL. */
  partitions?: Partitions | undefined;
  tenancyIds: () => Promise<string[]>;
  devicesOf: TenantDevices;
  /** Tenants that may have this many bytes of records and no more. */
  storedBytesLimits: () => Promise<Map<string, number>>;
  log: Log;
};

/** A mark outlives all that may name its session. */
const MARK_MS = SESSION_NAMED_MS + DAY_MS;
const COUNTERS_MS = 5 * 366 * DAY_MS;
const REFUSALS_KEPT = 1_000;
const WARN_SHARE = 0.9;

/**
 * Records age out by days and by bytes: on PostgreSQL whole days at once, and else in small pieces, none of which holds
 * the table longer than a batch of messages.
 */
export const createRetention = (deps: RetentionDeps) => {
  const { records, days, bytes, usedBytes, partitions, tenancyIds, log } = deps;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const inPieces = createPieces(isStopping);
  const trim = createTrim({ records, devicesOf: deps.devicesOf, inPieces, isStopping });

  const deleteOlder = (table: (typeof byAge)[number], before: number): Promise<void> =>
    inPieces(async () => {
      const oldest = records
        .selectFrom(table)
        .select('record_id')
        .where('record_id', '<', firstNumberAt(before))
        .orderBy('record_id')
        .limit(PIECE);
      const { numDeletedRows } = await records.deleteFrom(table).where('record_id', 'in', oldest).executeTakeFirst();
      return Number(numDeletedRows);
    });

  const deleteSamples = async (before: number): Promise<void> => {
    let after = { device_id: '', sign_code: '' };
    for (;;) {
      const keys = await records
        .selectFrom('latest_value')
        .select(['device_id', 'sign_code'])
        .where(sql<boolean>`(device_id, sign_code) > (${after.device_id}, ${after.sign_code})`)
        .orderBy('device_id')
        .orderBy('sign_code')
        .limit(PIECE)
        .execute();
      for (const key of keys) {
        if (stopping) return;
        await deleteSamplesOf(records, inPieces, key, before);
      }
      const last = keys.at(-1);
      if (!last || keys.length < PIECE) return;
      after = last;
    }
  };

  const hasSamples = async (before: number): Promise<boolean> =>
    (
      await records
        .selectFrom('property_sample')
        .select('record_id')
        .where('sample_time', '<', before)
        .limit(1)
        .execute()
    ).length > 0;

  const deleteBefore = async (before: number): Promise<void> => {
    for (const table of byAge) await deleteOlder(table, before);
    // With partitions there is seldom any, and they tell at once; without, to ask is as long as to delete.
    if (!partitions || (await hasSamples(before))) await deleteSamples(before);
    await records.deleteFrom('device_log_day').where('log_day', '<', dayOf(before)).execute();
    await clearBytesBefore(records, quarterHourOf(before));
  };

  const isTooMuch = async (): Promise<boolean> => !stopping && (await usedBytes()) > bytes;

  /** What each tenant may keep so that all together are WARN_SHARE of what may be used; an estimate, as its bytes are. */
  const shareOf = async (stored: Map<string, number>): Promise<number> => {
    const sizes = [...stored.values()];
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return fairShare(sizes, (all * bytes * WARN_SHARE) / (await usedBytes()));
  };

  /** Until when every tenant has to give records: whole days of all of them go at once. */
  const commonCut = async (stored: Map<string, number>, now: number): Promise<number> => {
    const share = await shareOf(stored);
    let cut = stored.size > 0 ? now : 0;
    for (const [tenancyId, size] of stored) {
      if (size <= share) return 0;
      cut = Math.min(cut, cutIn(await quarterBytesOf(records, tenancyId), size - share)?.begin ?? now);
    }
    return cut;
  };

  /** Tenants over their own limit first; what is still too much is taken from those that have the most. */
  const trimTenants = async (now: number): Promise<void> => {
    const limits = await deps.storedBytesLimits();
    for (const [tenancyId, size] of await storedBytesByTenant(records)) {
      const limit = limits.get(tenancyId);
      if (limit !== undefined && size > limit) await trim(tenancyId, limit * WARN_SHARE, now);
    }
    const used = await usedBytes();
    if (used > bytes * WARN_SHARE)
      log.warn({ used, RETENTION_BYTES: bytes }, 'records are near their limit of bytes; the oldest go first');
    if (used <= bytes) return;
    if (partitions) {
      const cut = await commonCut(await storedBytesByTenant(records), now);
      await clearBytesBefore(records, quarterHourOf(await partitions.dropWhile(isTooMuch, now, cut)));
      if (!(await isTooMuch())) return;
    }
    const stored = await storedBytesByTenant(records);
    const share = await shareOf(stored);
    for (const [tenancyId, size] of stored) if (size > share) await trim(tenancyId, share, now);
  };

  return {
    async run(): Promise<void> {
      const now = Date.now();
      const byDays = now - days * DAY_MS;
      await partitions?.dropBefore(byDays);
      await deleteBefore(Math.min(byDays, (await partitions?.firstDay()) ?? byDays));
      await trimTenants(now);
      await records
        .deleteFrom('session_mark')
        .where('updated_at', '<', now - MARK_MS)
        .execute();
      await records
        .deleteFrom('quarter_counter')
        .where('quarter', '<', quarterHourOf(now - COUNTERS_MS))
        .execute();
    },
    /** The last 1,000 refusals of a tenant are kept: whoever knocks without end must not fill the disk. */
    async trimRefusals(): Promise<void> {
      for (const tenancyId of await tenancyIds()) {
        const refused = records
          .selectFrom('connect_record')
          .where('tenancy_id', '=', tenancyId)
          .where('status', '=', ConnectStatus.refused);
        const last = await refused
          .select('record_id')
          .orderBy('record_id', 'desc')
          .limit(1)
          .offset(REFUSALS_KEPT)
          .executeTakeFirst();
        if (!last) continue;
        await records
          .deleteFrom('connect_record')
          .where('tenancy_id', '=', tenancyId)
          .where('status', '=', ConnectStatus.refused)
          .where('record_id', '<=', last.record_id)
          .execute();
      }
    },
    stop: (): void => {
      stopping = true;
    },
  };
};
