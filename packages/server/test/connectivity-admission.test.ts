import { applicationCalls, controlCalls, deviceCalls, recordCalls, tenancyCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCode, connectReason, expectLatestEvent, refusedLogins, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { unique } from './hub.ts';
import { type InProcessHub, sharedHub } from './in-process-hub.ts';
import { login, loginFields, type RawDevice, tryLogin } from './raw-device.ts';

let hub: InProcessHub;
beforeAll(async () => {
  hub = await sharedHub();
});
afterAll(() => hub.close());

const again = async (device: RawDevice) => {
  const { code, statusCode } = await tryLogin(hub.url, loginFields(device));
  return { code, statusCode };
};

type Case = {
  word: string;
  reason: string;
  shut: (device: RawDevice, ids: { applicationId: string; tenancyId: string }) => Promise<unknown>;
  open: (device: RawDevice, ids: { applicationId: string; tenancyId: string }) => Promise<unknown>;
};

const cases: Case[] = [
  {
    word: 'BLACKLISTED',
    reason: 'blacklisted',
    shut: ({ deviceId }) => hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' }),
    open: ({ deviceId }) => hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 0 }),
  },
  {
    word: 'KICKED',
    reason: 'kicked',
    shut: ({ deviceId }) => hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1, until: 2 }),
    open: ({ deviceId }) => hub.admin.ok(controlCalls.kickOut, { deviceId, op: 0 }),
  },
  {
    word: 'APPLICATION_DISABLED',
    reason: 'applicationDisabled',
    shut: (_, { applicationId }) => hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 }),
    open: (_, { applicationId }) => hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 }),
  },
  {
    word: 'TENANCY_CLOSED',
    reason: 'tenancyClosed',
    shut: (_, { tenancyId }) => hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 }),
    open: async (_, { tenancyId, applicationId }) => {
      await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 1 });
      await hub.admin.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 1 });
    },
  },
];

describe.each(cases)('a device that is $word', ({ word, reason, shut, open }) => {
  it('is disconnected, rejected at login and CONNECT with the reason, and accepted again afterwards', async () => {
    const tenancyId = await hub.create.tenancy();
    const fixture = await createProductFixture(hub, {}, tenancyId);
    const device = await connectNewDevice(hub, fixture);
    const neighbour = await connectNewDevice(hub, await createProductFixture(hub));
    const { deviceId, bucket } = device;
    await expectOnline(hub, deviceId, 1);
    const cut = waitForClose(device);
    await shut(device, fixture);
    await cut;
    await expectOnline(hub, deviceId, 2);
    await expectLatestEvent(hub, deviceId, 2, reason);

    expect(await again(device)).toEqual({ code: word, statusCode: 403 });
    // Decisions §4: CONNACK 5 for these, with a reason string in MQTT 5; the reason is not the token.
    expect(await connectCode(bucket)).toBe(5);
    expect(await connectReason(bucket)).not.toMatch(/token|accepted/i);
    await expectOnline(hub, deviceId, 2);
    const refused = await expectRefusals(deviceId, 3);
    expect(new Set(refused.map((row) => row.reason))).toEqual(new Set([word]));
    expect(refused.map((row) => row.place).sort()).toEqual(['connect', 'connect', 'login']);

    await open(device, fixture);
    await (await connectNewDevice(hub, { ...fixture, productSecret: device.secret }, {}, deviceId)).end();
    expect(neighbour.client.connected).toBe(true);
    await neighbour.end();
  });
});

const expectRefusals = async (deviceId: string, count: number) => {
  await expect.poll(async () => (await refusedLogins(hub, deviceId)).length).toBe(count);
  return refusedLogins(hub, deviceId);
};

describe('a kick', () => {
  // Spec 4.21
  it('without days ends the session, notifies the device, and lets it log in again', async () => {
    const fixture = await createProductFixture(hub);
    const device = await connectNewDevice(hub, fixture);
    const { deviceId, bucket } = device;
    const cut = waitForClose(device);
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1 });
    await cut;
    const told = await device.next(({ type }) => type === 4);
    expect(JSON.parse(told.payload)).toMatchObject({ service: 'kick' });
    expect(await connectCode(bucket)).toBe(4);
    expect(await again(device)).toEqual({ code: undefined, statusCode: 200 });
  });

  // Spec 4.22
  it('for days expires by itself', async () => {
    const device = await connectNewDevice(hub, await createProductFixture(hub));
    const { deviceId, bucket } = device;
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    expect(await again(device)).toEqual({ code: 'KICKED', statusCode: 403 });
    // The day passes.
    await hub.db.updateTable('device').set({ kicked_until: Date.now() }).where('device_id', '=', deviceId).execute();
    expect(await connectCode(bucket)).toBe(4);
    expect(await again(device)).toEqual({ code: undefined, statusCode: 200 });
  });
});

