import type { Db } from '../../db/connect.ts';

/** The tenants that a zone synchronises; undefined is all. */
export type ZoneScope = readonly string[] | undefined;

export const readZoneScopes = async (db: Db, zoneIds: number[]): Promise<Map<number, ZoneScope>> => {
  const ids = [0, ...zoneIds];
  const zones = await db.selectFrom('zone').select(['zone_id', 'sync_all']).where('zone_id', 'in', ids).execute();
  const chosen = await db
    .selectFrom('zone_tenancy')
    .selectAll()
    .where('zone_id', 'in', ids)
    .orderBy('tenancy_id')
    .execute();
  return new Map(
    zones.map(({ zone_id, sync_all }) => [
      zone_id,
      sync_all === 1 ? undefined : chosen.filter((row) => row.zone_id === zone_id).map(({ tenancy_id }) => tenancy_id),
    ]),
  );
};

export const isInScope = (scope: ZoneScope, tenancyId: string): boolean => scope?.includes(tenancyId) ?? true;
