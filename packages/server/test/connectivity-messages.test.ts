import { controlCalls, deviceCalls, modelCalls, recordCalls } from '@device-center/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, deviceLogs, publish, samples, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { event, param, property } from './functions.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { type Identity, login, type RawDevice } from './raw-device.ts';

let hub: Hub;
let fixture: ProductFixture;
let device: RawDevice;
beforeAll(async () => {
  hub = await sharedHub();
  fixture = await createProductFixture(hub);
  await hub.admin.ok(modelCalls.addProductFunctions, {
    productId: fixture.productId,
    functions: [
      property('label', { type: 'string', length: 100 }),
      property('total', { type: 'long' }),
      property('heat', { type: 'double' }),
      event('burnt', [param('hours')]),
    ],
  });
});
beforeEach(async () => {
  device = await connectNewDevice(hub, fixture);
});
afterEach(() => device.end(true));
afterAll(() => hub.close());

const send = (sent: Parameters<RawDevice['seal']>[0]) => publish(device, JSON.stringify(device.seal(sent)));
const report = (properties: object, more: object = {}) => send({ type: 2, payload: { properties }, ...more });
const valuesOf = async (deviceId = device.deviceId) =>
  (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode, value }) => [signCode, value]);
const payloadOf = (answer: { payload: string }) => JSON.parse(answer.payload) as Record<string, unknown>;

describe('an event without parameters of an earlier version', () => {
  it('is still accepted, and its model can still be changed', async () => {
    const earlier = await createProductFixture(hub);
    const { productId } = earlier;
    await hub.admin.ok(modelCalls.addProductFunctions, { productId, functions: [event('burnt')] });
    await hub.db
      .updateTable('product_function')
      .set({ definition: JSON.stringify({ eventType: 'info', output: [] }) })
      .where('product_id', '=', productId)
      .where('sign_code', '=', 'burnt')
      .execute();
    const other = await connectNewDevice(hub, earlier);
    await publish(other, JSON.stringify(other.seal({ type: 3, payload: { event: 'burnt', output: {} } })));
    const [record] = (await upRecords(hub, other.deviceId)).filter((row) => row.message_type === 3);
    expect(record).toMatchObject({ function_type: 22, function_id: 'burnt', code: 200 });
    await other.end();
    await hub.admin.ok(modelCalls.addProductFunction, { productId, ...property('fresh') });
    const list = await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
    expect(list.map(({ signCode }) => signCode)).toEqual(expect.arrayContaining(['burnt', 'fresh']));
  });
});

