import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordDb } from '../db/connect.ts';
import { firstSequenceIdAt } from '../platform/ids.ts';
import { dayOf } from './batch.ts';
import { deleteWithUsage } from './tenant-usage.ts';

export const BATCH_ROWS = 500;
/** Pause between batches, so that the message writer waits at most for one. */
const PAUSE_MS = 10;

export const recordTablesByAge = ['message_record', 'connect_record', 'device_log'] as const;

export type BatchRunner = (deleteBatch: () => Promise<number>) => Promise<void>;

/** Repeats a deletion of at most BATCH_ROWS rows until it deletes fewer, or the hub stops. */
export const createBatchRunner =
  (isStopping: () => boolean): BatchRunner =>
  async (deleteBatch) => {
    while (!isStopping() && (await deleteBatch()) >= BATCH_ROWS) await sleep(PAUSE_MS);
  };

/** Samples are ordered by device and property, so the old ones of a property are contiguous. */
export const deleteSamplesOf = (
  records: RecordDb,
  inBatches: BatchRunner,
  { device_id: deviceId, sign_code: signCode }: { device_id: string; sign_code: string },
  before: number,
): Promise<void> =>
  inBatches(async () => {
    const old = records
      .selectFrom('property_sample')
      .where('device_id', '=', deviceId)
      .where('sign_code', '=', signCode)
      .where('sample_time', '<', before);
    const last = await old
      .select('sample_time')
      .orderBy('sample_time')
      .limit(1)
      .offset(BATCH_ROWS - 1)
      .executeTakeFirst();
    const { numDeletedRows } = await records
      .deleteFrom('property_sample')
      .where('device_id', '=', deviceId)
      .where('sign_code', '=', signCode)
      .where('sample_time', last ? '<=' : '<', last?.sample_time ?? before)
      .executeTakeFirst();
    return Number(numDeletedRows);
  });

/** Deletes all records of these devices before a time and subtracts their bytes from the counters of their tenants. */
export const deleteRecordsBefore = async (
  records: RecordDb,
  inBatches: BatchRunner,
  deviceIds: string[],
  before: number,
): Promise<void> => {
  for (const table of recordTablesByAge)
    await inBatches(async () => {
      const rows = await records
        .selectFrom(table)
        .select('record_id')
        .where('device_id', 'in', deviceIds)
        .where('record_id', '<', firstSequenceIdAt(before))
        .limit(BATCH_ROWS)
        .execute();
      return deleteWithUsage(
        records,
        table,
        rows.map((row) => row.record_id),
      );
    });
  const sampled = await records
    .selectFrom('latest_value')
    .select(['device_id', 'sign_code'])
    .where('device_id', 'in', deviceIds)
    .execute();
  await records
    .deleteFrom('device_log_day')
    .where('device_id', 'in', deviceIds)
    .where('log_day', '<', dayOf(before))
    .execute();
  for (const key of sampled) await deleteSamplesOf(records, inBatches, key, before);
};
