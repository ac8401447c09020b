import { type Input, type Language, mayUse, type Output, type roleCalls } from '@device-center/contract';
import type { Kysely } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import type { HubTables } from '../../db/hub-tables.ts';
import { readPage } from '../../db/paging.ts';
import { findTenancy, isOtherTenant, type Scope, scopeOf, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { PLATFORM, roleNameIn, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import { iso } from '../../platform/time.ts';
import type { MenuCatalog } from './menu-catalog.ts';

type RoleDeps = { db: Db; menus: MenuCatalog };
type Calls = typeof roleCalls;

const selectRoles = (db: Kysely<HubTables>, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('role')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'role.tenancy_id')
    .select((row) => [
      'role.role_id',
      'role.role_name',
      'role.tenancy_id',
      'role.builtin',
      'role.created_at',
      'role.updated_at',
      'tenancy.tenancy_name',
      row
        .selectFrom('user_account')
        .select(({ fn }) => fn.countAll<number>().as('users'))
        .whereRef('user_account.role_id', '=', 'role.role_id')
        .as('user_count'),
    ]);
  return tenancyId === null ? rows : rows.where('role.tenancy_id', '=', tenancyId);
};

type RoleRow = Awaited<ReturnType<ReturnType<typeof selectRoles>['execute']>>[number];

export const createRoleService = ({ db, menus }: RoleDeps) => {
  const grantsOf = async (db: Db, roleIds: string[]): Promise<Map<string, number[]>> => {
    const grants = new Map<string, number[]>();
    if (roleIds.length === 0) return grants;
    const rows = await db
      .selectFrom('role_menu')
      .selectAll()
      .where('role_id', 'in', roleIds)
      .orderBy('menu_id')
      .execute();
    for (const row of rows) grants.set(row.role_id, [...(grants.get(row.role_id) ?? []), row.menu_id]);
    return grants;
  };

  const leavesOf = async (db: Db, row: Pick<RoleRow, 'role_id' | 'builtin'>): Promise<number[]> =>
    row.builtin === 1 ? menus.allLeaves() : ((await grantsOf(db, [row.role_id])).get(row.role_id) ?? []);

  const toAnswer = (language: Language, row: RoleRow, leaves: number[]): Output<Calls['getRoleDetails']> => ({
    roleId: row.role_id,
    roleName: roleNameIn(language, row),
    tenancyId: row.tenancy_id,
    tenancyName: tenancyNameIn(language, row),
    menus: leaves,
    userCount: Number(row.user_count ?? 0),
    builtin: row.builtin,
    createTime: iso(row.created_at),
    updateTime: iso(row.updated_at),
  });

  const find = async (db: Db, actor: Actor, roleId: string): Promise<RoleRow> => {
    const row = await selectRoles(db, scopeOf(actor)).where('role.role_id', '=', roleId).executeTakeFirst();
    if (!row) throw new AppError('ROLE_NOT_FOUND', {}, 'roleId');
    return row;
  };

  const findEditable = async (db: Db, actor: Actor, roleId: string): Promise<RoleRow> => {
    const row = await find(db, actor, roleId);
    if (row.builtin === 1) throw new AppError('PLATFORM_PROTECTED');
    return row;
  };

  /** Only leaves are granted; parents are accepted and ignored. */
  const grantable = (actor: Actor, tenancyId: string, menuIds: number[]): number[] => {
    const leaves = [...new Set(menuIds)].filter((menuId) => !menus.isParent(menuId) || menus.isLeaf(menuId));
    if (leaves.length === 0) throw new AppError('SELECT_AT_LEAST_ONE', {}, 'menus');
    for (const menuId of leaves) {
      if (!menus.isLeaf(menuId)) throw new AppError('MENU_NOT_FOUND', {}, 'menus');
      if (menus.isPlatformOnly(menuId) && tenancyId !== PLATFORM.tenancyId)
        throw new AppError('MENU_PLATFORM_ONLY', {}, 'menus');
      if (!actor.menus.has(menuId)) throw new AppError('MENU_NOT_YOURS', {}, 'menus');
    }
    return leaves.sort((a, b) => a - b);
  };

  const saveGrants = async (db: Db, roleId: string, leaves: number[]): Promise<void> => {
    await db.deleteFrom('role_menu').where('role_id', '=', roleId).execute();
    await db
      .insertInto('role_menu')
      .values(leaves.map((menuId) => ({ role_id: roleId, menu_id: menuId })))
      .execute();
  };

  const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (uniqueViolation(error)) throw new AppError('ROLE_NAME_TAKEN', {}, 'roleName');
      // The role was deleted between the check and the write.
      if (isForeignKeyViolation(error)) throw new AppError('ROLE_NOT_FOUND', {}, 'roleId');
      throw error;
    }
  };

  return {
    async queryRoleList(
      { actor, language }: Context,
      input: Input<Calls['queryRoleList']>,
    ): Promise<Output<Calls['queryRoleList']>> {
      let rows = selectRoles(db, scopeOf(actor, input.tenancyId));
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('role.role_id', '=', '');
      if (input.roleName) rows = rows.where(contains('role.role_name_key', input.roleName));
      if (input.startTime !== undefined) rows = rows.where('role.created_at', '>=', input.startTime);
      if (input.endTime !== undefined) rows = rows.where('role.created_at', '<', input.endTime);
      const page = await readPage(
        db,
        { rows, createdAt: 'role.created_at', updatedAt: 'role.updated_at', unique: 'role.role_id' },
        input,
      );
      const grants = await grantsOf(
        db,
        page.list.map((row) => row.role_id),
      );
      const leaves = (row: RoleRow) => (row.builtin === 1 ? menus.allLeaves() : (grants.get(row.role_id) ?? []));
      return { ...page, list: page.list.map((row) => toAnswer(language, row, leaves(row))) };
    },

    async getRoleDetails({ actor, language }: Context, { roleId }: Input<Calls['getRoleDetails']>) {
      const row = await find(db, actor, roleId);
      return toAnswer(language, row, await leavesOf(db, row));
    },

    async getRoleMenu({ actor }: Context, { roleId }: Input<Calls['getRoleMenu']>) {
      if (roleId === actor.roleId) return { roleId, menus: menus.withParents(actor.menus) };
      if (!mayUse('role:read', actor.menus) || actor.firstLogin) throw new AppError('FORBIDDEN');
      const row = await find(db, actor, roleId);
      return { roleId, menus: menus.withParents(new Set(await leavesOf(db, row))) };
    },

    async addRole(context: Context, input: Input<Calls['addRole']>) {
      const { actor } = context;
      const roleId = newId();
      const now = Date.now();
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          const leaves = grantable(actor, tenancyId, input.menus);
          await db
            .insertInto('role')
            .values({
              role_id: roleId,
              tenancy_id: tenancyId,
              role_name: input.roleName,
              role_name_key: foldCase(input.roleName),
              builtin: 0,
              created_at: now,
              updated_at: now,
            })
            .execute();
          await saveGrants(db, roleId, leaves);
          const after = { roleName: input.roleName, menus: leaves };
          return { result: { roleId }, audit: { tenancyId, targetId: roleId, targetName: input.roleName, after } };
        }),
      );
    },

    async updateRole(context: Context, input: Input<Calls['updateRole']>): Promise<null> {
      const { actor } = context;
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const row = await findEditable(db, actor, input.roleId);
          const before = { roleName: row.role_name, menus: await leavesOf(db, row) };
          // The caller could remove rights from the role's users that they could not grant again.
          if (before.menus.some((menuId) => !actor.menus.has(menuId)))
            throw new AppError('USER_HAS_MORE_RIGHTS', {}, 'roleId');
          const leaves = grantable(actor, row.tenancy_id, input.menus);
          await db
            .updateTable('role')
            .set({ role_name: input.roleName, role_name_key: foldCase(input.roleName), updated_at: Date.now() })
            .where('role_id', '=', input.roleId)
            .execute();
          await saveGrants(db, input.roleId, leaves);
          const after = { roleName: input.roleName, menus: leaves };
          const audit = { tenancyId: row.tenancy_id, targetId: row.role_id, targetName: row.role_name, before, after };
          return { result: null, audit };
        }),
      );
    },

    async deleteRole(context: Context, { roleId }: Input<Calls['deleteRole']>): Promise<null> {
      const { actor } = context;
      const hasUsers = (users: number) => new AppError('ROLE_HAS_USERS', { users });
      try {
        return await withAudit(db, context, async (db) => {
          const row = await findEditable(db, actor, roleId);
          const users = Number(row.user_count ?? 0);
          if (users > 0) throw hasUsers(users);
          const before = { roleName: row.role_name, menus: await leavesOf(db, row) };
          await db.deleteFrom('role').where('role_id', '=', roleId).execute();
          const audit = { tenancyId: row.tenancy_id, targetId: roleId, targetName: row.role_name, before };
          return { result: null, audit };
        });
      } catch (error) {
        // The role was assigned to a user between the check and the deletion.
        if (isForeignKeyViolation(error)) throw hasUsers(1);
        throw error;
      }
    },

    async queryMenuList({ actor, language }: Context) {
      return menus.list(actor.platform, language);
    },

    async queryMenuListTree({ actor, language }: Context, input: Input<Calls['queryMenuListTree']>) {
      const tenancyId = await findTenancy(db, actor, input.tenancyId);
      return menus.grantableTree(tenancyId === PLATFORM.tenancyId, actor.menus, language);
    },
  };
};

export type RoleService = ReturnType<typeof createRoleService>;
