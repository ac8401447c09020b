import {
  accountCalls,
  applicationCalls,
  personalCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, PASSWORD, tenancyFields, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
  });
  afterAll(() => hub.close());
};

const rowOf = (tenancyId: string) =>
  hub.db.selectFrom('tenancy').selectAll().where('tenancy_id', '=', tenancyId).executeTakeFirst();
const appsOf = async (tenancyId: string): Promise<(0 | 1)[]> => {
  const rows = await hub.db
    .selectFrom('application')
    .select('enabled')
    .where('tenancy_id', '=', tenancyId)
    .orderBy('application_id')
    .execute();
  return rows.map((row) => row.enabled);
};

describeOnEachEngine(() => {
  setUp();

  describe('a tenant', () => {
    // Spec 1.1, 7.43, 7.44, 7.46
    it('is created enabled with the given fields, and updated', async () => {
      const sent = tenancyFields();
      const { tenancyId } = await hub.admin.ok(tenancyCalls.addTenancy, sent);
      const created = await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId });
      expect(created).toMatchObject({ ...sent, tenancyId, enabled: 1, builtin: 0, applicationCount: 0, userCount: 0 });
      expect(created.createTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(created.updateTime).toBe(created.createTime);

      const changed = tenancyFields();
      const answer = await hub.admin.call(tenancyCalls.updateTenancy, { tenancyId, ...changed });
      expect(answer).toMatchObject({ success: true, message: 'Operation succeeded' });
      const after = await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId });
      expect(after).toMatchObject({ ...changed, enabled: 1, createTime: created.createTime });
      expect(after.updateTime > created.updateTime).toBe(true);
    });

    it('has a unique name, ignoring case', async () => {
      const first = tenancyFields();
      await hub.admin.ok(tenancyCalls.addTenancy, first);
      const count = async () => (await hub.db.selectFrom('tenancy').select('tenancy_id').execute()).length;
      const before = await count();
      const same = { ...tenancyFields(), tenancyName: first.tenancyName.toUpperCase() };
      const taken = await hub.admin.error(tenancyCalls.addTenancy, same);
      expect(taken).toMatchObject({ statusCode: 409, code: 'TENANCY_NAME_TAKEN', details: [{ field: 'tenancyName' }] });
      expect(await count()).toBe(before);
      const other = await hub.create.tenancy();
      const untouched = await rowOf(other);
      const rename = { tenancyId: other, ...same, enabled: 0 as const };
      expect(await hub.admin.error(tenancyCalls.updateTenancy, rename)).toMatchObject({ code: 'TENANCY_NAME_TAKEN' });
      expect(await rowOf(other)).toEqual(untouched);
    });
  });

  describe.each(['updateEnabledStatus', 'updateTenancy'] as const)('disabling a tenant by %s', (by) => {
    const turn = (tenancyId: string, enabled: 0 | 1) =>
      by === 'updateTenancy'
        ? hub.admin.ok(tenancyCalls.updateTenancy, { tenancyId, ...tenancyFields(), enabled })
        : hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled });

    // Spec 4.1, 4.3, 7.45
    it('disables its applications and ends its sessions at once; enabling it restores neither', async () => {
      const [tenancyId, neighbour] = [await hub.create.tenancy(), await hub.create.tenancy()];
      const user = await hub.create.user({ tenancyId });
      const createBystander = await hub.create.user({ tenancyId: neighbour });
      const applicationId = await hub.create.application(tenancyId);
      await hub.create.application(tenancyId);
      await hub.create.application(neighbour);

      const told = await turn(tenancyId, 0);
      if (by === 'updateEnabledStatus') expect(told).toEqual({ disabledApplications: 2 });
      expect((await rowOf(tenancyId))?.enabled).toBe(0);
      expect(await appsOf(tenancyId)).toEqual([0, 0]);
      expect(await user.error(personalCalls.getPersonalMessage, {})).toMatchObject({
        statusCode: 401,
        code: 'TOKEN_INVALID',
      });
      expect(await hub.db.selectFrom('session').selectAll().where('user_id', '=', user.userId).execute()).toEqual([]);
      const right = { username: user.username, password: PASSWORD };
      expect(await hub.anonymous.error(accountCalls.login, right)).toMatchObject({
        statusCode: 403,
        code: 'TENANCY_CLOSED',
      });
      const wrong = await hub.anonymous.error(accountCalls.login, { ...right, password: 'Wrong-pass1' });
      expect(wrong.code).toBe('LOGIN_FAILED');
      // Other tenants are not affected.
      expect(await appsOf(neighbour)).toEqual([1]);
      await createBystander.ok(personalCalls.getPersonalMessage, {});

      const enable = await hub.admin.error(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 });
      expect(enable).toMatchObject({ statusCode: 409, code: 'APPLICATION_OF_CLOSED_TENANCY' });
      expect(await appsOf(tenancyId)).toEqual([0, 0]);
      const added = await hub.create.application(tenancyId);
      expect(await hub.admin.ok(applicationCalls.getApplicationDetails, { applicationId: added })).toMatchObject({
        enabled: 0,
        tenancyEnabled: 0,
      });

      await turn(tenancyId, 1);
      expect((await rowOf(tenancyId))?.enabled).toBe(1);
      expect(await appsOf(tenancyId)).toEqual([0, 0, 0]);
      expect(await user.error(personalCalls.getPersonalMessage, {})).toMatchObject({ code: 'TOKEN_INVALID' });
      await hub.login(user.username, PASSWORD);
      await hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 });
      expect(await appsOf(tenancyId)).toContain(1);
    });
  });

  describe('disabling a tenant while applications are enabled and created', () => {
    // Spec 4.3
    it('leaves no enabled application', async () => {
      for (let round = 0; round < 8; round++) {
        const tenancyId = await hub.create.tenancy();
        const applicationId = await hub.create.application(tenancyId);
        await hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
        const answers = await Promise.all([
          hub.admin.call(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 }),
          hub.admin.call(applicationCalls.addApplication, { applicationName: unique('a'), tenancyId }),
          hub.admin.call(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 }),
        ]);
        for (const answer of answers) expect([200, 409], JSON.stringify(answer)).toContain(answer.statusCode);
        expect(await appsOf(tenancyId)).toEqual([0, 0]);
      }
    });
  });

  describe('deletion of tenants', () => {
    const SENTENCE = 'The tenant has linked applications/users, delete them first';

    // Spec 6.9, 6.10, 7.41, 8.24
    it('is rejected for one with applications or users, with the exact message', async () => {
      const withApp = await hub.create.tenancy();
      const applicationId = await hub.create.application(withApp);
      const withUser = await hub.create.tenancy();
      const user = await hub.create.user({ tenancyId: withUser });
      const before = [await rowOf(withApp), await rowOf(withUser)];
      const first = await hub.admin.error(tenancyCalls.deleteTenancy, { tenancyId: withApp });
      expect(first).toMatchObject({ statusCode: 409, code: 'TENANCY_HAS_LINKS' });
      expect(first.message).toBe(SENTENCE);
      const second = await hub.admin.error(tenancyCalls.deleteTenancies, { tenancyId: [withUser] });
      expect(second.message).toBe(SENTENCE);
      expect([await rowOf(withApp), await rowOf(withUser)]).toEqual(before);

      await hub.admin.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
      await hub.admin.ok(userCalls.deleteUsers, { userIds: [user.userId] });
      const roles = () => hub.db.selectFrom('role').selectAll().where('tenancy_id', '=', withUser).execute();
      expect(await roles()).toHaveLength(1);
      const done = await hub.admin.call(tenancyCalls.deleteTenancy, { tenancyId: withUser });
      expect(done).toMatchObject({ success: true, message: 'Delete succeeded', data: null });
      expect(await rowOf(withUser)).toBeUndefined();
      expect(await roles()).toEqual([]);
      expect(await hub.admin.error(roleCalls.getRoleDetails, { roleId: user.roleId })).toMatchObject({
        code: 'ROLE_NOT_FOUND',
      });
    });

    // Spec 6.12, 7.42
    it('deletes all of several or none', async () => {
      const empty = [await hub.create.tenancy(), await hub.create.tenancy()];
      const linked = await hub.create.tenancy();
      await hub.create.application(linked);
      for (const [wrong, code] of [
        [linked, 'TENANCY_HAS_LINKS'],
        ['none', 'TENANCY_NOT_FOUND'],
      ] as const) {
        const refusal = await hub.admin.error(tenancyCalls.deleteTenancies, { tenancyId: [...empty, wrong] });
        expect(refusal.code).toBe(code);
        for (const tenancyId of [...empty, linked]) expect(await rowOf(tenancyId)).toBeDefined();
      }
      const done = await hub.admin.call(tenancyCalls.deleteTenancies, { tenancyId: [...empty, ...empty] });
      expect(done).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 2 } });
      for (const tenancyId of empty) expect(await rowOf(tenancyId)).toBeUndefined();
    });

    it('keeps either both or neither while applications are created', async () => {
      for (let round = 0; round < 8; round++) {
        const tenancyId = await hub.create.tenancy();
        const answers = await Promise.all([
          hub.admin.call(applicationCalls.addApplication, { applicationName: unique('a'), tenancyId }),
          hub.admin.call(tenancyCalls.deleteTenancy, { tenancyId }),
        ]);
        for (const answer of answers) expect([200, 404, 409], JSON.stringify(answer)).toContain(answer.statusCode);
        expect(answers.filter(({ success }) => success)).toHaveLength(1);
        expect(await appsOf(tenancyId)).toHaveLength((await rowOf(tenancyId)) ? 1 : 0);
      }
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('a tenant', () => {
    it('has trimmed names of itself and its company', async () => {
      const sent = { ...tenancyFields(), contactName: ' José Müller ' };
      const { tenancyId } = await hub.admin.ok(tenancyCalls.addTenancy, {
        ...sent,
        tenancyName: `  ${sent.tenancyName} `,
        companyName: `${sent.companyName} `,
      });
      const created = await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId });
      expect(created).toMatchObject({ ...sent, contactName: 'José Müller' });
      const same = { ...tenancyFields(), tenancyName: `${sent.tenancyName}  ` };
      expect(await hub.admin.error(tenancyCalls.addTenancy, same)).toMatchObject({ code: 'TENANCY_NAME_TAKEN' });
    });

    // Spec 7.46
    it('is reported as not found when it does not exist', async () => {
      const tenancyId = 'none';
      for (const refusal of [
        await hub.admin.error(tenancyCalls.getTenancyDetails, { tenancyId }),
        await hub.admin.error(tenancyCalls.updateTenancy, { tenancyId, ...tenancyFields() }),
        await hub.admin.error(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 }),
        await hub.admin.error(tenancyCalls.deleteTenancy, { tenancyId }),
      ])
        expect(refusal).toMatchObject({ statusCode: 404, code: 'TENANCY_NOT_FOUND', message: 'Tenant does not exist' });
    });
  });

  describe('updateTenancy without enabled', () => {
    // Spec 4.1, 7.44
    it('keeps a disabled tenant disabled and an enabled one enabled', async () => {
      const tenancyId = await hub.create.tenancy();
      const applicationId = await hub.create.application(tenancyId);
      await hub.admin.ok(tenancyCalls.updateTenancy, { tenancyId, ...tenancyFields() });
      await hub.admin.ok(tenancyCalls.updateTenancy, { tenancyId, ...tenancyFields(), enabled: 1 });
      expect(await appsOf(tenancyId)).toEqual([1]);
      await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 });
      await hub.admin.ok(tenancyCalls.updateTenancy, { tenancyId, ...tenancyFields(), enabled: '' });
      expect((await rowOf(tenancyId))?.enabled).toBe(0);
      expect(await hub.admin.ok(applicationCalls.getApplicationDetails, { applicationId })).toMatchObject({
        enabled: 0,
      });
    });
  });

  describe('deletion of tenants', () => {
    it('requires at least one', async () => {
      for (const sent of [{}, { tenancyId: '' }, { tenancyId: [] as string[] }]) {
        const refusal = await hub.admin.send(tenancyCalls.deleteTenancies, sent, { language: 'en-US' });
        expect(refusal).toMatchObject({ statusCode: 400, message: 'select at least one item' });
      }
    });
  });
});
