import { applicationCalls, tenancyCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let tenancyId: string;
  let user: TestUser;

  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [302] });
  });
  afterAll(() => hub.close());

  const rowOf = (applicationId: string) =>
    hub.db.selectFrom('application').selectAll().where('application_id', '=', applicationId).executeTakeFirst();
  const detailsOf = (applicationId: string) => user.ok(applicationCalls.getApplicationDetails, { applicationId });

  describe('an application', () => {
    // Spec 7.49, 7.50, 7.52
    it('is created enabled, in the creator’s tenant, with the creator’s name', async () => {
      const applicationName = unique('应用');
      const { applicationId } = await user.ok(applicationCalls.addApplication, { applicationName });
      const made = await detailsOf(applicationId);
      expect(made).toMatchObject({ applicationName, tenancyId, enabled: 1, tenancyEnabled: 1, creator: user.username });
      expect(made.updateTime).toBe(made.createTime);

      const renamed = unique('other');
      const change = { applicationId, applicationName: renamed };
      const answer = await user.call(applicationCalls.updateApplication, change);
      expect(answer).toMatchObject({ success: true, message: 'Operation succeeded', data: null });
      const after = await detailsOf(applicationId);
      expect(after).toMatchObject({ applicationName: renamed, createTime: made.createTime, creator: user.username });
      expect(after.updateTime > made.updateTime).toBe(true);
    });

    it('has a name that is unique in its tenant, ignoring case and width', async () => {
      const applicationName = unique('App');
      await user.ok(applicationCalls.addApplication, { applicationName });
      const taken = await user.error(applicationCalls.addApplication, {
        applicationName: applicationName.toUpperCase(),
      });
      expect(taken).toMatchObject({
        statusCode: 409,
        code: 'APPLICATION_NAME_TAKEN',
        details: [{ field: 'applicationName' }],
      });
      const { applicationId } = await user.ok(applicationCalls.addApplication, { applicationName: unique('a') });
      const before = await rowOf(applicationId);
      const rename = await user.error(applicationCalls.updateApplication, { applicationId, applicationName });
      expect(rename.code).toBe('APPLICATION_NAME_TAKEN');
      expect(await rowOf(applicationId)).toEqual(before);
      const neighbour = await hub.create.tenancy();
      await hub.admin.ok(applicationCalls.addApplication, { applicationName, tenancyId: neighbour });
      const same = await user.ok(applicationCalls.queryApplicationList, { searchValue: applicationName });
      expect(same.total).toBe(1);
    });

    // Spec 4.2, 7.51
    it('is disabled and enabled', async () => {
      const { applicationId } = await user.ok(applicationCalls.addApplication, { applicationName: unique('a') });
      for (const enabled of [0, 0, 1, 1] as const) {
        const answer = await user.call(applicationCalls.updateEnabledStatus, { applicationId, enabled });
        expect(answer).toMatchObject({ success: true, message: 'Operation succeeded' });
        expect((await rowOf(applicationId))?.enabled).toBe(enabled);
      }
    });

    it('cannot be enabled in a disabled tenant, but disabled', async () => {
      const closed = await hub.create.tenancy();
      const applicationId = await hub.create.application(closed);
      await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closed, enabled: 0 });
      const before = await rowOf(applicationId);
      const refusal = await hub.admin.error(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 });
      expect(refusal).toMatchObject({ statusCode: 409, code: 'APPLICATION_OF_CLOSED_TENANCY' });
      expect(refusal.message).toBe('The application of a disabled tenant cannot be enabled');
      expect(await rowOf(applicationId)).toEqual(before);
      await hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
    });

    it('is reported as not found when it does not exist', async () => {
      const applicationId = 'none';
      for (const refusal of [
        await user.error(applicationCalls.getApplicationDetails, { applicationId }),
        await user.error(applicationCalls.updateApplication, { applicationId, applicationName: unique('a') }),
        await user.error(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 }),
        await user.error(applicationCalls.deleteApplication, { applicationIds: [applicationId] }),
      ])
        expect(refusal).toMatchObject({ statusCode: 404, code: 'APPLICATION_NOT_FOUND' });
      const nowhere = { applicationName: unique('a'), tenancyId: 'none' };
      expect(await hub.admin.error(applicationCalls.addApplication, nowhere)).toMatchObject({
        code: 'TENANCY_NOT_FOUND',
      });
    });
  });

  describe('bulk deletion of applications', () => {
    // Spec 7.48
    it('deletes all or none, and says so', async () => {
      const ids = [
        await hub.create.application(tenancyId),
        await hub.create.application(tenancyId),
        await hub.create.application(tenancyId),
      ];
      const [first = '', second = '', third = ''] = ids;
      const none = await user.error(applicationCalls.deleteApplication, { applicationIds: [first, 'none', second] });
      expect(none).toMatchObject({ statusCode: 404, code: 'APPLICATION_NOT_FOUND' });
      for (const id of ids) expect(await rowOf(id)).toBeDefined();
      const done = await user.call(applicationCalls.deleteApplication, { applicationIds: [first, second, first] });
      expect(done).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 2 } });
      expect([await rowOf(first), await rowOf(second)]).toEqual([undefined, undefined]);
      expect(await rowOf(third)).toBeDefined();
      const chinese = await user.call(
        applicationCalls.deleteApplication,
        { applicationIds: [third] },
        { language: 'zh-CN' },
      );
      expect(chinese).toMatchObject({ success: true, message: '删除成功' });
    });

    it('deletes a hundred at once', async () => {
      const now = Date.now();
      const rows = Array.from({ length: 100 }, (_, index) => ({
        application_id: unique('bulk'),
        tenancy_id: tenancyId,
        application_name: `bulk${index}`,
        application_name_key: `bulk${index}`,
        enabled: 1 as const,
        creator: '',
        created_at: now,
        updated_at: now,
      }));
      await hub.db.insertInto('application').values(rows).execute();
      const applicationIds = rows.map((row) => row.application_id);
      expect(await user.ok(applicationCalls.deleteApplication, { applicationIds })).toEqual({ deleted: 100 });
      const audit = await hub.db
        .selectFrom('audit_log')
        .select('target_id')
        .where('target_id', 'in', applicationIds)
        .execute();
      expect(audit).toHaveLength(100);
    });
  });

  describe('the list of applications', () => {
    // Spec 7.47
    it('filters by id, by state, and by text in name or id', async () => {
      const elsewhere = await hub.create.tenancy();
      const on = await hub.create.application(elsewhere);
      const off = await hub.create.application(elsewhere);
      await hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId: off, enabled: 0 });
      const listed = async (sent: object) => {
        const page = await hub.admin.ok(applicationCalls.queryApplicationList, { tenancyId: elsewhere, ...sent });
        return page.list.map(({ applicationId }) => applicationId).sort();
      };
      expect(await listed({})).toEqual([on, off].sort());
      expect(await listed({ enabled: 1 })).toEqual([on]);
      expect(await listed({ enabled: 0 })).toEqual([off]);
      expect(await listed({ enabled: '' })).toEqual([on, off].sort());
      expect(await listed({ applicationId: on })).toEqual([on]);
      expect(await listed({ searchValue: off.slice(4).toUpperCase() })).toEqual([off]);
      expect(await listed({ searchValue: 'no such word' })).toEqual([]);
    });
  });
});
