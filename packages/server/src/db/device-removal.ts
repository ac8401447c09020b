import type { Db, RecordDb } from './connect.ts';

/** Rows of one statement: the records' file has one writer, and devices wait for it. */
const AT_ONCE = 2_000;

const removeNumbered = async (
  records: RecordDb,
  table: 'message_record' | 'connect_record' | 'device_log',
  deviceIds: string[],
): Promise<void> => {
  for (;;) {
    const { numDeletedRows } = await records
      .deleteFrom(table)
      .where('record_id', 'in', (some) =>
        some.selectFrom(table).select(`${table}.record_id`).where(`${table}.device_id`, 'in', deviceIds).limit(AT_ONCE),
      )
      .executeTakeFirst();
    if (numDeletedRows < BigInt(AT_ONCE)) return;
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

/** The rows themselves, with their sessions and commands; the children of a gateway stay, without one. */
export const removeDeviceRows = async (db: Db, deviceIds: string[]): Promise<void> => {
  if (deviceIds.length === 0) return;
  await db.updateTable('device').set({ parent_id: '' }).where('parent_id', 'in', deviceIds).execute();
  await db.deleteFrom('device_nonce').where('device_id', 'in', deviceIds).execute();
  await db.deleteFrom('device').where('device_id', 'in', deviceIds).execute();
};
