import { setTimeout as pause } from 'node:timers/promises';
import { ConnectStatus } from '@device-center/contract';
import { sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { SESSION_NAMED_MS } from '../db/device-tokens.ts';
import { firstNumberAt } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { dayOf, quarterOf } from './batch.ts';
import { DAY_MS, type Partitions } from './partitions.ts';

type RetentionDeps = {
  records: RecordDb;
  days: number;
  bytes: number;
  /** How many bytes the records take, without what is free again. */
  usedBytes: () => Promise<number>;
  /** On PostgreSQL. */
  partitions?: Partitions | undefined;
  tenancyIds: () => Promise<string[]>;
  log: Log;
};

const PIECE = 500;
/** Between two pieces whoever writes messages has the table to himself. */
const PAUSE_MS = 10;
/** A mark outlives all that may name its session. */
const MARK_MS = SESSION_NAMED_MS + DAY_MS;
const COUNTERS_MS = 5 * 366 * DAY_MS;
const REFUSALS_KEPT = 1_000;
const WARN_SHARE = 0.9;
const LEAST_SHARE = 0.02;

const byAge = ['message_record', 'connect_record', 'device_log'] as const;

/**
 * Records age out by days and by bytes: on PostgreSQL whole days at once, and else in small pieces, none of which holds
 * the table longer than a batch of messages.
 */
export const createRetention = ({ records, days, bytes, usedBytes, partitions, tenancyIds, log }: RetentionDeps) => {
  let stopping = false;

  const inPieces = async (piece: () => Promise<number>): Promise<void> => {
    while (!stopping && (await piece()) >= PIECE) await pause(PAUSE_MS);
  };

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

  /** Samples lie by device and property: each property's old ones are one stretch. */
  const deleteSamplesOf = (deviceId: string, signCode: string, before: number): Promise<void> =>
    inPieces(async () => {
      const old = records
        .selectFrom('property_sample')
        .where('device_id', '=', deviceId)
        .where('sign_code', '=', signCode)
        .where('sample_time', '<', before);
      const last = await old
        .select('sample_time')
        .orderBy('sample_time')
        .limit(1)
        .offset(PIECE - 1)
        .executeTakeFirst();
      const { numDeletedRows } = await records
        .deleteFrom('property_sample')
        .where('device_id', '=', deviceId)
        .where('sign_code', '=', signCode)
        .where('sample_time', last ? '<=' : '<', last?.sample_time ?? before)
        .executeTakeFirst();
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
      for (const { device_id, sign_code } of keys) {
        if (stopping) return;
        await deleteSamplesOf(device_id, sign_code, before);
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
  };

  /** When that many bytes are reached: as much of the time kept as is too much of the bytes. */
  const ageForBytes = async (now: number): Promise<number | undefined> => {
    const used = await usedBytes();
    if (used > bytes * WARN_SHARE)
      log.warn({ used, RETENTION_BYTES: bytes }, 'records are near their limit of bytes; the oldest go first');
    if (used <= bytes) return undefined;
    const first = await records
      .selectFrom('message_record')
      .select('message_time')
      .orderBy('record_id')
      .limit(1)
      .executeTakeFirst();
    if (!first) return undefined;
    const share = Math.max(LEAST_SHARE, 1 - (bytes * WARN_SHARE) / used);
    return first.message_time + (now - first.message_time) * share;
  };

  /** Whole days; answers how old rows are that must still go one by one. */
  const dropDays = async ({ dropBefore, dropWhile, firstDay }: Partitions, now: number): Promise<number> => {
    const byDays = now - days * DAY_MS;
    await dropBefore(byDays);
    await dropWhile(async () => !stopping && (await usedBytes()) > bytes, now);
    return Math.min(byDays, await firstDay());
  };

  return {
    async run(): Promise<void> {
      const now = Date.now();
      const byDays = partitions ? await dropDays(partitions, now) : now - days * DAY_MS;
      await deleteBefore(Math.floor(Math.max(byDays, (await ageForBytes(now)) ?? 0)));
      await records
        .deleteFrom('session_mark')
        .where('updated_at', '<', now - MARK_MS)
        .execute();
      await records
        .deleteFrom('quarter_counter')
        .where('quarter', '<', quarterOf(now - COUNTERS_MS))
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
