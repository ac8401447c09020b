import { deleteCounted } from '../records/tenant-usage.ts';
import type { Db, RecordDb } from './connect.ts';
import { cancelUpgradesOf } from './ota-records.ts';

/** Rows of one statement: the records' file has one writer, and devices wait for it. */
const AT_ONCE = 2_000;

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
      .limit(AT_ONCE)
      .execute();
    await deleteCounted(
      records,
      table,
      rows.map((row) => row.record_id),
    );
    if (rows.length < AT_ONCE) return;
  }
};

const removeSamples = async (records: RecordDb, deviceId: string, signCode: string): Promise<void> => {
  for (;;) {
    const samples = () =>
      records.selectFrom('property_sample').where('device_id', '=', deviceId).where('sign_code', '=', signCode);
    const next = await samples()
      .select('sample_time')
      .orderBy('sample_time')
      .offset(AT_ONCE)
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

/** All that devices sent and did, in small pieces. */
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

/** When records of a deleted device are looked for again: soon, and once more when nothing can be on its way. */
const LOOK_AGAIN_MS = [3_000, 60_000] as const;
const GONE_AT_ONCE = 200;

/**
 * What a device had sent and the device side had not yet taken when it was deleted is stored after the deletion. So
 * the records are looked for again. Answers whether there were any devices to look for.
 */
export const removeLateRecords = async (db: Db, records: RecordDb): Promise<boolean> => {
  const now = Date.now();
  const due = await db
    .selectFrom('deleted_device')
    .leftJoin('device', 'device.device_id', 'deleted_device.device_id')
    .select(['deleted_device.device_id', 'deleted_device.looked', 'device.device_id as back'])
    .where('due_at', '<', now)
    .limit(GONE_AT_ONCE)
    .execute();
  if (due.length === 0) return false;
  // What an id that is back shows begins with its own row, so there is nothing to take away.
  await removeDeviceRecords(
    records,
    due.filter((row) => row.back === null).map((row) => row.device_id),
  );
  for (const { device_id, looked } of due) {
    const rest = LOOK_AGAIN_MS[looked + 1];
    if (rest === undefined) await db.deleteFrom('deleted_device').where('device_id', '=', device_id).execute();
    else
      await db
        .updateTable('deleted_device')
        .set({ due_at: now + rest, looked: looked + 1 })
        .where('device_id', '=', device_id)
        .execute();
  }
  return true;
};

/** Of its own tenant alone: another's device may have been received with this id as its gateway's. */
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

/** The rows themselves, with their sessions and commands; the children of a gateway stay, without one. */
export const removeDeviceRows = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await cancelUpgradesOf(db, deviceIds);
  await removeParent(db, deviceIds);
  await db.updateTable('mock_device').set({ gateway_id: '' }).where('gateway_id', 'in', deviceIds).execute();
  await db.deleteFrom('device_nonce').where('device_id', 'in', deviceIds).execute();
  const gone = await db
    .deleteFrom('device')
    .where('device_id', 'in', deviceIds)
    .returning(['device_id', 'tenancy_id'])
    .execute();
  if (gone.length === 0) return;
  const due_at = Date.now() + LOOK_AGAIN_MS[0];
  await db
    .insertInto('deleted_device')
    .values(gone.map((row) => ({ ...row, due_at, looked: 0 })))
    .onConflict((row) =>
      row.column('device_id').doUpdateSet(({ ref }) => ({ due_at, looked: 0, tenancy_id: ref('excluded.tenancy_id') })),
    )
    .execute();
};
