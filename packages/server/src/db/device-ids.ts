import type { Db } from './connect.ts';

/** The devices of a tenant in the order of their ids, some at a time. */
export const createTenantDevices =
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