describe('message types', () => {
  it('1: answers with time, token, model and configuration', async () => {
    const answer = await ask(device, { type: 1, payload: { op: 'online', versionNumber: '1.2', modelVersion: 1 } });
    const { modelVersion, ...rest } = payloadOf(answer);
    expect(answer.code).toBe(200);
    expect(modelVersion).toBe(2);
    expect(rest.config).toEqual({ loggerLevel: 4, realTimePushSwitch: 0, haZoneId: 1 });
    expect(Math.abs(Number(rest.time) - Date.now())).toBeLessThan(30_000);
    expect(Number(rest.tokenExpireIn)).toBeGreaterThan(86_000);
    expect((await ask(device, { type: 1, payload: { op: 'offline' } })).code).toBe(200);
  });

  // Spec 9.23
  it('2 and 3: are acknowledged after they are stored, without a response', async () => {
    await report({ power: true, color: { red: 1, green: 2, blue: 3 }, total: '9223372036854775807', heat: 1e308 });
    await send({ type: 3, payload: { event: 'burnt', output: { hours: 5 } } });
    const rows = await upRecords(hub, device.deviceId);
    expect(rows.map((row) => [row.message_type, row.function_type, row.function_id, row.code])).toEqual([
      [2, 1, '*', 200],
      [3, 22, 'burnt', 200],
    ]);
    expect(await valuesOf()).toEqual(
      expect.arrayContaining([
        ['power', true],
        ['color', { red: 1, green: 2, blue: 3 }],
        ['total', '9223372036854775807'],
        ['heat', 1e308],
      ]),
    );
    expect((await ask(device, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
    expect(device.received).toHaveLength(1);
  });

  it("5: changes the device's attributes", async () => {
    const identity = { mac: '00:aa', versionNumber: '9.9', hardware: 'rev B', sdk: 'c 1.0' };
    const answer = await ask(device, { type: 5, payload: identity });
    expect([answer.code, payloadOf(answer)]).toEqual([200, {}]);
    expect(await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: device.deviceId })).toMatchObject(identity);
  });

  it('7: stores the bytes unchanged, up to 64 KiB', async () => {
    for (const bytes of [0, 1, 2, 3, 65_536]) {
      const payload = Buffer.alloc(bytes, 7).toString('base64');
      await send({ type: 7, payload });
      expect((await upRecords(hub, device.deviceId)).at(-1)?.value).toBe(payload);
    }
    expect(device.received).toEqual([]);
  });

  it('10: answers time, model and configuration, as requested', async () => {
    const answer = await ask(device, { type: 10, payload: { ask: ['time', 'model', 'config'] } });
    const { time, model, config } = payloadOf(answer) as {
      time: number;
      model: { version: number; functions: { signCode: string }[] };
      config: object;
    };
    expect(Math.abs(time - Date.now())).toBeLessThan(30_000);
    expect(model.version).toBe(2);
    const codes = (
      await hub.admin.ok(modelCalls.getDeviceFunctionDefinitionList, { productId: fixture.productId })
    ).map(({ signCode }) => signCode);
    expect(model.functions.map(({ signCode }) => signCode).sort()).toEqual(codes.sort());
    expect(config).toEqual({ loggerLevel: 4, realTimePushSwitch: 0, haZoneId: 1 });
    expect(Object.keys(payloadOf(await ask(device, { type: 10, payload: { ask: ['time'] } })))).toEqual(['time']);
  });

  it('10: notifies of a changed model, and validates by the new one', async () => {
    const other = await createProductFixture(hub);
    const lamp = await connectNewDevice(hub, other);
    await hub.admin.ok(modelCalls.addProductFunctions, { productId: other.productId, functions: [property('fresh')] });
    const told = await lamp.next(({ type, dataFlow }) => type === 10 && dataFlow === 0);
    expect(JSON.parse(told.payload)).toEqual({ changed: ['model'] });
    await lamp.send({ type: 2, payload: { properties: { fresh: 5 } } });
    expect(await samples(hub, lamp.deviceId)).toHaveLength(1);
    expect(device.received).toEqual([]);
    await lamp.end();
  });

  it('10: notifies of a changed configuration, with its content', async () => {
    const lamp = await connectNewDevice(hub, fixture);
    await hub.admin.ok(controlCalls.configHaArea, { deviceId: lamp.deviceId, haZoneId: 2 });
    const told = await lamp.next(({ type, dataFlow }) => type === 10 && dataFlow === 0);
    expect(JSON.parse(told.payload)).toEqual({ changed: ['config'] });
    const { payload } = await lamp.ask({ type: 10, payload: { ask: ['config'] } });
    expect(JSON.parse(payload)).toEqual({ config: { loggerLevel: 4, realTimePushSwitch: 0, haZoneId: 2 } });
    await lamp.end();
  });
});

describe('unusual texts', () => {
  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800b'],
    ['a pair', '😀'],
    ['quotes and lines', '"\\\n\u2028'],
  ])('are returned as they were sent: %s', async (_what, label) => {
    const payload = JSON.stringify({ properties: { label } });
    await send({ type: 2, payload });
    expect(await valuesOf()).toEqual([['label', label]]);
    const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId: device.deviceId });
    expect((JSON.parse(list[0]?.envelope ?? '{}') as { payload: string }).payload).toBe(payload);
  });

  it('are safe in the raw payload, in a name, in a log line', async () => {
    const odd = 'x\0y\ud800z';
    expect((await ask(device, { type: 2, payload: odd })).code).toBe(40001);
    expect((await ask(device, { type: 2, payload: { properties: { [odd]: 1 } } })).code).toBe(40006);
    expect((await ask(device, { type: 3, payload: { event: odd } })).code).toBe(40006);
    expect((await ask(device, { type: 1, payload: { op: 'online', mac: 'a\0' } })).code).toBe(40001);
    // Valid in size and form, but not a log line.
    expect((await ask(device, { type: 6, payload: { logs: [{ level: 5, time: 1, log: 'a\0b' }] } })).code).toBe(40001);
    await send({ type: 6, payload: { logs: [{ level: 5, time: 1, log: 'a\ud800b' }] } });
    expect(await deviceLogs(hub, device.deviceId)).toHaveLength(1);
    expect((await hub.admin.call(recordCalls.deviceMessageRecord, { deviceId: device.deviceId })).success).toBe(true);
    expect((await hub.admin.call(recordCalls.queryDeviceLogList, { deviceId: device.deviceId })).success).toBe(true);
    expect((await hub.admin.call(recordCalls.deviceConnectRecord, { deviceId: device.deviceId })).success).toBe(true);
  });
});

