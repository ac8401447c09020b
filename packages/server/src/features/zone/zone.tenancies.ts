import type { Input, Language, Output, zoneCalls } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { tenancyIdsOf, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import { readZoneScopes, type ZoneScope } from '../../domain/zone/scope.ts';
import { AppError } from '../../platform/app-error.ts';

type ScopeInput = Pick<Input<(typeof zoneCalls)['modifyZone']>, 'syncAll' | 'syncTenancies'>;
type ScopeAnswer = Pick<Output<(typeof zoneCalls)['getZoneDetail']>, 'syncAll' | 'syncTenancies'>;

const TENANTS_SHOWN = 1_000;

const checkTenants = async (db: Db, tenancyIds: string[]): Promise<void> => {
  const known = new Set(await tenancyIdsOf(db));
  if (tenancyIds.some((tenancyId) => !known.has(tenancyId)))
    throw new AppError('TENANCY_NOT_FOUND', {}, 'syncTenancies');
};

/** Without a choice the only tenant is selected, or none if there are several: no data is sent without consent. */
const onlyTenant = async (db: Db): Promise<string[]> => {
  const all = await tenancyIdsOf(db);
  return all.length === 1 ? all : [];
};

/** The scope that the caller selected; undefined to keep the stored one. */
const chosenScope = async (
  db: Db,
  input: ScopeInput,
  isNewTarget: boolean,
): Promise<{ scope: ZoneScope } | undefined> => {
  if (input.syncAll === 1) return { scope: undefined };
  if (input.syncTenancies !== undefined) {
    const tenancyIds = [...new Set(input.syncTenancies)].sort();
    await checkTenants(db, tenancyIds);
    return { scope: tenancyIds };
  }
  if (input.syncAll === 0) return { scope: [] };
  return isNewTarget ? { scope: await onlyTenant(db) } : undefined;
};

const write = async (db: Db, zoneId: number, scope: ZoneScope): Promise<void> => {
  await db
    .updateTable('zone')
    .set({ sync_all: scope === undefined ? 1 : 0 })
    .where('zone_id', '=', zoneId)
    .execute();
  await db.deleteFrom('zone_tenancy').where('zone_id', '=', zoneId).execute();
  if (scope !== undefined && scope.length > 0)
    await db
      .insertInto('zone_tenancy')
      .values(scope.map((tenancy_id) => ({ zone_id: zoneId, tenancy_id })))
      .execute();
};

const forAudit = (scope: ZoneScope) => ({ syncTenancies: scope ?? 'all' });

/** Stores which tenants the zone synchronises; returns the audit values before and after. */
export const saveScope = async (db: Db, zoneId: number, input: ScopeInput, isNewTarget: boolean) => {
  const before = (await readZoneScopes(db, [zoneId])).get(zoneId);
  const chosen = await chosenScope(db, input, isNewTarget);
  if (chosen) await write(db, zoneId, chosen.scope);
  return { before: forAudit(before), after: forAudit(chosen ? chosen.scope : before) };
};

export const describeScope = async (db: Db, zoneId: number, language: Language): Promise<ScopeAnswer> => {
  const scope = (await readZoneScopes(db, [zoneId])).get(zoneId);
  if (scope === undefined) return { syncAll: 1, syncTenancies: [] };
  const rows = await db
    .selectFrom('tenancy')
    .select(['tenancy_id', 'tenancy_name'])
    .where('tenancy_id', 'in', ['', ...scope])
    .orderBy('tenancy_name_key')
    .limit(TENANTS_SHOWN)
    .execute();
  const tenants = rows.map((row) => ({ tenancyId: row.tenancy_id, tenancyName: tenancyNameIn(language, row) }));
  return { syncAll: 0, syncTenancies: tenants };
};
