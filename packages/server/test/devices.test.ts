import { applicationCalls, deviceCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCode, logInWithoutConnecting, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { insertRecords, recordsOf } from './device-records.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { login, loginFields, tryLogin } from './raw-device.ts';

let hub: Hub;
let tenancyId: string;
let user: TestUser;
let applicationId: string;
let productId: string;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [501, 302] });
    applicationId = await hub.create.application(tenancyId);
    productId = await hub.create.product(tenancyId, { applicationId });
  });
  afterAll(() => hub.close());
};

const rowOf = (deviceId: string) =>
  hub.db.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
const add = (more: object = {}) => user.ok(deviceCalls.addDevice, { deviceId: unique('d'), productId, ...more });
const details = (deviceId: string) => user.ok(deviceCalls.getDeviceDetails, { deviceId });

describeOnEachEngine(() => {
  setUp();

  describe('a registered device', () => {
    it('has an id that is unique among all tenants', async () => {
      const { deviceId } = await add();
      const before = await rowOf(deviceId);
      const neighbour = await hub.create.tenancy();
      const theirs = {
        applicationId: await hub.create.application(neighbour),
        productId: await hub.create.product(neighbour),
      };
      for (const sent of [
        { deviceId, productId },
        { deviceId, ...theirs },
      ])
        expect(await hub.admin.error(deviceCalls.addDevice, sent)).toMatchObject({
          statusCode: 409,
          code: 'DEVICE_ID_TAKEN',
          details: [{ field: 'deviceId' }],
        });
      expect(await rowOf(deviceId)).toEqual(before);
      for (const wrong of ['', 'a b', '灯', 'x'.repeat(65)])
        expect(await user.error(deviceCalls.addDevice, { deviceId: wrong, productId })).toMatchObject({
          code: 'BAD_INPUT',
          details: [{ field: 'deviceId' }],
        });
    });

    it('is renamed, and found by its new name in any case', async () => {
      const { deviceId } = await add();
      const deviceName = unique('Kitchen');
      await user.ok(deviceCalls.updateDevice, { deviceId, deviceName });
      const found = await user.ok(deviceCalls.queryDeviceList, { searchValue: deviceName.toUpperCase() });
      expect(found.list.map((row) => row.deviceId)).toEqual([deviceId]);
      const old = await user.ok(deviceCalls.queryDeviceList, { deviceName: deviceId });
      expect(old.list).toEqual([]);
    });

    it('has its MAC corrected, found by the new one, left unchanged, and removed', async () => {
      const { deviceId } = await add({ mac: 'AA:02' });
      const change = (more: { mac?: string }) =>
        user.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'pump', ...more });
      const byMac = async (mac: string) =>
        (await user.ok(deviceCalls.queryDeviceList, { mac })).list.map((row) => row.deviceId);
      await change({ mac: 'AB:77:1' });
      expect(await byMac('ab:77:1')).toEqual([deviceId]);
      await change({});
      expect(await details(deviceId)).toMatchObject({ mac: 'AB:77:1', deviceName: 'pump' });
      await change({ mac: '' });
      expect(await byMac('ab:77:1')).toEqual([]);
      expect(await details(deviceId)).toMatchObject({ mac: '' });
    });
  });

  describe('offline reasons', () => {
    it('name the gateway of a child in the list, until the gateway is online', async () => {
      const gatewayId = unique('gw');
      await add({
        deviceId: gatewayId,
        productId: await hub.create.product(tenancyId, { nodeType: 2 }),
        applicationId,
      });
      const { deviceId } = await add();
      await hub.db.updateTable('device').set({ parent_id: gatewayId }).where('device_id', '=', deviceId).execute();
      const listed = async () => (await user.ok(deviceCalls.queryDeviceList, { deviceId })).list[0]?.offlineReason;
      expect(await listed()).toMatchObject({ kind: 'gatewayOffline', detail: gatewayId });
      await hub.db.updateTable('device').set({ online: 1 }).where('device_id', '=', gatewayId).execute();
      expect(await listed()).toMatchObject({ kind: 'neverConnected' });
    });
  });

  describe('deletion of devices', () => {
    it('disconnects them, deletes their records, sessions and commands; a gateway’s children stay', async () => {
      const fixture = await createProductFixture(hub, {}, tenancyId);
      const device = await connectNewDevice(hub, fixture);
      const { deviceId } = device;
      await insertRecords(hub, { tenancyId, productId: fixture.productId, deviceId });
      const neighbour = (await add()).deviceId;
      await insertRecords(hub, { tenancyId, productId, deviceId: neighbour });
      const before = await recordsOf(hub, [neighbour]);
      await hub.db.updateTable('device').set({ parent_id: deviceId }).where('device_id', '=', neighbour).execute();

      expect(await user.call(deviceCalls.deleteDevices, { deviceIds: [deviceId] })).toMatchObject({
        success: true,
        message: 'Delete succeeded',
      });
      await waitForClose(device);
      expect(await rowOf(deviceId)).toBeUndefined();
      expect(await rowOf(neighbour)).toMatchObject({ parent_id: '' });
      expect(await recordsOf(hub, [neighbour])).toEqual(before);
      await expect
        .poll(async () =>
          Object.values(await recordsOf(hub, [deviceId]))
            .flat()
            .filter((row) => !('status' in row)),
        )
        .toEqual([]);
      for (const table of ['device_session', 'device_command'] as const)
        expect(await hub.db.selectFrom(table).selectAll().where('device_id', '=', deviceId).execute()).toEqual([]);
    });

    it('is all or none', async () => {
      const { deviceId } = await add();
      const foreign = await hub.create.tenancy();
      const theirs = await hub.create.device({
        productId: await hub.create.product(foreign),
        applicationId: await hub.create.application(foreign),
      });
      const refusal = await user.error(deviceCalls.deleteDevices, { deviceIds: [deviceId, theirs] });
      expect(refusal).toMatchObject({ statusCode: 404, code: 'DEVICE_NOT_FOUND' });
      expect(await rowOf(deviceId)).toBeDefined();
      expect(await rowOf(theirs)).toBeDefined();
      expect(await user.error(deviceCalls.deleteDevices, { deviceIds: [] })).toMatchObject({ code: 'BAD_INPUT' });
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('a registered device', () => {
    it('logs in with the secret that is answered only once', async () => {
      const { deviceId, deviceSecret } = await add({ mac: 'AA:01' });
      expect(deviceSecret).toMatch(/^[A-Za-z0-9]{32}$/);
      const told = JSON.stringify([await details(deviceId), await user.ok(deviceCalls.queryDeviceList, {})]);
      expect(told).not.toContain(deviceSecret);
      expect((await rowOf(deviceId))?.secret_sealed).not.toContain(deviceSecret);
      expect((await login(hub.url, { productId, deviceId, secret: deviceSecret })).tenantId).toBe(tenancyId);
      expect(await details(deviceId)).toMatchObject({ secretProven: 1, mac: 'AA:01', deviceName: deviceId });
    });

    it('gets the product’s application by default, and requires one', async () => {
      expect(await details((await add()).deviceId)).toMatchObject({ applicationId, haZoneId: 1, online: 2 });
      const other = await hub.create.application(tenancyId);
      expect(await details((await add({ applicationId: other })).deviceId)).toMatchObject({ applicationId: other });
      const without = await hub.create.product(tenancyId);
      const refusal = await user.error(deviceCalls.addDevice, { deviceId: unique('d'), productId: without });
      expect(refusal).toMatchObject({ code: 'PRODUCT_WITHOUT_APPLICATION', details: [{ field: 'applicationId' }] });
      const foreign = await hub.create.application(await hub.create.tenancy());
      const mixed = { deviceId: unique('d'), productId, applicationId: foreign };
      expect(await user.error(deviceCalls.addDevice, mixed)).toMatchObject({ code: 'APPLICATION_NOT_FOUND' });
      expect(await hub.admin.error(deviceCalls.addDevice, mixed)).toMatchObject({
        code: 'APPLICATION_OF_OTHER_TENANCY',
      });
      expect(await rowOf(mixed.deviceId)).toBeUndefined();
    });
  });

  describe('offline reasons', () => {
    // Spec 7.80
    it('are ordered by priority, and disappear when the device is online', async () => {
      const { deviceId, deviceSecret } = await add();
      const kinds = async () => (await details(deviceId)).why.map(({ kind }) => kind);
      const listed = async () =>
        (await user.ok(deviceCalls.queryDeviceList, { deviceId })).list.map((row) => row.offlineReason);
      expect(await kinds()).toEqual(['neverConnected']);
      expect(await listed()).toMatchObject([{ kind: 'neverConnected' }]);
      await tryLogin(hub.url, loginFields({ productId, deviceId, secret: 'wrong' }));
      await expect
        .poll(async () => (await details(deviceId)).why)
        .toMatchObject([{ kind: 'refused', cause: 'SIGNATURE' }, { kind: 'neverConnected' }]);

      const until = Date.now() + 3_600_000;
      await hub.db
        .updateTable('device')
        .set({ kicked_until: until, blacklisted: 1, black_reason: 'stolen', black_at: 1 })
        .where('device_id', '=', deviceId)
        .execute();
      await user.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
      expect((await details(deviceId)).why).toMatchObject([
        { kind: 'applicationDisabled' },
        { kind: 'blacklisted', detail: 'stolen' },
        { kind: 'kicked', time: new Date(until).toISOString() },
        { kind: 'refused' },
        { kind: 'neverConnected' },
      ]);
      expect(await listed()).toMatchObject([{ kind: 'applicationDisabled' }]);

      await user.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 });
      expect(await listed()).toMatchObject([{ kind: 'blacklisted', detail: 'stolen' }]);
      await hub.db
        .updateTable('device')
        .set({ kicked_until: 0, blacklisted: 0 })
        .where('device_id', '=', deviceId)
        .execute();
      const device = await connectNewDevice(
        hub,
        { tenancyId, applicationId, productId, productSecret: deviceSecret },
        {},
        deviceId,
      );
      await expectOnline(hub, deviceId, 1);
      expect(await kinds()).toEqual([]);
      expect(await listed()).toEqual([null]);
      await device.end();
      await expectOnline(hub, deviceId, 2);
      await expect
        .poll(async () => (await details(deviceId)).why)
        .toMatchObject([{ kind: 'disconnected', cause: 'byDevice' }]);
      expect(await listed()).toMatchObject([{ kind: 'disconnected', cause: 'byDevice' }]);
    });
  });

  describe('a new secret', () => {
    it('revokes the tokens, disconnects, and invalidates the old one', async () => {
      const fixture = await createProductFixture(hub, {}, tenancyId);
      const device = await connectNewDevice(hub, fixture);
      const { deviceId } = device;
      const { bucket } = await logInWithoutConnecting(hub, device);
      const { deviceSecret } = await user.ok(deviceCalls.resetDeviceSecret, { deviceId });
      await waitForClose(device);
      await expectOnline(hub, deviceId, 2);
      expect(await connectCode(bucket)).toBe(4);
      const who = { productId: fixture.productId, deviceId };
      expect((await tryLogin(hub.url, loginFields({ ...who, secret: device.secret }))).code).toBe('SIGNATURE');
      expect((await login(hub.url, { ...who, secret: deviceSecret })).token).toMatch(/./);
    });
  });
});
