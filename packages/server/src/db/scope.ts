import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';

/** Tenant whose rows the caller sees; null is all. */
export type Scope = { tenancyId: string | null };

/** A tenant user always gets its own tenant; a platform user may narrow the scope to one tenant. */
export const scopeOf = (actor: Actor, requested?: string): Scope => {
  if (actor.platform) return { tenancyId: requested ?? null };
  return { tenancyId: actor.tenancyId };
};

/** Whether a tenant user named another tenant: its list is then empty, rather than that of its own tenant. */
export const isOtherTenant = (actor: Actor, requested?: string): boolean =>
  !actor.platform && requested !== undefined && requested !== actor.tenancyId;

/** A tenant id that cannot exist: no id contains this character. */
const NO_TENANT = '\u0001';

/** Scope of a list: empty for a tenant user that names another tenant. */
export const listScope = (actor: Actor, requested?: string): Scope =>
  isOtherTenant(actor, requested) ? { tenancyId: NO_TENANT } : scopeOf(actor, requested);

const requestedTenancy = (actor: Actor, requested?: string): string => {
  const tenancyId = requested ?? actor.tenancyId;
  if (tenancyId !== actor.tenancyId && !actor.platform) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};

/** The caller's tenant, or the one that a platform user names. */
export const findTenancy = async (db: Db, actor: Actor, requested?: string): Promise<string> => {
  const tenancyId = requestedTenancy(actor, requested);
  const found = await db
    .selectFrom('tenancy')
    .select('tenancy_id')
    .where('tenancy_id', '=', tenancyId)
    .executeTakeFirst();
  if (!found) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};

/** Locks tenant rows until the transaction ends, so that nothing is created in a tenant that is being deleted. */
export const lockTenancies = async (db: Db, tenancyIds: string[]): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('tenancy')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('tenancy_id', 'in', tenancyIds)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** The tenant of a new row, locked until the transaction ends. */
export const tenancyForNew = async (db: Db, actor: Actor, requested?: string): Promise<string> => {
  const tenancyId = requestedTenancy(actor, requested);
  if ((await lockTenancies(db, [tenancyId])) === 0) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};
