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

/** The tenant in which something is made: the caller's own, or the one a platform operator names. */
export const tenancyForNew = async (db: Db, actor: Actor, asked?: string): Promise<string> => {
  const tenancyId = asked ?? actor.tenancyId;
  if (tenancyId !== actor.tenancyId && !actor.platform) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  const found = await db
    .selectFrom('tenancy')
    .select('tenancy_id')
    .where('tenancy_id', '=', tenancyId)
    .executeTakeFirst();
  if (!found) throw new AppError('TENANCY_NOT_FOUND', {}, 'tenancyId');
  return tenancyId;
};
