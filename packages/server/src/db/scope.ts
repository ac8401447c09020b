import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';

/** Whose rows a caller sees: one tenant's, or everybody's. */
export type Scope = { tenancyId: string | null };

/** A tenant user is kept to its own tenant whatever it asks for; a platform operator may narrow to one. */
export const scopeOf = (actor: Actor, asked?: string): Scope => {
  if (actor.platform) return { tenancyId: asked ?? null };
  return { tenancyId: actor.tenancyId };
};

/** In a list, another's tenancyId finds nothing rather than everything of one's own. */
export const seesNothing = (actor: Actor, asked?: string): boolean =>
  !actor.platform && asked !== undefined && asked !== actor.tenancyId;

/** A tenant that there is not: no id has this character. */
const NOBODY = '\u0001';

/** As in a list: another's tenancyId shows what belongs to nobody. */
export const scopeSeen = (actor: Actor, asked?: string): Scope =>
  seesNothing(actor, asked) ? { tenancyId: NOBODY } : scopeOf(actor, asked);

const tenancyAsked = (actor: Actor, asked?: string): string => {
  const tenancyId = asked ?? actor.tenancyId;
  if (tenancyId !== actor.tenancyId && !actor.platform) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};

/** The caller's own tenant, or the one a platform operator names. */
export const findTenancy = async (db: Db, actor: Actor, asked?: string): Promise<string> => {
  const tenancyId = tenancyAsked(actor, asked);
  const found = await db
    .selectFrom('tenancy')
    .select('tenancy_id')
    .where('tenancy_id', '=', tenancyId)
    .executeTakeFirst();
  if (!found) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};

/** Holds the rows of tenants until the transaction ends, so that nothing is made in one that is being deleted. */
export const holdTenancies = async (db: Db, tenancyIds: string[]): Promise<number> => {
  const { numUpdatedRows } = await db
    .updateTable('tenancy')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('tenancy_id', 'in', tenancyIds)
    .executeTakeFirst();
  return Number(numUpdatedRows);
};

/** The tenant in which something is made, held until it is. */
export const tenancyForNew = async (db: Db, actor: Actor, asked?: string): Promise<string> => {
  const tenancyId = tenancyAsked(actor, asked);
  if ((await holdTenancies(db, [tenancyId])) === 0) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};
