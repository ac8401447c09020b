import { personalCalls, roleCalls, tenancyCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, PASSWORD, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let tenancyId: string;
let manager: TestUser;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    manager = await hub.create.user({ tenancyId, menus: [201, 202] });
  });
  afterAll(() => hub.close());
};

const rolesOf = (tenancy: string) =>
  hub.db.selectFrom('role').selectAll().where('tenancy_id', '=', tenancy).orderBy('role_id').execute();
const grantsOf = async (roleId: string) => {
  const rows = await hub.db
    .selectFrom('role_menu')
    .select('menu_id')
    .where('role_id', '=', roleId)
    .orderBy('menu_id')
    .execute();
  return rows.map((row) => row.menu_id);
};

describeOnEachEngine(() => {
  setUp();

  describe('a role', () => {
    // Spec 6.1
    it('has a name that is unique in its tenant, ignoring case', async () => {
      const roleName = unique('Role');
      const { roleId } = await manager.ok(roleCalls.addRole, { roleName, menus: [201] });
      const taken = await manager.error(roleCalls.addRole, { roleName: roleName.toUpperCase(), menus: [201] });
      expect(taken).toMatchObject({ statusCode: 409, code: 'ROLE_NAME_TAKEN', details: [{ field: 'roleName' }] });
      const other = await manager.ok(roleCalls.addRole, { roleName: unique('r'), menus: [201] });
      const rename = { roleId: other.roleId, roleName, menus: [201] };
      expect(await manager.error(roleCalls.updateRole, rename)).toMatchObject({ code: 'ROLE_NAME_TAKEN' });
      await manager.ok(roleCalls.updateRole, { roleId, roleName: roleName.toLowerCase(), menus: [201] });
      await hub.admin.ok(roleCalls.addRole, { roleName, menus: [201], tenancyId: await hub.create.tenancy() });
    });

    // Spec 7.28
    it('with users cannot be deleted, and without any is deleted with its grants', async () => {
      const user = await hub.create.user({ tenancyId, menus: [201] });
      const { roleId } = user;
      const held = await hub.admin.error(roleCalls.deleteRole, { roleId });
      expect(held).toMatchObject({ statusCode: 409, code: 'ROLE_HAS_USERS' });
      expect(held.message).toBe('The role is assigned to 1 user and cannot be deleted');
      expect(await grantsOf(roleId)).toEqual([201]);
      expect((await user.ok(personalCalls.getPersonalMessage, {})).roleId).toBe(roleId);

      await hub.admin.ok(userCalls.deleteUsers, { userIds: [user.userId] });
      const deleted = await hub.admin.call(roleCalls.deleteRole, { roleId }, { language: 'en-US' });
      expect(deleted).toMatchObject({ success: true, message: 'Delete succeeded' });
      expect(await grantsOf(roleId)).toEqual([]);
      expect(await hub.admin.error(roleCalls.getRoleDetails, { roleId })).toMatchObject({ code: 'ROLE_NOT_FOUND' });
      expect(await hub.admin.error(roleCalls.deleteRole, { roleId })).toMatchObject({ code: 'ROLE_NOT_FOUND' });
    });

    it('that is assigned and deleted concurrently leaves no user without a role', async () => {
      const user = await hub.create.user({ tenancyId, menus: [201] });
      for (let round = 0; round < 8; round++) {
        const roleId = await hub.create.role(tenancyId, [201]);
        const answers = await Promise.all([
          hub.admin.call(userCalls.setUserRole, { userId: user.userId, roleId }),
          hub.admin.call(roleCalls.deleteRole, { roleId }),
        ]);
        for (const answer of answers) expect([200, 404, 409], JSON.stringify(answer)).toContain(answer.statusCode);
        const holder = await hub.admin.ok(userCalls.getUserDetails, { userId: user.userId });
        await hub.admin.ok(roleCalls.getRoleDetails, { roleId: holder.roleId });
        expect(answers.filter(({ success }) => success)).toHaveLength(1);
      }
      await hub.login(user.username, PASSWORD);
    });

    it('created while its tenant is deleted is either deleted with it or rejected', async () => {
      for (let round = 0; round < 8; round++) {
        const doomed = await hub.create.tenancy();
        const roles = [1, 2, 3].map(() =>
          hub.admin.call(roleCalls.addRole, { roleName: unique('r'), menus: [201], tenancyId: doomed }),
        );
        const answers = await Promise.all([
          ...roles,
          hub.admin.call(tenancyCalls.deleteTenancy, { tenancyId: doomed }),
        ]);
        for (const answer of answers) expect([200, 404], JSON.stringify(answer)).toContain(answer.statusCode);
        expect(await rolesOf(doomed)).toEqual([]);
      }
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('the platform administrator role', () => {
    it('cannot be changed or deleted by any user', async () => {
      const before = await rolesOf('1');
      const change = { roleId: '1', roleName: 'Other', menus: [201] };
      for (const refusal of [
        await hub.admin.error(roleCalls.updateRole, change),
        await hub.admin.error(roleCalls.deleteRole, { roleId: '1' }),
      ]) {
        expect(refusal).toMatchObject({ statusCode: 409, code: 'PLATFORM_PROTECTED' });
        expect(refusal.message).toBe('The platform tenant and its administrator role cannot be changed or deleted');
      }
      expect(await rolesOf('1')).toEqual(before);
      expect(await grantsOf('1')).toEqual([]);
    });

    // Spec 7.29
    it('has every menu', async () => {
      const role = await hub.admin.ok(roleCalls.getRoleDetails, { roleId: '1' });
      expect(role).toMatchObject({ builtin: 1, tenancyId: '1' });
      const menus = [1, 201, 202, 203, 204, 205, 301, 302, 401, 501, 502, 503, 601, 602, 603, 604, 1101];
      expect(role.menus.toSorted((one, other) => one - other)).toEqual(menus);
      const listed = await hub.admin.ok(roleCalls.queryRoleList, { tenancyId: '1', sortMode: 1, pageSize: 200 });
      expect(listed.list.find(({ roleId }) => roleId === '1')?.menus).toEqual(role.menus);
    });
  });

  describe('a role', () => {
    // Spec 7.31
    it('has only menus that its creator has', async () => {
      const before = await rolesOf(tenancyId);
      for (const menus of [[302], [201, 203], '201,302']) {
        const refusal = await manager.error(roleCalls.addRole, { roleName: unique('r'), menus: menus as number[] });
        expect(refusal).toMatchObject({ statusCode: 403, code: 'MENU_NOT_YOURS', details: [{ field: 'menus' }] });
      }
      expect(await rolesOf(tenancyId)).toEqual(before);

      const { roleId } = await manager.ok(roleCalls.addRole, { roleName: unique('r'), menus: [202, 201, 201] });
      expect(await grantsOf(roleId)).toEqual([201, 202]);
      const change = { roleId, roleName: unique('r'), menus: [201, 302] };
      expect(await manager.error(roleCalls.updateRole, change)).toMatchObject({ code: 'MENU_NOT_YOURS' });
      expect(await grantsOf(roleId)).toEqual([201, 202]);
    });

    it('is limited to the menus of its creator in the platform tenant too', async () => {
      const operator = await hub.create.user({ tenancyId: '1', menus: [201] });
      for (const tenancy of ['1', tenancyId]) {
        const refused = { roleName: unique('r'), menus: [202], tenancyId: tenancy };
        expect(await operator.error(roleCalls.addRole, refused)).toMatchObject({ code: 'MENU_NOT_YOURS' });
      }
      await operator.ok(roleCalls.addRole, { roleName: unique('r'), menus: [201], tenancyId });
    });

    it.each([301, 204, 603, 604])('has %i in the platform tenant only', async (menu) => {
      const before = await rolesOf(tenancyId);
      const inTenant = { roleName: unique('r'), menus: [menu], tenancyId };
      for (const client of [hub.admin, manager]) {
        const refusal = await client.error(roleCalls.addRole, inTenant);
        expect(refusal).toMatchObject({ statusCode: 403, code: 'MENU_PLATFORM_ONLY', details: [{ field: 'menus' }] });
      }
      const roleId = await hub.create.role(tenancyId, [201]);
      const change = { roleId, roleName: unique('r'), menus: [201, menu] };
      expect(await hub.admin.error(roleCalls.updateRole, change)).toMatchObject({ code: 'MENU_PLATFORM_ONLY' });
      expect(await grantsOf(roleId)).toEqual([201]);
      expect((await rolesOf(tenancyId)).length).toBe(before.length + 1);

      expect(await grantsOf(await hub.create.role('1', [menu]))).toEqual([menu]);
    });

    // Spec 6.2
    it('stores leaf menus: parents are dropped, alone they grant nothing, unknown ones are rejected', async () => {
      const { roleId } = await hub.admin.ok(roleCalls.addRole, { roleName: unique('r'), menus: [2, 201], tenancyId });
      expect(await grantsOf(roleId)).toEqual([201]);
      expect((await hub.admin.ok(roleCalls.getRoleMenu, { roleId })).menus).toEqual([2, 201]);
      const only = await hub.admin.error(roleCalls.addRole, { roleName: unique('r'), menus: [2], tenancyId });
      expect(only).toMatchObject({ statusCode: 400, code: 'SELECT_AT_LEAST_ONE', message: 'Select at least one item' });
      const none = await hub.admin.error(roleCalls.addRole, { roleName: unique('r'), menus: [201, 999], tenancyId });
      expect(none).toMatchObject({ statusCode: 404, code: 'MENU_NOT_FOUND' });
    });

    // Spec 7.32
    it('that is changed takes effect at the next call of its users, without a new login', async () => {
      const user = await hub.create.user({ tenancyId, menus: [201, 202] });
      await user.ok(userCalls.queryUserList, {});
      const change = { roleId: user.roleId, roleName: unique('r'), menus: [201] };
      const answer = await hub.admin.call(roleCalls.updateRole, change);
      expect(answer).toMatchObject({ success: true, message: 'Operation succeeded', data: null });
      expect(await user.error(userCalls.queryUserList, {})).toMatchObject({ code: 'FORBIDDEN' });
      expect(await user.ok(roleCalls.getRoleMenu, { roleId: user.roleId })).toMatchObject({ menus: [2, 201] });
    });
  });

  describe('an unknown tenant or another’s', () => {
    it('is reported as not found, with the field', async () => {
      const unknown = { statusCode: 404, code: 'TENANCY_NOT_FOUND', details: [{ field: 'tenancyId' }] };
      for (const [client, wrong] of [
        [hub.admin, 'none'],
        [manager, await hub.create.tenancy()],
      ] as const) {
        const role = { roleName: unique('r'), menus: [201], tenancyId: wrong };
        expect(await client.error(roleCalls.addRole, role)).toMatchObject(unknown);
        expect(await client.error(roleCalls.queryMenuListTree, { tenancyId: wrong })).toMatchObject(unknown);
        expect(await rolesOf(wrong)).toEqual([]);
      }
    });
  });

  describe('menus of a role', () => {
    // Spec 7.34
    it('are limited to the caller’s own, for a tenant without those of the platform', async () => {
      const leaves = async (client: TestUser | Hub['admin'], of?: string) =>
        (await client.ok(roleCalls.queryMenuListTree, { tenancyId: of })).flatMap(({ menuId, children }) => [
          menuId,
          ...children.map((child) => child.menuId),
        ]);
      // The home page and mock devices are parent and leaf by the same number.
      const tenants = [1, 1, 2, 201, 202, 302, 203, 205, 4, 401, 5, 502, 501, 503, 6, 601, 602, 1101, 1101];
      const platforms = [
        ...[1, 1, 2, 201, 202, 301, 302, 203, 204, 205, 4, 401, 5, 502, 501, 503],
        ...[6, 601, 602, 6, 603, 6, 604, 1101, 1101],
      ];
      expect(await leaves(hub.admin)).toEqual(platforms);
      expect(await leaves(hub.admin, tenancyId)).toEqual(tenants);
      expect(await leaves(manager)).toEqual([2, 201, 202]);
      const all = await manager.ok(roleCalls.queryMenuList, {}, { language: 'zh-CN' });
      expect(all.map(({ menuId }) => menuId)).toEqual(tenants);
      expect(all.find(({ menuId }) => menuId === 201)?.name).toBe('角色管理');
    });
  });
});
