import type { Db } from '../../db/connect.ts';

/** Reads the device ids of a tenant in order, one page at a time. */
export const createTenantDeviceReader =
  (db: Db) =>
  async (tenancyId: string, after: string, limit: number): Promise<string[]> => {
    const rows = await db
      .selectFrom('device')
      .select('device_id')
      .where('tenancy_id', '=', tenancyId)
      .where('device_id', '>', after)
      .orderBy('device_id')
      .limit(limit)
      .execute();
    return rows.map((row) => row.device_id);
  };

/**
 * Which of these ids belonged to a device of another tenant that was deleted so recently that the hub still removes its
 * records. Query after the insert, in the same transaction: an insert may have waited for the deletion to commit.
 */
export const findReserved = async (db: Db, tenancyId: string, deviceIds: string[]): Promise<Set<string>> => {
  if (deviceIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('deleted_device')
    .select('device_id')
    .where('device_id', 'in', deviceIds)
    .where('tenancy_id', '<>', tenancyId)
    .execute();
  return new Set(rows.map((row) => row.device_id));
};

/** Deletes devices just inserted under an id that is reserved for another tenant. Returns the ids that remain. */
export const removeReserved = async (db: Db, tenancyId: string, deviceIds: string[]): Promise<Set<string>> => {
  const reserved = await findReserved(db, tenancyId, deviceIds);
  if (reserved.size > 0)
    await db
      .deleteFrom('device')
      .where('device_id', 'in', [...reserved])
      .execute();
  return new Set(deviceIds.filter((deviceId) => !reserved.has(deviceId)));
};
