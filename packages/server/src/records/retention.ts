import { ConnectStatus } from '@device-center/contract';
import { sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { firstSequenceIdAt } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { dayOf, quarterHourOf } from './batch.ts';
import { BATCH_ROWS, createBatchRunner, deleteSamplesOf, recordTablesByAge } from './old-records.ts';
import { DAY_MS, type Partitions } from './partitions.ts';
import { createTrim, cutoffOf, fairShare, type TenantDevices } from './tenant-shares.ts';
import { clearBytesBefore, quarterBytesOf, storedBytesByTenant } from './tenant-usage.ts';

type RetentionDeps = {
  records: RecordDb;
  days: number;
  bytes: number;
  /** Size of the records without free space. */
  usedBytes: () => Promise<number>;
  /** Present on PostgreSQL. */
  partitions?: Partitions | undefined;
  tenancyIds: () => Promise<string[]>;
  devicesOf: TenantDevices;
  /** Storage limits of the tenants that have one. */
  storedBytesLimits: () => Promise<Map<string, number>>;
  log: Log;
};

/** How long after its login messages of a session are accepted: a resent message carries its original session id. */
export const SESSION_NAMED_MS = 7 * 86_400_000;
/** A high-water mark is kept longer than messages of its session are accepted. */
const MARK_MS = SESSION_NAMED_MS + DAY_MS;
const COUNTERS_MS = 5 * 366 * DAY_MS;
const MAX_REJECTIONS = 1_000;
const WARN_SHARE = 0.9;

/**
 * Deletes records by age and by size: whole days at once on PostgreSQL, else in small batches, none of which locks the
 * table longer than a batch of messages.
 */
export const createRetention = (deps: RetentionDeps) => {
  const { records, days, bytes, usedBytes, partitions, tenancyIds, log } = deps;
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const inBatches = createBatchRunner(isStopping);
  const trim = createTrim({ records, devicesOf: deps.devicesOf, inBatches, isStopping });

  const deleteOlder = (table: (typeof recordTablesByAge)[number], before: number): Promise<void> =>
    inBatches(async () => {
      const oldest = records
        .selectFrom(table)
        .select('record_id')
        .where('record_id', '<', firstSequenceIdAt(before))
        .orderBy('record_id')
        .limit(BATCH_ROWS);
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
        .limit(BATCH_ROWS)
        .execute();
      for (const key of keys) {
        if (stopping) return;
        await deleteSamplesOf(records, inBatches, key, before);
      }
      const last = keys.at(-1);
      if (!last || keys.length < BATCH_ROWS) return;
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
    for (const table of recordTablesByAge) await deleteOlder(table, before);
    // With partitions there are rarely any, and the check is fast; without, the check takes as long as the deletion.
    if (!partitions || (await hasSamples(before))) await deleteSamples(before);
    await records.deleteFrom('device_log_day').where('log_day', '<', dayOf(before)).execute();
    await clearBytesBefore(records, quarterHourOf(before));
  };

  const isTooMuch = async (): Promise<boolean> => !stopping && (await usedBytes()) > bytes;

  /** The size each tenant may keep so that all together are WARN_SHARE of the limit; an estimate, like the sizes. */
  const shareOf = async (stored: Map<string, number>): Promise<number> => {
    const sizes = [...stored.values()];
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return fairShare(sizes, (all * bytes * WARN_SHARE) / (await usedBytes()));
  };

  /** The time before which every tenant must lose records: whole days of all tenants can be dropped. */
  const commonCutoff = async (stored: Map<string, number>, now: number): Promise<number> => {
    const share = await shareOf(stored);
    let cutoff = stored.size > 0 ? now : 0;
    for (const [tenancyId, size] of stored) {
      if (size <= share) return 0;
      cutoff = Math.min(cutoff, cutoffOf(await quarterBytesOf(records, tenancyId), size - share)?.begin ?? now);
    }
    return cutoff;
  };

  /** First trims tenants over their own limit; then those that store the most, while the total is too large. */
  const trimTenants = async (now: number): Promise<void> => {
    const limits = await deps.storedBytesLimits();
    for (const [tenancyId, size] of await storedBytesByTenant(records)) {
      const limit = limits.get(tenancyId);
      if (limit !== undefined && size > limit) await trim(tenancyId, limit * WARN_SHARE, now);
    }
    const used = await usedBytes();
    if (used > bytes * WARN_SHARE)
      log.warn({ used, RETENTION_BYTES: bytes }, 'records near RETENTION_BYTES, deleting the oldest');
    if (used <= bytes) return;
    if (partitions) {
      const cutoff = await commonCutoff(await storedBytesByTenant(records), now);
      await clearBytesBefore(records, quarterHourOf(await partitions.dropWhile(isTooMuch, now, cutoff)));
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
    /** Keeps the last 1,000 rejections of a tenant, so that endless attempts cannot fill the disk. */
    async trimRejections(): Promise<void> {
      for (const tenancyId of await tenancyIds()) {
        const rejected = records
          .selectFrom('connect_record')
          .where('tenancy_id', '=', tenancyId)
          .where('status', '=', ConnectStatus.refused);
        const last = await rejected
          .select('record_id')
          .orderBy('record_id', 'desc')
          .limit(1)
          .offset(MAX_REJECTIONS)
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
