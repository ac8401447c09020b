import { sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import { firstSequenceIdAt, timeOfSequenceId } from '../platform/ids.ts';
import { mergeByKey, quarterHourOf } from './batch.ts';
import { ROW_BYTES } from './record-bytes.ts';

type NumberedTable = 'message_record' | 'connect_record' | 'device_log';

/** Log lines are counted with their message. */
const bytesOf = {
  message_record: sql<number>`${ROW_BYTES} + octet_length(envelope) + 2 * octet_length(value)`,
  connect_record: sql<number>`case when status = 3 then 0 else ${ROW_BYTES} end`,
  device_log: sql<number>`0`,
} satisfies Record<NumberedTable, unknown>;

/**
 * Deletes rows by id and subtracts their bytes from the counters of their tenants. Returns the number of deleted rows.
 */
export const deleteWithUsage = (records: RecordDb, table: NumberedTable, ids: number[]): Promise<number> =>
  transact(records, async (records) => {
    if (ids.length === 0) return 0;
    const rows = await records
      .deleteFrom(table)
      .where('record_id', 'in', ids)
      .returning(['tenancy_id', 'record_id'])
      .returning(bytesOf[table].as('bytes'))
      .execute();
    const freed = mergeByKey(
      rows
        .map(({ tenancy_id, record_id, bytes }) => ({
          quarter: quarterHourOf(timeOfSequenceId(record_id)),
          tenancy_id,
          hub_no: 0,
          messages: 0,
          accesses: 0,
          bytes: -Number(bytes),
        }))
        .filter(({ bytes }) => bytes < 0),
      (row) => `${row.quarter}\n${row.tenancy_id}`,
      (previous, next) => ({ ...previous, bytes: previous.bytes + next.bytes }),
    );
    if (freed.length > 0)
      await records
        .insertInto('quarter_counter')
        .values(freed)
        .onConflict((row) =>
          row
            .columns(['quarter', 'tenancy_id', 'hub_no'])
            .doUpdateSet({ bytes: sql`quarter_counter.bytes + excluded.bytes` }),
        )
        .execute();
    return rows.length;
  });

/** Sets the bytes of a tenant's, or all tenants', quarters before this one to 0. */
export const clearBytesBefore = async (records: RecordDb, quarter: number, tenancyId?: string): Promise<void> => {
  let old = records.updateTable('quarter_counter').set({ bytes: 0 }).where('quarter', '<', quarter);
  if (tenancyId !== undefined) old = old.where('tenancy_id', '=', tenancyId);
  await old.where('bytes', '<>', 0).execute();
};

const SLICE_MS = 10;
const SLICE_NUMBERS = firstSequenceIdAt(SLICE_MS);

/** The bytes of devices between two times, by time slices. */
export const slicesOf = async (
  records: RecordDb,
  deviceIds: string[],
  from: number,
  to: number,
): Promise<{ begin: number; bytes: number }[]> => {
  const slices: { begin: number; bytes: number }[] = [];
  for (const table of ['message_record', 'connect_record'] as const) {
    const rows = await records
      .selectFrom(table)
      .select([
        sql<number>`record_id / ${sql.lit(SLICE_NUMBERS)}`.as('slice'),
        sql<number>`sum(${bytesOf[table]})`.as('bytes'),
      ])
      .where('device_id', 'in', deviceIds)
      .where('record_id', '>=', firstSequenceIdAt(from))
      .where('record_id', '<', firstSequenceIdAt(to))
      .groupBy('slice')
      .execute();
    for (const { slice, bytes } of rows) slices.push({ begin: Number(slice) * SLICE_MS, bytes: Number(bytes) });
  }
  return slices;
};

export type QuarterBytes = { quarter: number; bytes: number };

/** The bytes of a tenant by quarter hour, oldest first. */
export const quarterBytesOf = async (records: RecordDb, tenancyId: string): Promise<QuarterBytes[]> => {
  const rows = await records
    .selectFrom('quarter_counter')
    .select(['quarter', (row) => row.fn.sum<number>('bytes').as('bytes')])
    .where('tenancy_id', '=', tenancyId)
    .groupBy('quarter')
    .having((row) => row.fn.sum('bytes'), '>', 0)
    .orderBy('quarter')
    .execute();
  return rows.map(({ quarter, bytes }) => ({ quarter, bytes: Number(bytes) }));
};

/** Stored bytes by tenant, or of one tenant. */
export const storedBytesByTenant = async (records: RecordDb, tenancyId?: string): Promise<Map<string, number>> => {
  let rows = records
    .selectFrom('quarter_counter')
    .select(['tenancy_id', (row) => row.fn.sum<number>('bytes').as('bytes')])
    .where('bytes', '<>', 0);
  if (tenancyId !== undefined) rows = rows.where('tenancy_id', '=', tenancyId);
  const sums = await rows.groupBy('tenancy_id').execute();
  return new Map(
    sums.flatMap(({ tenancy_id, bytes }) =>
      tenancy_id !== '' && Number(bytes) > 0 ? [[tenancy_id, Number(bytes)]] : [],
    ),
  );
};

/** Number of messages since a time, by tenant. */
export const messagesSince = async (
  records: RecordDb,
  time: number,
  tenancyId?: string,
): Promise<Map<string, number>> => {
  let rows = records
    .selectFrom('quarter_counter')
    .select(['tenancy_id', (row) => row.fn.sum<number>('messages').as('messages')])
    .where('quarter', '>=', quarterHourOf(time));
  if (tenancyId !== undefined) rows = rows.where('tenancy_id', '=', tenancyId);
  const sums = await rows.groupBy('tenancy_id').execute();
  return new Map(sums.map(({ tenancy_id, messages }) => [tenancy_id, Number(messages)]));
};
