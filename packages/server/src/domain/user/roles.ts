import type { Db } from '../../db/connect.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';

type GrantedMenus = (roleId: string, builtin: number, db: Db) => Promise<Set<number>>;

/** A role of this tenant that the caller may assign: it must not grant menus that the caller lacks. */
export const requireRole = async (
  db: Db,
  grantedMenus: GrantedMenus,
  actor: Actor,
  tenancyId: string,
  roleId: string,
): Promise<{ role_name: string }> => {
  const role = await db
    .selectFrom('role')
    .select(['role_id', 'role_name', 'tenancy_id', 'builtin'])
    .where('role_id', '=', roleId)
    .executeTakeFirst();
  if (!role || (!actor.platform && role.tenancy_id !== actor.tenancyId))
    throw new AppError('ROLE_NOT_FOUND', {}, 'roleId');
  if (role.tenancy_id !== tenancyId) throw new AppError('ROLE_OF_OTHER_TENANCY', {}, 'roleId');
  const granted = await grantedMenus(role.role_id, role.builtin, db);
  for (const menuId of granted) if (!actor.menus.has(menuId)) throw new AppError('MENU_NOT_YOURS', {}, 'roleId');
  return role;
};

/** A user cannot change or delete a user who has more permissions. */
export const requireNoMoreRights = async (
  db: Db,
  grantedMenus: GrantedMenus,
  actor: Actor,
  users: { role_id: string; role_builtin: number }[],
  field: string,
): Promise<void> => {
  const roles = new Map(users.map((user) => [user.role_id, user.role_builtin]));
  for (const [roleId, builtin] of roles)
    for (const menuId of await grantedMenus(roleId, builtin, db))
      if (!actor.menus.has(menuId)) throw new AppError('USER_HAS_MORE_RIGHTS', {}, field);
};