describe('device logs', () => {
  const line = (level: number, log = `level ${level}`, time = Date.now()) => ({ level, time, log });

  // Spec 9.18
  it('are stored from the device’s own level up, 100 lines of 4 KB at once', async () => {
    await send({ type: 6, payload: { logs: [2, 3, 4, 5, 6, 7].map((level) => line(level)) } });
    expect((await deviceLogs(hub, device.deviceId)).map(({ level }) => level)).toEqual([4, 5, 6, 7]);
    await send({ type: 6, payload: { logs: Array.from({ length: 100 }, () => line(5, 'x'.repeat(1_000))) } });
    await send({ type: 6, payload: { logs: [line(5, 'x'.repeat(4_096))] } });
    expect(await deviceLogs(hub, device.deviceId)).toHaveLength(105);
    expect(device.received).toEqual([]);
  });

  it('follow the level of an operator once the device has applied it', async () => {
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    const set = hub.admin.ok(controlCalls.configLogLevel, { deviceId, logLevel: 6 });
    await device.respond(await device.next(({ type }) => type === 4), 200, { output: {} });
    expect(await set).toMatchObject({ status: 'answered' });
    await send({ type: 6, payload: { logs: [line(5), line(6)] } });
    expect((await deviceLogs(hub, deviceId)).map(({ level }) => level)).toEqual([6]);
  });
});

describe('the time of a sample', () => {
  const times = async () => (await samples(hub, device.deviceId)).map((row) => row.sample_time);

  it('is its own, otherwise the envelope’s; more than 5 minutes ahead it is the hub’s', async () => {
    const now = Date.now();
    await send({ type: 2, payload: { properties: { power: true }, time: now - 86_400_000 } });
    await report({ power: false }, { timestamp: now - 5_000 });
    await send({ type: 2, payload: { properties: { power: true }, time: now + 4 * 60_000 } });
    expect(await times()).toEqual([now - 86_400_000, now - 5_000, now + 4 * 60_000]);
    await send({ type: 2, payload: { properties: { power: true }, time: now + 6 * 60_000 } });
    await report({ power: true }, { timestamp: now + 6 * 60_000 });
    for (const time of (await times()).slice(3)) expect(Math.abs(time - now)).toBeLessThan(60_000);
  });

  it('determines the latest value: an older sample does not replace a newer one', async () => {
    const now = Date.now();
    await send({ type: 2, payload: { properties: { brightness: 5 }, time: now } });
    await send({ type: 2, payload: { properties: { brightness: 6 }, time: now - 1_000 } });
    expect(await valuesOf()).toEqual([['brightness', 5]]);
    await send({ type: 2, payload: { properties: { brightness: 7 }, time: now } });
    expect(await valuesOf()).toEqual([['brightness', 7]]);
  });
});

describe('a previous session', () => {
  it('of another device is rejected', async () => {
    const who: Identity = { ...device, deviceId: `${device.deviceId}-b`, secret: fixture.productSecret };
    const { sessionId } = await login(hub.url, who);
    expect((await ask(device, { type: 2, payload: { properties: { power: true } }, sessionId })).code).toBe(40101);
    expect(await samples(hub, device.deviceId)).toEqual([]);
  });
});
