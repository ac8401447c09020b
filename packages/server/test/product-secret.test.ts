import { auditCalls, deviceCalls, deviceCodes, productCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { publish } from './connectivity-fixtures.ts';
import { childLoginRequest, findDeviceSession, loginChild } from './connectivity-gateway-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { type Identity, login, loginFields, tryLogin } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let fixture: ProductFixture;
  let user: TestUser;
  beforeAll(async () => {
    hub = await sharedHub();
    const tenancyId = await hub.create.tenancy();
    fixture = await createProductFixture(hub, {}, tenancyId);
    user = await hub.create.user({ tenancyId, menus: [501, 203] });
  });

  const byProduct = (deviceId: string, of = fixture): Identity => ({
    productId: of.productId,
    deviceId,
    secret: of.productSecret,
  });
  const codeOf = async (who: Identity): Promise<string | undefined> => (await tryLogin(hub.url, loginFields(who))).code;
  const detailsOf = (deviceId: string) => user.ok(deviceCalls.getDeviceDetails, { deviceId });
  const expectProven = (deviceId: string) => expect.poll(async () => (await detailsOf(deviceId)).secretProven).toBe(1);

  const register = async ({ productId, applicationId } = fixture): Promise<Identity> => {
    const deviceId = unique('dev');
    const { deviceSecret } = await hub.admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
    return { productId, deviceId, secret: deviceSecret };
  };

  describe('a login with the product secret', () => {
    it('is rejected for a device that was registered in the console, also before its first login', async () => {
      const device = await register();
      expect(await detailsOf(device.deviceId)).toMatchObject({ secretProven: 0, productSecretAccepted: 0 });
      expect(await codeOf(byProduct(device.deviceId))).toBe('SIGNATURE');
      await login(hub.url, device);
    });

    it('is rejected for a device from a sheet', async () => {
      const { productId, applicationId } = fixture;
      const deviceId = unique('dev');
      const sheet = { productId, applicationId, devices: [{ deviceId }] };
      await hub.admin.ok(deviceCalls.registerDevices, sheet, { as: 'json' });
      expect(await codeOf(byProduct(deviceId))).toBe('SIGNATURE');
    });

    it('is rejected after a reset of the device’s secret', async () => {
      const deviceId = unique('dev');
      await login(hub.url, byProduct(deviceId));
      const { deviceSecret } = await user.ok(deviceCalls.resetDeviceSecret, { deviceId });
      expect(await codeOf(byProduct(deviceId))).toBe('SIGNATURE');
      await login(hub.url, { ...byProduct(deviceId), secret: deviceSecret });
    });

    it('is rejected once the device has sent a correctly signed message', async () => {
      const device = await connectNewDevice(hub, fixture);
      const { deviceId } = device;
      await device.send({ type: 2, payload: { properties: { power: true } }, signature: 'f'.repeat(64) });
      expect(await detailsOf(deviceId)).toMatchObject({ secretProven: 0, productSecretAccepted: 1 });
      await device.send({ type: 2, payload: { properties: { power: true } } });
      await expectProven(deviceId);
      expect((await detailsOf(deviceId)).productSecretAccepted).toBe(0);
      expect(await codeOf(byProduct(deviceId))).toBe('SIGNATURE');
      await login(hub.url, device);
      await device.end();
    });

    it('is rejected for a gateway’s child that has sent a message', async () => {
      const gateway = await connectNewDevice(hub, await createProductFixture(hub, { nodeType: 2 }, fixture.tenancyId));
      const child = byProduct(unique('child'), await createProductFixture(hub, { nodeType: 3 }, fixture.tenancyId));
      const voice = findDeviceSession(gateway, await loginChild(gateway, child));
      await publish(voice, JSON.stringify(voice.seal({ type: 2, payload: { properties: { power: true } } })));
      await expectProven(child.deviceId);
      expect((await gateway.ask(childLoginRequest(child))).code).toBe(deviceCodes.SIGNATURE.number);
      await gateway.end();
    });

    it('is rejected for a registered device while the product forbids self-registration', async () => {
      const deviceId = unique('dev');
      await login(hub.url, byProduct(deviceId));
      const closing = { productId: fixture.productId, productName: unique('product') };
      await hub.admin.ok(productCalls.updateDeviceProduct, { ...closing, allowRegister: 0 });
      expect(await codeOf(byProduct(deviceId))).toBe('SIGNATURE');
      await hub.admin.ok(productCalls.updateDeviceProduct, { ...closing, allowRegister: 1 });
      await login(hub.url, byProduct(deviceId));
    });
  });

  describe('allowReregistration', () => {
    const allow = (deviceId: string) => user.ok(deviceCalls.allowReregistration, { deviceId });

    it('allows one login, also when self-registration is forbidden, and is in the audit log', async () => {
      const closed = await createProductFixture(hub, { allowRegister: 0 }, fixture.tenancyId);
      const device = await register(closed);
      const { deviceId } = device;
      const who = byProduct(deviceId, closed);
      await login(hub.url, device);
      expect(await codeOf(who)).toBe('SIGNATURE');
      const { reregisterUntil } = await allow(deviceId);
      const left = Date.parse(reregisterUntil) - Date.now();
      expect(left).toBeGreaterThan(3_500_000);
      expect(left).toBeLessThanOrEqual(3_600_000);
      expect(await detailsOf(deviceId)).toMatchObject({ reregisterUntil, productSecretAccepted: 1 });
      const { list } = await user.ok(auditCalls.queryAuditLogList, { target: deviceId });
      const entry = { action: 'device.allowReregistration', targetId: deviceId, username: user.username };
      expect(list[0]).toMatchObject(entry);

      const { deviceSecret = '' } = await login(hub.url, who);
      expect(await codeOf(device)).toBe('SIGNATURE');
      expect(await codeOf(who)).toBe('SIGNATURE');
      expect((await detailsOf(deviceId)).reregisterUntil).toBe('');
      await login(hub.url, { ...who, secret: deviceSecret });
    });

    it('ends after an hour, by a login with the own secret, and by a reset', async () => {
      const device = await register();
      const who = byProduct(device.deviceId);
      await allow(device.deviceId);
      const past = { reregister_until: Date.now() - 1 };
      await hub.db.updateTable('device').set(past).where('device_id', '=', device.deviceId).execute();
      expect(await codeOf(who)).toBe('SIGNATURE');
      expect((await detailsOf(device.deviceId)).reregisterUntil).toBe('');
      await allow(device.deviceId);
      await login(hub.url, device);
      expect(await codeOf(who)).toBe('SIGNATURE');
      await allow(device.deviceId);
      await user.ok(deviceCalls.resetDeviceSecret, { deviceId: device.deviceId });
      expect(await codeOf(who)).toBe('SIGNATURE');
    });

    it('is rejected for another tenant’s device', async () => {
      const { deviceId } = await register(await createProductFixture(hub));
      expect((await user.error(deviceCalls.allowReregistration, { deviceId })).code).toBe('DEVICE_NOT_FOUND');
    });
  });
});
