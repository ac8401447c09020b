import { setTimeout as pause } from 'node:timers/promises';
import type { RecordDb } from '../db/connect.ts';
import { firstNumberAt } from '../platform/ids.ts';
import { dayOf } from './batch.ts';
import { deleteCounted } from './tenant-usage.ts';

export const PIECE = 500;
/** Between two pieces, so that the writer of messages does not wait for longer than one. */
const PAUSE_MS = 10;

export const byAge = ['message_record', 'connect_record', 'device_log'] as const;

export type Pieces = (piece: () => Promise<number>) => Promise<void>;

/** Runs a deletion of at most PIECE rows until it finds fewer, or until the hub stops. */
export const createPieces =
  (isStopping: () => boolean): Pieces =>
  async (piece) => {
    while (!isStopping() && (await piece()) >= PIECE) await pause(PAUSE_MS);
  };

/** Samples lie by device and property: each property's old ones are one stretch. */
export const deleteSamplesOf = (
  records: RecordDb,
  inPieces: Pieces,
  { device_id: deviceId, sign_code: signCode }: { device_id: string; sign_code: string },
  before: number,
): Promise<void> =>
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

/** All that these devices sent and did before a time, and its bytes from the counters of their tenants. */
export const deleteOldOf = async (
  records: RecordDb,
  inPieces: Pieces,
  deviceIds: string[],
  before: number,
): Promise<void> => {
  for (const table of byAge)
    await inPieces(async () => {
      const rows = await records
        .selectFrom(table)
        .select('record_id')
        .where('device_id', 'in', deviceIds)
        .where('record_id', '<', firstNumberAt(before))
        .limit(PIECE)
        .execute();
      return deleteCounted(
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
  for (const key of sampled) await deleteSamplesOf(records, inPieces, key, before);
};
