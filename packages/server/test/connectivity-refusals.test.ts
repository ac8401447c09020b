import { deviceCalls, deviceCodes, modelCalls, recordCalls } from '@device-center/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, deviceLogs, publish, refusedLogins, samples, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { event, integer, param, property } from './functions.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import type { RawDevice } from './raw-device.ts';

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
      property('points', { type: 'array', element: integer(0, 9), count: 3 }),
      event('burnt', [param('hours', integer(0, 10))]),
    ],
  });
});
beforeEach(async () => {
  device = await connectNewDevice(hub, fixture);
});
afterEach(() => device.end(true));
afterAll(() => hub.close());

type Sent = Parameters<RawDevice['seal']>[0];
const report = (properties: unknown, more: Partial<Sent> = {}): Sent => ({ type: 2, payload: { properties }, ...more });
const line = (log: string, level = 5) => ({ level, time: Date.now(), log });

/** Nothing of it is data: no sample, no latest value, no log. */
const expectNoData = async (): Promise<void> => {
  expect(await samples(hub, device.deviceId)).toEqual([]);
  expect(await deviceLogs(hub, device.deviceId)).toEqual([]);
  expect(await hub.admin.ok(recordCalls.getLatestValues, { deviceId: device.deviceId })).toEqual([]);
  // The stored part of it is readable.
  expect((await hub.admin.call(recordCalls.deviceMessageRecord, { deviceId: device.deviceId })).statusCode).toBe(200);
};

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const refusals: [code: number, what: string, sent: () => Sent][] = [
  [40002, 'a wrong length', () => report({ power: true }, { length: 5 })],
  [40002, 'a length in characters', () => report({ label: '灯' }, { length: '{"properties":{"label":"灯"}}'.length })],
  [40003, 'another version', () => report({ power: true }, { version: '1.0.0' })],
  [40004, 'an unknown type', () => ({ type: 11, payload: {} })],
  [40004, 'a type below', () => ({ type: 0, payload: {} })],
  [40004, 'a service from below', () => ({ type: 4, payload: { service: 'fadeTo', input: {} } })],
  [40307, 'another tenant', () => report({ power: true }, { tenantId: '2' })],
  [40307, 'a mock’s constant from a real device', () => report({ power: true }, { tenantId: '3' })],
  [40101, 'a wrong token', () => report({ power: true }, { token: 'wrong' })],
  [40101, 'no token', () => report({ power: true }, { token: '' })],
  [40101, 'an unknown session', () => report({ power: true }, { sessionId: 'wrong' })],
  [40103, 'a wrong signature', () => report({ power: true }, { signature: 'f'.repeat(64) })],
  [40103, 'another method than at the log-in', () => report({ power: true }, { signMethod: 'md5' })],
  [40309, 'another device’s id', () => report({ power: true }, { deviceId: 'somebody' })],
  [40308, 'a child behind no gateway', () => ({ type: 8, payload: { op: 'login', child: childFields() } })],
  [40309, 'a log-out of nobody', () => ({ type: 8, payload: { op: 'logout', deviceId: 'somebody' } })],
  [40006, 'an unknown property', () => report({ nothing: 1 })],
  [40006, 'an unknown one beside a known one', () => report({ power: true, nothing: 1 })],
  [40006, 'a service as a property', () => report({ fadeTo: 1 })],
  [40006, 'constructor', () => report({ constructor: 1 })],
  [40006, 'an unknown event', () => ({ type: 3, payload: { event: 'nothing', output: {} } })],
  [40006, 'a property as an event', () => ({ type: 3, payload: { event: 'power', output: {} } })],
  [40005, 'a text for a boolean', () => report({ power: 'yes' })],
  [40005, 'a number out of bounds', () => report({ brightness: 101 })],
  [40005, 'a fraction for a whole number', () => report({ brightness: 1.5 })],
  [40005, 'a number for a long', () => report({ total: 5 })],
  [40005, 'a long beyond 64 bits', () => report({ total: '9223372036854775808' })],
  [40005, 'infinity', () => ({ type: 2, payload: '{"properties":{"heat":1e999}}' })],
  [40005, 'null', () => report({ power: null })],
  [40005, 'too many in a list', () => report({ points: [1, 2, 3, 4] })],
  [40005, 'a list that is very deep', () => ({ type: 2, payload: `{"properties":{"points":${deep(50_000)}}}` })],
  [40005, 'an event’s output that is missing', () => ({ type: 3, payload: { event: 'burnt', output: {} } })],
  [
    40005,
    'an event’s output too much',
    () => ({ type: 3, payload: { event: 'burnt', output: { hours: 1, more: 1 } } }),
  ],
  [40001, 'a time beyond all calendars', () => report({ power: true }, { timestamp: 8.64e15 + 1 })],
  [40001, 'no JSON', () => ({ type: 2, payload: 'power on' })],
  [40001, 'no properties', () => report({})],
  [40001, 'a list of properties', () => report([true])],
  [40001, 'a field that nobody knows', () => ({ type: 2, payload: { properties: { power: true }, more: 1 } })],
  [40001, 'a time that is none', () => ({ type: 2, payload: { properties: { power: true }, time: 'now' } })],
  [40001, 'JSON without end', () => ({ type: 2, payload: '['.repeat(60_000) })],
  [40001, 'an unknown operation', () => ({ type: 1, payload: { op: 'sleep' } })],
  [40001, 'an identity that is none', () => ({ type: 5, payload: { mac: 5 } })],
  [40001, 'a child that is none', () => ({ type: 8, payload: { op: 'login', child: {} } })],
  [40001, 'a renewal with something in it', () => ({ type: 9, payload: { token: 'mine' } })],
  [40001, 'a question that is none', () => ({ type: 10, payload: { ask: ['secrets'] } })],
  [40001, 'no log lines', () => ({ type: 6, payload: { logs: [] } })],
  [40001, 'a level that is none', () => ({ type: 6, payload: { logs: [line('x', 8)] } })],
  [40001, '101 log lines', () => ({ type: 6, payload: { logs: Array.from({ length: 101 }, () => line('x')) } })],
  [41301, 'a line of more than 4 KB', () => ({ type: 6, payload: { logs: [line('x'), line('灯'.repeat(1_366))] } })],
  [40001, 'no base64', () => ({ type: 7, payload: 'not base64!' })],
  [41301, 'more than 64 KiB by one', () => ({ type: 7, payload: Buffer.alloc(65_537).toString('base64') })],
];

