import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { createDevice, type Device, DeviceError, type DeviceOptions, type Step } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { sendSystemService } from './upgrade-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;
beforeAll(async () => {
  hub = await sharedHub();
  shop = await createProductFixture(hub);
});
afterAll(() => hub.close());

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const lamp = (more: Partial<DeviceOptions> = {}): Device => {
  const { productId, productSecret } = shop;
  const device = createDevice({ hubUrl: hub.url, productId, deviceId: unique('lamp'), productSecret, ...more });
  devices.push(device);
  return device;
};

/** Online in the hub's own eyes too, which commands go by. */
const started = async (more: Partial<DeviceOptions> = {}): Promise<Device> => {
  const device = lamp(more);
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  return device;
};

const next = <Name extends Parameters<Device['on']>[0]>(device: Device, name: Name) =>
  new Promise<Parameters<Parameters<typeof device.on<Name>>[1]>[0]>((resolve) => device.on(name, resolve));

const command = async (deviceId: string, functionId: string, functionValue: unknown) => {
  const sent = { deviceId, functionId, functionValue };
  return (await hub.admin.call(controlCalls.commandDeviceFunction, sent, { as: 'json' })).data;
};

const latest = async (deviceId: string) =>
  Object.fromEntries(
    (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode, value }) => [signCode, value]),
  );

describe.each([
  ['tcp', 5, 'hmacsha256'],
  ['tcp', 4, 'md5'],
  ['ws', 5, 'md5'],
  ['ws', 4, 'hmacsha256'],
] as const)('a device over %s, MQTT %d, %s', (transport, protocolVersion, signMethod) => {
  it('connects step by step, reports, executes commands and disconnects', async () => {
    const device = lamp({ transport, protocolVersion, signMethod, versionNumber: '3.1.4', mac: '00:11:22' });
    const { deviceId } = device;
    const steps: Step[] = [];
    device.on('step', (step) => steps.push(step));
    await device.start();
    expect(steps).toEqual(['login', 'bucket', 'connect', 'subscribe', 'online'].map((step) => ({ step, ok: true })));
    await expectOnline(hub, deviceId, 1);
    expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
      versionNumber: '3.1.4',
      mac: '00:11:22',
      transport,
    });

    await device.report({ power: true });
    expect(await latest(deviceId)).toEqual({ power: true });

    device.onSet((properties) => properties);
    expect(await command(deviceId, 'power', false)).toMatchObject({ status: 'answered', output: { power: false } });
    expect(await latest(deviceId)).toEqual({ power: false });

    await device.stop();
    await expectOnline(hub, deviceId, 2);
    const { list } = await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId });
    expect(list.map(({ status, reason }) => [status, reason])).toEqual([
      [2, 'byDevice'],
      [1, ''],
    ]);
  });
});

describe('the secret of a device', () => {
  it('is passed to the application for storage, and sufficient for the next start', async () => {
    const deviceId = unique('lamp');
    const kept: string[] = [];
    const first = lamp({ deviceId, onSecret: (secret) => void kept.push(secret) });
    await first.start();
    await first.report({ power: true });
    await first.stop();
    const second = lamp({ deviceId, productSecret: undefined, secret: kept[0] });
    expect(kept).toHaveLength(1);
    await second.start();
    await second.report({ power: false });
    expect(await latest(deviceId)).toEqual({ power: false });
    // The device secret has been used: the product's is invalid.
    const thief = lamp({ deviceId, backoff: { slow: 600_000 } });
    const refused = next(thief, 'refused');
    thief.start().catch(() => undefined);
    expect((await refused).refusal.codeName).toBe('SIGNATURE');
  });

  it('that could not be stored is not used: the device can still log in with its product’s', async () => {
    const deviceId = unique('lamp');
    const careless = lamp({
      deviceId,
      onSecret: () => {
        throw new Error('disk full');
      },
    });
    await expect(careless.login()).rejects.toThrow('disk full');
    const later = lamp({ deviceId });
    await later.start();
    await later.report({ power: true });
    expect(await latest(deviceId)).toEqual({ power: true });
  });
});

