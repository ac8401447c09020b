import type { Db } from './connect.ts';

/**
 * Those of the ids whose former device belonged to another tenant and was deleted so recently that the hub still removes
 * what it sent. Ask after the insert, in its transaction: an insert may have waited for the deletion to commit.
 */
export const reservedAmong = async (db: Db, tenancyId: string, deviceIds: string[]): Promise<Set<string>> => {
  if (deviceIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('deleted_device')
    .select('device_id')
    .where('device_id', 'in', deviceIds)
    .where('tenancy_id', '<>', tenancyId)
    .execute();
  return new Set(rows.map((row) => row.device_id));
};

/** Removes what was just inserted under an id that is reserved for another tenant; answers which of the ids stay. */
export const keepUnreserved = async (db: Db, tenancyId: string, deviceIds: string[]): Promise<Set<string>> => {
  const reserved = await reservedAmong(db, tenancyId, deviceIds);
  if (reserved.size > 0)
    await db
      .deleteFrom('device')
      .where('device_id', 'in', [...reserved])
      .execute();
  return new Set(deviceIds.filter((deviceId) => !reserved.has(deviceId)));
};