const childFields = () => ({
  productId: fixture.productId,
  deviceId: 'child',
  timestamp: Date.now(),
  nonce: 'nonce12345',
  signMethod: 'md5',
  signature: 'x',
});

describe('an acknowledged but rejected message', () => {
  // Spec 9.23
  it.each(refusals)('is answered with %i for %s; none of it is stored as data', async (code, _what, sent) => {
    const answer = await ask(device, sent());
    expect([answer.code, answer.type]).toEqual([code, sent().type]);
    expect(answer.message).not.toBe('');
    await expectNoData();
    expect(device.client.connected).toBe(true);
  });

  it.each([
    [1, { op: 'sleep' }],
    [5, { mac: 5 }],
    [8, { op: 'logout' }],
    [9, { token: 'mine' }],
    [10, { ask: ['secrets'] }],
  ])('is recorded with its code: type %i with %o', async (type, payload) => {
    await ask(device, { type, payload });
    const rows = await upRecords(hub, device.deviceId);
    expect(rows.map((row) => [row.message_type, row.code])).toEqual([[type, deviceCodes.MALFORMED.number]]);
    await expect
      .poll(async () => (await refusedLogins(hub, device.deviceId)).map(({ reason, place }) => [reason, place]))
      .toEqual([['MALFORMED', 'message']]);
  });

  it('is recorded with the path of the invalid value', async () => {
    const answer = await ask(device, report({ power: true, points: [1, 10] }));
    expect([answer.code, answer.message]).toEqual([40005, expect.stringContaining('points[1]')]);
    const output = await ask(device, { type: 3, payload: { event: 'burnt', output: { hours: 11 } } });
    expect(output.message).toContain('output.hours');
  });

  it("has a reason in the reader's language; one of an earlier version is shown unchanged", async () => {
    const { deviceId } = device;
    await ask(device, report({ points: [1, 10] }));
    const inLanguage = async (language: string): Promise<string[]> => {
      const { list } = await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId, status: 3 }, { language });
      const { list: refused } = await hub.admin.ok(recordCalls.queryRefusedLogins, { deviceId }, { language });
      return [...list, ...refused].map(({ detail }) => detail);
    };
    const [english, chinese] = ['points[1]: Must not be above 9', 'points[1]: 不能大于 9'];
    await expect.poll(() => inLanguage('en-US')).toEqual([english, english]);
    expect(await inLanguage('zh-CN')).toEqual([chinese, chinese]);
    const earlier = { detail: english };
    await hub.records
      .updateTable('connect_record')
      .set(earlier)
      .where('device_id', '=', deviceId)
      .where('status', '=', 3)
      .execute();
    expect(await inLanguage('zh-CN')).toEqual([english, english]);
    await hub.records
      .updateTable('connect_record')
      .set({ detail: '{"key":"NO_SUCH"}' })
      .where('device_id', '=', deviceId)
      .where('status', '=', 3)
      .execute();
    expect(await inLanguage('zh-CN')).toEqual(['{"key":"NO_SUCH"}', '{"key":"NO_SUCH"}']);
  });

  it('has a reason on the page of the offline device, in the reader’s language', async () => {
    const { deviceId } = device;
    await ask(device, report({ points: [1, 10] }));
    await device.end();
    const why = async () =>
      (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId }, { language: 'zh-CN' })).why.map(
        ({ kind, detail }) => [kind, detail],
      );
    await expect.poll(async () => (await why()).map(([kind]) => kind)).toContain('disconnected');
    // The disconnect is newer than the rejection and replaces it as the reason.
    await hub.records.deleteFrom('connect_record').where('device_id', '=', deviceId).where('status', '=', 2).execute();
    await expect.poll(why).toContainEqual(['refused', 'points[1]: 不能大于 9']);
  });

  const unreadable: [string, (envelope: Record<string, unknown>) => string | Buffer][] = [
    ['nothing', () => ''],
    ['no JSON', () => 'hello'],
    ['null', () => 'null'],
    ['a list', () => '[]'],
    ['a field too few', ({ timestamp: _, ...rest }) => JSON.stringify(rest)],
    ['a field too many', (rest) => JSON.stringify({ ...rest, more: 1 })],
    ['a prototype', (rest) => JSON.stringify(rest).replace('{', '{"__proto__":{"code":200},')],
    ['a payload that is an object', (rest) => JSON.stringify({ ...rest, payload: { properties: {} } })],
    ['a type that is a text', (rest) => JSON.stringify({ ...rest, type: '2' })],
    ['a direction that is none', (rest) => JSON.stringify({ ...rest, dataFlow: 2 })],
    ['a number with a sign', (rest) => JSON.stringify({ ...rest, dataId: '-1' })],
    ['a number with a zero', (rest) => JSON.stringify({ ...rest, dataId: '010' })],
    ['a number beyond 2^53', (rest) => JSON.stringify({ ...rest, dataId: '9007199254740993' })],
    ['very deep JSON', () => '{"a":'.repeat(20_000)],
  ];
  it.each(unreadable)('gets 40001 when the envelope is %s', async (_what, corruptCell) => {
    await publish(device, corruptCell(device.seal(report({ power: true }))));
    const answer = await device.next(({ dataFlow }) => dataFlow === 1);
    expect(answer.code).toBe(40001);
    expect(await upRecords(hub, device.deviceId)).toEqual([]);
    expect((await ask(device, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
    expect((await hub.admin.call(recordCalls.deviceMessageRecord, { deviceId: device.deviceId })).statusCode).toBe(200);
  });

  it('is rejected when it is not UTF-8, before any other check', async () => {
    await publish(device, Buffer.from(JSON.stringify(device.seal(report({ label: 'é' }))), 'latin1'));
    const { code } = await device.next(({ dataFlow }) => dataFlow === 1);
    expect([40001, 40002, 40103]).toContain(code);
    await expectNoData();
  });

  it('gets 41301 beyond 128 KiB, and stays connected', async () => {
    const empty = JSON.stringify(device.seal({ type: 2, payload: '' })).length;
    const fill = (bytes: number): string => {
      const room = bytes - empty;
      const message = JSON.stringify(device.seal({ type: 2, payload: 'x'.repeat(room) }));
      // Its length has digits of its own.
      return JSON.stringify(device.seal({ type: 2, payload: 'x'.repeat(room - (message.length - bytes)) }));
    };
    const largest = fill(128 * 1_024);
    expect(largest.length).toBe(128 * 1_024);
    await publish(device, largest);
    await device.next(({ code }) => code === 40001);
    await publish(device, fill(128 * 1_024 + 1));
    expect((await device.next(({ code }) => code === 41301)).dataFlow).toBe(1);
    await expectNoData();
    expect((await ask(device, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
  });
});

describe('keys of Object.prototype', () => {
  it.each([
    '{"properties":{"__proto__":1}}',
    '{"properties":{"power":true,"__proto__":{"brightness":5}}}',
    '{"properties":{"color":{"red":1,"green":1,"blue":1,"__proto__":1}}}',
    '{"properties":{"power":true},"__proto__":{"time":1}}',
  ])('are rejected like any other key that is not in the model: %s', async (payload) => {
    const answer = await ask(device, { type: 2, payload });
    expect([40001, 40005, 40006]).toContain(answer.code);
    await expectNoData();
  });
});