it('reports a value that does not fit as rejected, and drops it', async () => {
  const device = lamp();
  await device.start();
  const refused = next(device, 'refused');
  await device.report({ power: 'perhaps' }).catch(() => undefined);
  expect((await refused).refusal).toMatchObject({ codeName: 'VALUE', code: 40005 });
  expect(await latest(device.deviceId)).toEqual({});
});

describe('commands', () => {
  it('are answered with the code of the handler, and UNSUPPORTED without one', async () => {
    const device = await started();
    expect(await command(device.deviceId, 'power', true)).toMatchObject({ status: 'failed', code: 60003 });
    device.onSet(() => {
      throw new DeviceError('BUSY', 'warming up');
    });
    expect(await command(device.deviceId, 'power', true)).toMatchObject({ code: 60002, message: 'warming up' });
    device.onSet(() => {
      throw new Error('lid open');
    });
    expect(await command(device.deviceId, 'power', true)).toMatchObject({ code: 60001, message: 'lid open' });
  });

  it('of the system are stored and executed: a log below the level is not sent', async () => {
    const device = await started();
    const { deviceId } = device;
    expect(await hub.admin.ok(controlCalls.configLogLevel, { deviceId, logLevel: 5 })).toMatchObject({ code: 200 });
    expect(device.settings.loggerLevel).toBe(5);
    await Promise.all([device.log(4, 'quiet'), device.log(6, 'loud'), device.log(5, 'heard')]);
    const { list } = await hub.admin.ok(recordCalls.queryDeviceLogList, { deviceId });
    expect(list.map(({ log }) => log).sort()).toEqual(['heard', 'loud']);
    expect(await hub.admin.ok(controlCalls.configLogSwitch, { deviceId, logSwitch: 1 })).toMatchObject({ code: 200 });
    expect(device.settings.realTimePushSwitch).toBe(1);
  });

  it('of the system with invalid input are rejected, and change nothing', async () => {
    const device = await started();
    const before = device.settings;
    const wrong = { logLevel: { logLevel: 9 }, logSwitch: { logSwitch: 7 }, restart: { type: 3 } };
    for (const [service, input] of Object.entries(wrong))
      expect(await sendSystemService(hub, device.deviceId, service, input)).toBe(40_001);
    expect(device.settings).toEqual(before);
    expect(device.online).toBe(true);
  });

  // Spec 1.10, 4.18, 7.76
  it('logs in again on restart: with another session, and dataIds from 10000 on', async () => {
    const device = await started();
    const { deviceId } = device;
    await device.report({ power: true });
    const back = next(device, 'online');
    expect(await hub.admin.ok(controlCalls.reboot, { deviceId, type: 1 })).toMatchObject({ code: 200 });
    await back;
    await device.report({ power: false });
    const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 2, dataFlow: 1 });
    expect(list.map(({ messageId }) => messageId)).toEqual(['10001', '10001']);
    expect(new Set(list.map(({ sessionId }) => sessionId)).size).toBe(2);
  });
});

it('requests the model and the time', async () => {
  const device = lamp();
  await device.start();
  const { model, time } = await device.sync(['model', 'time']);
  expect(model?.functions.map(({ signCode }) => signCode)).toContain('power');
  expect(Math.abs((time ?? 0) - Date.now())).toBeLessThan(60_000);
});

it('reports its identity, and raw bytes', async () => {
  const device = lamp({ hardware: 'rev B' });
  const { deviceId } = device;
  await device.start();
  await device.identity({ versionNumber: '9.9.9' });
  expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ versionNumber: '9.9.9' });
  await device.transparent(Uint8Array.from([0, 255, 10]));
  const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 7 });
  expect(list.map(({ envelope }) => JSON.parse(envelope).payload)).toEqual(['AP8K']);
  await expect(device.transparent(new Uint8Array(65_537))).rejects.toMatchObject({ word: 'TOO_LARGE' });
  await expect(device.event('x'.repeat(200_000))).rejects.toMatchObject({ word: 'TOO_LARGE' });
  await expect(device.report({ brightness: 1n })).rejects.toThrow(TypeError);
});

it('corrects a clock that is an hour off by the hub’s, and reports with the correct time', async () => {
  const device = lamp({ now: () => Date.now() - 3_600_000 });
  await device.start();
  await device.report({ power: true });
  const [value] = await hub.admin.ok(recordCalls.getLatestValues, { deviceId: device.deviceId });
  expect(Math.abs(Date.parse(value?.time ?? '') - Date.now())).toBeLessThan(30_000);
});

