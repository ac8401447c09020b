import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { removeDeviceRecords, removeDeviceRows } from '../device/removal.ts';

const DEVICES_PER_BATCH = 200;

const nextMarked = async (db: Db): Promise<string | undefined> => {
  const row = await db
    .selectFrom('application')
    .select('application_id')
    .where('deleting', '=', 1)
    .orderBy('application_id')
    .limit(1)
    .executeTakeFirst();
  return row?.application_id;
};

const nextDevicesOf = async (db: Db, applicationId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('device')
    .select('device_id')
    .where('application_id', '=', applicationId)
    .limit(DEVICES_PER_BATCH)
    .execute();
  return rows.map((row) => row.device_id);
};

/**
 * Deletes marked applications: first their devices with all records, in batches, then the application. Stops between
 * two batches when the time is up and returns true; the next call continues, also after a restart.
 */
export const removeMarkedApplications = async (db: Db, records: RecordDb, maxMs: number): Promise<boolean> => {
  const until = Date.now() + maxMs;
  for (let applicationId = await nextMarked(db); applicationId !== undefined; applicationId = await nextMarked(db)) {
    for (;;) {
      const deviceIds = await nextDevicesOf(db, applicationId);
      if (deviceIds.length === 0) break;
      await removeDeviceRecords(records, deviceIds);
      await transact(db, (db) => removeDeviceRows(db, deviceIds));
      // Records that arrived while the first ones were deleted.
      await removeDeviceRecords(records, deviceIds);
      if (Date.now() > until) return true;
    }
    await db.deleteFrom('application').where('application_id', '=', applicationId).where('deleting', '=', 1).execute();
  }
  return false;
};
