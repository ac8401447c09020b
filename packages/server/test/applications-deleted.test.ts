import { applicationCalls, auditCalls, deviceCalls, productCalls, tenancyCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture } from './device-fixtures.ts';
import { insertRecords, recordsOf } from './device-records.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { loginFields, tryLogin } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());

  const devicesOf = (applicationId: string) =>
    hub.db.selectFrom('device').select('device_id').where('application_id', '=', applicationId).execute();
  const rowOf = (applicationId: string) =>
    hub.db.selectFrom('application').selectAll().where('application_id', '=', applicationId).executeTakeFirst();

  describe('deletion of an application', () => {
    // Spec 6.13, 7.48
    it('disconnects its devices and deletes them with all records; others stay unchanged', async () => {
      const tenancyId = await hub.create.tenancy();
      const fixture = await createProductFixture(hub, {}, tenancyId);
      const { applicationId, productId } = fixture;
      const device = await connectNewDevice(hub, fixture);
      const rest = Array.from({ length: 250 }, () => ({ deviceId: unique('d') }));
      for (const from of [0, 200])
        await hub.admin.ok(
          deviceCalls.registerDevices,
          { productId, devices: rest.slice(from, from + 200) },
          { as: 'json' },
        );
      await insertRecords(hub, { tenancyId, productId, deviceId: rest[249]?.deviceId ?? '' });
      const other = await hub.create.device({ productId, applicationId: await hub.create.application(tenancyId) });
      await insertRecords(hub, { tenancyId, productId, deviceId: other });
      const before = await recordsOf(hub, [other]);

      expect(await hub.admin.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] })).toEqual({
        deleted: 1,
      });
      await waitForClose(device);
      await expect.poll(() => rowOf(applicationId), { timeout: 20_000 }).toBeUndefined();
      expect(await devicesOf(applicationId)).toEqual([]);
      const gone = await recordsOf(
        hub,
        rest.map(({ deviceId }) => deviceId),
      );
      expect(Object.values(gone).flat()).toEqual([]);
      expect(await recordsOf(hub, [other])).toEqual(before);
      expect((await hub.admin.ok(deviceCalls.queryDeviceList, { tenancyId })).list).toMatchObject([
        { deviceId: other },
      ]);
      expect(await hub.admin.ok(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
        applicationId: '',
      });
      const audit = await hub.admin.ok(auditCalls.queryAuditLogList, { target: applicationId });
      expect(audit.list[0]).toMatchObject({ action: 'application.deleteApplication', before: { devices: 251 } });
    });

    it('continues after a restart; meanwhile the application is hidden', async () => {
      const tenancyId = await hub.create.tenancy();
      const fixture = await createProductFixture(hub, {}, tenancyId);
      const { applicationId, productId } = fixture;
      const deviceId = await hub.create.device(fixture);
      const { applicationName } = await hub.admin.ok(applicationCalls.getApplicationDetails, { applicationId });
      await hub.process.stop();
      const marked = { deleting: 1, enabled: 0, application_name_key: `deleting:${applicationId}` } as const;
      await hub.db.updateTable('application').set(marked).where('application_id', '=', applicationId).execute();
      hub = await hub.start();

      const listed = await hub.admin.ok(applicationCalls.queryApplicationList, { tenancyId });
      expect(listed.list.map((row) => row.applicationId)).not.toContain(applicationId);
      expect(await hub.admin.error(applicationCalls.getApplicationDetails, { applicationId })).toMatchObject({
        code: 'APPLICATION_NOT_FOUND',
      });
      const again = await hub.admin.ok(applicationCalls.addApplication, { applicationName, tenancyId });
      expect(again.applicationId).not.toBe(applicationId);
      expect(await hub.admin.error(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
        code: 'DEVICE_NOT_FOUND',
      });
      const login = loginFields({ productId, deviceId: unique('d'), secret: fixture.productSecret });
      expect((await tryLogin(hub.url, login)).data).toBeNull();
      await expect.poll(() => rowOf(applicationId), { timeout: 20_000 }).toBeUndefined();
      expect(await devicesOf(applicationId)).toEqual([]);
      expect((await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId })).applicationCount).toBe(1);
    });
  });
});