// Spec 4.20
it('is disconnected when blacklisted, reports it, retries slowly, and reconnects on demand', async () => {
  const device = await started({ backoff: { first: 20, max: 100, slow: 600_000 } });
  const words: string[] = [];
  const delays: number[] = [];
  device.on('refused', ({ refusal }) => words.push(refusal.codeName));
  device.on('waiting', ({ delay }) => delays.push(delay));
  await hub.admin.ok(controlCalls.markBlack, { idList: [device.deviceId], op: 1 });
  await expect.poll(() => words.at(-1)).toBe('BLACKLISTED');
  await expect.poll(() => delays.at(-1)).toBeGreaterThan(400_000);
  expect(device.online).toBe(false);
  await hub.admin.ok(controlCalls.markBlack, { idList: [device.deviceId], op: 0 });
  const back = next(device, 'online');
  await device.reconnect();
  await back;
});

it('disconnects when kicked, and is rejected until it is released', async () => {
  const device = await started({ backoff: { first: 20, max: 100, slow: 600_000 } });
  const { deviceId } = device;
  const words: string[] = [];
  device.on('refused', ({ refusal }) => words.push(refusal.codeName));
  const kicked = next(device, 'kicked');
  await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
  expect((await kicked).untilTime).toBeGreaterThan(Date.now());
  expect(device.session).toBeNull();
  const why = async () => (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).why;
  await expect.poll(why).toContainEqual(expect.objectContaining({ kind: 'disconnected', cause: 'kicked' }));
  await device.reconnect();
  await expect.poll(() => words.at(-1)).toBe('KICKED');
  await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 0 });
  const back = next(device, 'online');
  await device.reconnect();
  await back;
});

it('runs step by step, as in a control panel', async () => {
  const device = lamp();
  await expect(device.findBucket()).rejects.toThrow('not logged in');
  await device.login();
  expect((await device.findBucket()).clientId).toBe(device.deviceId);
  await device.connect();
  await device.subscribe();
  expect(device.online).toBe(false);
  await device.goOnline();
  await device.report({ power: true });
  expect(await latest(device.deviceId)).toEqual({ power: true });
  await device.relogin();
  await device.report({ power: false });
  expect(await latest(device.deviceId)).toEqual({ power: false });
});

describe('events of the SDK', () => {
  it('expose the session: the next dataId, the token’s expiry, and the topics', async () => {
    const device = lamp({ now: () => Date.now() - 3_600_000, firstDataId: 10_000 });
    expect(device.session).toBeNull();
    await device.login();
    expect(device.session).toMatchObject({ nextDataId: 10_000, topics: null });
    await device.reconnect();
    const { session } = device;
    expect(session?.topics?.down).toMatch(new RegExp(`/${shop.productId}/${device.deviceId}/down$`));
    const left = (session?.expiresAt ?? 0) - (Date.now() - 3_600_000);
    expect(left).toBeGreaterThan(60_000);
    await device.report({ power: true });
    expect(device.session).toMatchObject({ sessionId: session?.sessionId, nextDataId: (session?.nextDataId ?? 0) + 1 });
  });

  it('report each step when it starts, before its result', async () => {
    const device = lamp();
    const told: string[] = [];
    device.on('trying', ({ step }) => told.push(`${step}?`));
    device.on('step', ({ step, ok }) => told.push(`${step} ${ok}`));
    await device.start();
    const names = ['login', 'bucket', 'connect', 'subscribe', 'online'];
    expect(told).toEqual(names.flatMap((name) => [`${name}?`, `${name} true`]));
  });

  it('report that another connection of the same device replaced this one', async () => {
    const SESSION_TAKEN_OVER = 0x8e;
    const kept: string[] = [];
    const first = await started({ onSecret: (secret) => void kept.push(secret) });
    const offline = next(first, 'offline');
    const second = lamp({ deviceId: first.deviceId, productSecret: undefined, secret: kept[0] });
    await second.start();
    expect(await offline).toMatchObject({ deviceId: first.deviceId, reasonCode: SESSION_TAKEN_OVER });
    await first.stop();
    expect(second.online).toBe(true);
  });
});
