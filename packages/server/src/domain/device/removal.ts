import type { Db, RecordDb } from '../../db/connect.ts';
import { deleteWithUsage } from '../../records/tenant-usage.ts';
import { cancelUpgradesOf } from '../ota/records.ts';

/** Rows per statement: the records database has one writer, and messages of devices wait for it. */
const ROWS_PER_STATEMENT = 2_000;

const removeNumbered = async (
  records: RecordDb,
  table: 'message_record' | 'connect_record' | 'device_log',
  deviceIds: string[],
): Promise<void> => {
  for (;;) {
    const rows = await records
      .selectFrom(table)
      .select('record_id')
      .where('device_id', 'in', deviceIds)
      .limit(ROWS_PER_STATEMENT)
      .execute();
    await deleteWithUsage(
      records,
      table,
      rows.map((row) => row.record_id),
    );
    if (rows.length < ROWS_PER_STATEMENT) return;
  }
};

const removeSamples = async (records: RecordDb, deviceId: string, signCode: string): Promise<void> => {
  for (;;) {
    const samples = () =>
      records.selectFrom('property_sample').where('device_id', '=', deviceId).where('sign_code', '=', signCode);
    const next = await samples()
      .select('sample_time')
      .orderBy('sample_time')
      .offset(ROWS_PER_STATEMENT)
      .limit(1)
      .executeTakeFirst();
    let rows = records
      .deleteFrom('property_sample')
      .where('device_id', '=', deviceId)
      .where('sign_code', '=', signCode);
    if (next) rows = rows.where('sample_time', '<=', next.sample_time);
    await rows.execute();
    if (!next) return;
  }
};

/** Deletes all records of devices, in small batches. */
export const removeDeviceRecords = async (records: RecordDb, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  for (const table of ['message_record', 'connect_record', 'device_log'] as const)
    await removeNumbered(records, table, deviceIds);
  const sampled = await records
    .selectFrom('property_sample')
    .select(['device_id', 'sign_code'])
    .where('device_id', 'in', deviceIds)
    .groupBy(['device_id', 'sign_code'])
    .execute();
  for (const { device_id, sign_code } of sampled) await removeSamples(records, device_id, sign_code);
  for (const table of ['latest_value', 'device_log_day', 'session_mark'] as const)
    await records.deleteFrom(table).where('device_id', 'in', deviceIds).execute();
};

/** When records of a deleted device are searched for again: soon, and once more when none can still be in transit. */
const RECHECK_DELAYS_MS = [3_000, 60_000] as const;
const DELETED_PER_BATCH = 200;

/**
 * Messages that were in transit when their device was deleted are stored after the deletion, so this searches again.
 * Returns whether any device was due.
 */
export const removeLateRecords = async (db: Db, records: RecordDb): Promise<boolean> => {
  const now = Date.now();
  const due = await db
    .selectFrom('deleted_device')
    .leftJoin('device', 'device.device_id', 'deleted_device.device_id')
    .select(['deleted_device.device_id', 'deleted_device.looked', 'device.device_id as registered_again'])
    .where('due_at', '<', now)
    .limit(DELETED_PER_BATCH)
    .execute();
  if (due.length === 0) return false;
  // An id that is registered again shows only records since its new row, so nothing needs to be deleted.
  await removeDeviceRecords(
    records,
    due.filter((row) => row.registered_again === null).map((row) => row.device_id),
  );
  for (const { device_id, looked } of due) {
    const delay = RECHECK_DELAYS_MS[looked + 1];
    if (delay === undefined) await db.deleteFrom('deleted_device').where('device_id', '=', device_id).execute();
    else
      await db
        .updateTable('deleted_device')
        .set({ due_at: now + delay, looked: looked + 1 })
        .where('device_id', '=', device_id)
        .execute();
  }
  return true;
};

/** Only of the same tenant: another tenant's device may have been synchronised with this id as its gateway. */
const removeParent = (db: Db, deviceIds: string[]) =>
  db
    .updateTable('device')
    .set({ parent_id: '' })
    .where('parent_id', 'in', deviceIds)
    .where((row) =>
      row.exists(
        row
          .selectFrom('device as parent')
          .select('parent.device_id')
          .whereRef('parent.device_id', '=', 'device.parent_id')
          .whereRef('parent.tenancy_id', '=', 'device.tenancy_id'),
      ),
    )
    .execute();

/** Deletes the device rows, with sessions and commands. The child devices of a gateway stay, without a gateway. */
export const removeDeviceRows = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await cancelUpgradesOf(db, deviceIds);
  await removeParent(db, deviceIds);
  await db.updateTable('mock_device').set({ gateway_id: '' }).where('gateway_id', 'in', deviceIds).execute();
  await db.deleteFrom('device_nonce').where('device_id', 'in', deviceIds).execute();
  const removed = await db
    .deleteFrom('device')
    .where('device_id', 'in', deviceIds)
    .returning(['device_id', 'tenancy_id'])
    .execute();
  if (removed.length === 0) return;
  const due_at = Date.now() + RECHECK_DELAYS_MS[0];
  await db
    .insertInto('deleted_device')
    .values(removed.map((row) => ({ ...row, due_at, looked: 0 })))
    .onConflict((row) =>
      row.column('device_id').doUpdateSet(({ ref }) => ({ due_at, looked: 0, tenancy_id: ref('excluded.tenancy_id') })),
    )
    .execute();
};