describe('a wrong signature', () => {
  it('does not reveal a blacklisted device or a disabled application', async () => {
    const fixture = await createProductFixture(hub);
    const device = await connectNewDevice(hub, fixture);
    await hub.admin.ok(controlCalls.markBlack, { idList: [device.deviceId], op: 1 });
    expect(await again({ ...device, secret: 'wrong' })).toEqual({ code: 'SIGNATURE', statusCode: 401 });
  });
});

describe('rejected logins', () => {
  it('are recorded with their reason: in the device’s timeline, and by product for unknown ids', async () => {
    const fixture = await createProductFixture(hub);
    const { productId, productSecret } = fixture;
    const known = { productId, deviceId: unique('dev'), secret: productSecret };
    const { deviceSecret = '' } = await login(hub.url, known);
    await tryLogin(hub.url, loginFields({ ...known, secret: 'wrong' }));
    await tryLogin(hub.url, loginFields({ ...known, secret: deviceSecret }, { timestamp: 1 }));
    await expect
      .poll(async () =>
        (await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId: known.deviceId })).list.map((row) => [
          row.status,
          row.reason,
          row.place,
          row.ip,
        ]),
      )
      .toEqual([
        [3, 'CLOCK', 'login', '127.0.0.1'],
        [3, 'SIGNATURE', 'login', '127.0.0.1'],
      ]);
    const unknown = unique('ghost');
    await tryLogin(hub.url, loginFields({ productId, deviceId: unknown, secret: 'wrong' }));
    const [row] = await expectRefusals(unknown, 1);
    expect(row).toMatchObject({ productId, deviceId: unknown, reason: 'SIGNATURE', status: 3 });
    expect((await hub.admin.ok(recordCalls.queryRefusedLogins, { productId })).list).toHaveLength(3);
    // No device was created by the login attempts.
    expect(await hub.admin.error(deviceCalls.getDeviceDetails, { deviceId: unknown })).toMatchObject({
      statusCode: 404,
    });
  });

  it('are visible to the product’s tenant only', async () => {
    const tenancyId = await hub.create.tenancy();
    const rival = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [501] });
    const owner = await hub.create.user({ tenancyId, menus: [501] });
    const { productId } = await createProductFixture(hub, {}, tenancyId);
    const deviceId = unique('ghost');
    await tryLogin(hub.url, loginFields({ productId, deviceId, secret: 'wrong' }));
    await expectRefusals(deviceId, 1);
    expect((await owner.ok(recordCalls.queryRefusedLogins, {})).total).toBe(1);
    expect((await rival.ok(recordCalls.queryRefusedLogins, {})).total).toBe(0);
    expect((await rival.ok(recordCalls.queryRefusedLogins, { productId })).total).toBe(0);
  });

  it('are limited to the latest 1,000 of a tenant', async () => {
    const tenancyId = await hub.create.tenancy();
    const { productId } = await createProductFixture(hub, {}, tenancyId);
    const knock = (serial: number) =>
      tryLogin(hub.url, loginFields({ productId, deviceId: `ghost-${tenancyId}-${serial}`, secret: 'wrong' }));
    for (let from = 0; from < 1_050; from += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => knock(from + index)));
    const kept = () =>
      hub.records
        .selectFrom('connect_record')
        .select('device_id')
        .where('tenancy_id', '=', tenancyId)
        .orderBy('record_id', 'desc')
        .execute();
    // They are written in batches: a thousand may be there before the last is.
    const last = () => refusedLogins(hub, `ghost-${tenancyId}-1049`);
    await expect.poll(async () => (await last()).length).toBe(1);
    await hub.process.runJob('trim rejections');
    expect(await kept()).toHaveLength(1_000);
    expect(await last()).toHaveLength(1);
    expect(await refusedLogins(hub, `ghost-${tenancyId}-1`)).not.toContainEqual(
      expect.objectContaining({ deviceId: `ghost-${tenancyId}-1` }),
    );
  });
});
