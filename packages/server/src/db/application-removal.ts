import type { Db, RecordDb } from './connect.ts';
import { removeDeviceRecords, removeDeviceRows } from './device-removal.ts';
import { transact } from './errors.ts';

const DEVICES_AT_ONCE = 200;

const nextOf = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('application')
    .select('application_id')
    .where('deleting', '=', 1)
    .orderBy('application_id')
    .limit(1)
    .executeTakeFirst();
  return row?.application_id;
};

const someDevicesOf = async (db: Db, applicationId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('device')
    .select('device_id')
    .where('application_id', '=', applicationId)
    .limit(DEVICES_AT_ONCE)
    .execute();
  return rows.map((row) => row.device_id);
};

/**
 * Goes on deleting what is marked: the devices with all their records, in batches, and the application after them.
 * Stops between two batches when the time is up; whoever calls it next goes on, also after a restart.
 */
export const removeMarkedApplications = async (db: Db, records: RecordDb, forMs: number): Promise<boolean> => {
  const until = Date.now() + forMs;
  for (let applicationId = await nextOf(db); applicationId !== undefined; applicationId = await nextOf(db)) {
    for (;;) {
      const deviceIds = await someDevicesOf(db, applicationId);
      if (deviceIds.length === 0) break;
      await removeDeviceRecords(records, deviceIds);
      await transact(db, (db) => removeDeviceRows(db, deviceIds));
      // What arrived while the first pieces went.
      await removeDeviceRecords(records, deviceIds);
      if (Date.now() > until) return true;
    }
    await db.deleteFrom('application').where('application_id', '=', applicationId).where('deleting', '=', 1).execute();
  }
  return false;
};
