import { type Answer, controlCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';

let hub: Hub;
let user: TestUser;
let place: ProductFixture;
let device: RawDevice;

beforeAll(async () => {
  hub = await sharedHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [501, 302] });
  place = await createProductFixture(hub, {}, tenancyId);
  device = await connectNewDevice(hub, place);
});
afterAll(async () => {
  await device?.end();
  await hub.close();
});

const configuration = (deviceId: string) => user.ok(controlCalls.getDeviceConfiguration, { deviceId });

describe('device configuration', () => {
  // Spec 1.7, 7.81, 7.83, 7.84
  it('stores a new level and switch only after the device has applied them', async () => {
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    const asked = user.ok(controlCalls.configLogLevel, { deviceId, logLevel: 6 });
    const request = await device.next(({ payload }) => payload.includes('"logLevel":6'));
    await device.respond(request, 200, { output: {} });
    expect(await asked).toMatchObject({ status: 'answered' });
    expect(await configuration(deviceId)).toMatchObject({ loggerLevel: 6, realTimePushSwitch: 0 });

    const refused = user.error(controlCalls.configLogSwitch, { deviceId, logSwitch: 1 });
    const second = await device.next(({ payload }) => payload.includes('"logSwitch":1'));
    await device.respond(second, 60001, {});
    expect(await refused).toMatchObject({ code: 'DEVICE_REFUSED', data: { messageId: second.dataId } });
    expect(await configuration(deviceId)).toMatchObject({ realTimePushSwitch: 0 });
  });

  it("reports the device's rejection for every call, with its answer", async () => {
    const { deviceId } = device;
    const { online: _online, ...whole } = await configuration(deviceId);
    const asked: [string, () => Promise<Answer<unknown, unknown>>][] = [
      ['restart', () => user.call(controlCalls.reboot, { deviceId })],
      ['"logLevel":2', () => user.call(controlCalls.configLogLevel, { deviceId, logLevel: 2 })],
      ['"logLevel":3', () => user.call(controlCalls.updateDeviceConfiguration, { ...whole, loggerLevel: 3 })],
    ];
    for (const [part, ask] of asked) {
      const refused = ask();
      const request = await device.next(({ dataFlow, payload }) => dataFlow === 0 && payload.includes(part));
      await device.respond(request, 60003, {});
      expect(await refused).toMatchObject({
        statusCode: 409,
        code: 'DEVICE_REFUSED',
        data: {
          messageId: request.dataId,
          status: 'failed',
          code: 60003,
          message: 'The device does not support this function',
        },
      });
    }
    expect(await configuration(deviceId)).toMatchObject(whole);
    const agreed = user.ok(controlCalls.updateDeviceConfiguration, { ...whole, loggerLevel: 4 });
    const request = await device.next(({ payload }) => payload.includes('"logLevel":4'));
    await device.respond(request, 200, { output: {} });
    expect(await agreed).toMatchObject({ messageId: request.dataId, status: 'answered' });
    expect(await user.ok(controlCalls.updateDeviceConfiguration, { ...whole, loggerLevel: 4 })).toBeNull();
  });

  // Spec 4.17, 7.82, 7.85
  it('of an offline device changes only application and zone', async () => {
    const deviceId = await hub.create.device(place);
    const applicationId = await hub.create.application(place.tenancyId);
    const wanted = { deviceId, applicationId, haZoneId: 2, loggerLevel: 4, realTimePushSwitch: 0 } as const;
    const before = await configuration(deviceId);
    const louder = { ...wanted, loggerLevel: 2 } as const;
    expect(await user.error(controlCalls.updateDeviceConfiguration, louder)).toMatchObject({
      code: 'DEVICE_OFFLINE',
    });
    expect(await configuration(deviceId)).toEqual(before);
    await user.ok(controlCalls.updateDeviceConfiguration, wanted);
    expect(await configuration(deviceId)).toEqual({ ...wanted, online: 2 });

    expect(await user.error(controlCalls.configHaArea, { deviceId, haZoneId: 77 })).toMatchObject({
      code: 'ZONE_NOT_FOUND',
    });
    await hub.db.updateTable('zone').set({ status: 0 }).where('zone_id', '=', 1).execute();
    const disabled = await user.error(controlCalls.configHaArea, { deviceId, haZoneId: 1 });
    await hub.db.updateTable('zone').set({ status: 1 }).where('zone_id', '=', 1).execute();
    expect(disabled).toMatchObject({ code: 'ZONE_NOT_FOR_DEVICES' });
    expect(await configuration(deviceId)).toMatchObject({ haZoneId: 2 });
  });
});

it('of a device that another platform manages is changed there', async () => {
  const deviceId = await hub.create.device(place);
  await hub.db.updateTable('device').set({ origin_id: 'elsewhere' }).where('device_id', '=', deviceId).execute();
  const refusals = [
    await user.error(controlCalls.configLogLevel, { deviceId, logLevel: 2 }),
    await user.error(controlCalls.configLogSwitch, { deviceId, logSwitch: 1 }),
  ];
  expect(refusals.map(({ code }) => code)).toEqual(['RECEIVED_READ_ONLY', 'RECEIVED_READ_ONLY']);
});

describe('updateDeviceConfiguration', () => {
  // Spec 5.62-5.64
  it('requires an application, a zone and a level', async () => {
    const deviceId = await hub.create.device(place);
    const { online: _online, ...whole } = await configuration(deviceId);
    for (const field of ['applicationId', 'haZoneId', 'loggerLevel'] as const)
      for (const left of [
        { ...whole, [field]: '' },
        { ...whole, [field]: undefined },
      ]) {
        const answer = await user.send(controlCalls.updateDeviceConfiguration, left);
        expect(answer).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details: [{ field }] });
      }
    expect(await configuration(deviceId)).toMatchObject(whole);
  });
});
