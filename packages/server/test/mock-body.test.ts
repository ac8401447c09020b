import { controlCalls, type Envelope, mockCalls, recordCalls } from '@device-center/contract';
import type { Mock } from '@device-center/virtual-device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, connectCode, connectRows, expectLatestEvent, upRecords, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { addMock, createMockProducts, type MockProducts, mockDetails, startMock } from './mock-fixtures.ts';
import { connectDevice, getBucket, login, type RawDevice } from './raw-device.ts';

let hub: Hub;
let products: MockProducts;
beforeAll(async () => {
  hub = await sharedHub();
  products = await createMockProducts(hub);
});
afterAll(() => hub.close());

const running: Mock[] = [];
afterEach(() => Promise.all(running.splice(0).map((mock) => mock.stop())));

/** A mock device that is online, with its children mounted. */
const alive = async (children = 0): Promise<Mock & { deviceId: string; childIds: string[] }> => {
  const deviceId = await addMock(hub, products, { children });
  const mock = await startMock(hub, deviceId);
  running.push(mock);
  await mock.device.start();
  mock.mountAll();
  for (const id of mock.deviceIds) await expectOnline(hub, id, 1);
  return Object.assign(mock, { deviceId, childIds: mock.deviceIds.slice(1) });
};

/** The same, by the protocol's page alone. */
const rawMock = async (): Promise<RawDevice> => {
  const deviceId = await addMock(hub, products);
  const { productId, deviceSecret: secret } = await mockDetails(hub, deviceId);
  return connectDevice(hub.url, { productId, deviceId, secret, signMethod: 'md5' });
};

const command = async (deviceId: string, functionId: string, value: unknown, timeout = 10_000) => {
  const sent = { deviceId, functionId, functionValue: JSON.stringify(value), timeout };
  return (await hub.admin.call(controlCalls.commandDeviceFunction, sent)).data;
};

const power = (value: boolean) => ({ kind: 'property' as const, name: '', value: { power: value } });
const latest = async (deviceId: string): Promise<Record<string, unknown>> => {
  const values = await hub.admin.ok(recordCalls.getLatestValues, { deviceId });
  return Object.fromEntries(values.map(({ signCode, value }) => [signCode, value]));
};

describe('the constants of a mock device', () => {
  const THREE = { type: 2, payload: { properties: { power: true } }, tenantId: '3' };

  // Spec 9.25-9.27, 9.29
  it('are tenant 3, version 1.0.1, md5, a counter from 10000, and a WebSocket', async () => {
    const passing: Envelope[] = [];
    const deviceId = await addMock(hub, products);
    const mock = await startMock(hub, deviceId);
    running.push(mock);
    const steps: [string, boolean][] = [];
    mock.device.on('step', ({ step, ok }) => steps.push([step, ok]));
    mock.device.on('message', ({ direction, envelope }) => direction === 'up' && passing.push(envelope));
    await mock.device.start();
    expect(steps.map(([step]) => step)).toEqual(['login', 'bucket', 'connect', 'subscribe', 'online']);
    expect(steps.every(([, ok]) => ok)).toBe(true);
    await mock.send({ deviceId, ...power(true) });
    await mock.send({ deviceId, ...power(false) });
    expect(passing.map(({ dataId }) => dataId)).toEqual(['10000', '10001', '10002']);
    for (const envelope of passing)
      expect(envelope).toMatchObject({ tenantId: '3', version: '1.0.1', signMethod: 'md5', deviceId });
    expect((await upRecords(hub, deviceId)).map((row) => row.message_id)).toEqual([10_000, 10_001, 10_002]);
    expect((await connectRows(hub, deviceId))[0]).toMatchObject({ status: 1, transport: 'ws' });
  });

  it('are rejected for a real device: nothing is stored with tenant 3', async () => {
    const real = await connectNewDevice(hub, await createProductFixture(hub));
    expect(await ask(real, THREE)).toMatchObject({ code: 40307 });
    expect(await latest(real.deviceId)).toEqual({});
    await real.end();
  });

  it('are accepted next to its real tenant, and no other tenant is', async () => {
    const device = await rawMock();
    await device.send(THREE);
    await device.send({ ...THREE, tenantId: device.answer.tenantId });
    expect(await ask(device, { ...THREE, tenantId: '4' })).toMatchObject({ code: 40307 });
    const codes = (await upRecords(hub, device.deviceId)).map((row) => row.code);
    expect(codes.filter((code) => code === 200)).toHaveLength(2);
    await device.end();
  });
});

describe('expireMockToken', () => {
  it('disconnects the device, rejects the token everywhere, and allows the next login', async () => {
    const device = await rawMock();
    const { deviceId } = device;
    await hub.admin.ok(mockCalls.expireMockToken, { deviceId });
    await waitForClose(device);
    await expectLatestEvent(hub, deviceId, 2, 'tokenExpired');
    await expect(getBucket(hub.url, device.answer.token)).rejects.toThrow('TOKEN_EXPIRED');
    expect(await connectCode(device.bucket)).toBe(4);
    await expectLatestEvent(hub, deviceId, 3, 'TOKEN_EXPIRED');
    const back = await connectDevice(hub.url, device);
    await expectLatestEvent(hub, deviceId, 1, '');
    await back.end();
  });

  it('makes a running mock device log in again and continue', async () => {
    const mock = await alive();
    const { deviceId } = mock;
    const session = mock.device.session?.sessionId;
    await hub.admin.ok(mockCalls.expireMockToken, { deviceId });
    await expect
      .poll(async () => (await connectRows(hub, deviceId)).map(({ reason }) => reason))
      .toContain('tokenExpired');
    await expect.poll(() => mock.device.session?.sessionId ?? session, { timeout: 20_000 }).not.toBe(session);
    await expectOnline(hub, deviceId, 1);
    await mock.send({ deviceId, ...power(true) });
    expect(await latest(deviceId)).toEqual({ power: true });
  });

  it('keeps the gateway of a child connected; the child logs in again', async () => {
    const mock = await alive(1);
    const [childId = ''] = mock.childIds;
    await hub.admin.ok(mockCalls.expireMockToken, { deviceId: childId });
    await expect
      .poll(async () => (await connectRows(hub, childId)).map(({ reason }) => reason))
      .toContain('tokenExpired');
    await mock.send({ deviceId: childId, ...power(true) });
    await expectOnline(hub, childId, 1);
    expect(await latest(childId)).toEqual({ power: true });
    const gateway = await connectRows(hub, mock.deviceId);
    expect(gateway.filter(({ status }) => status !== 3)).toMatchObject([{ status: 1 }]);
  });

  it('accepts mock devices only', async () => {
    const real = await connectNewDevice(hub, await createProductFixture(hub));
    const { deviceId } = real;
    expect(await hub.admin.error(mockCalls.expireMockToken, { deviceId })).toMatchObject({ statusCode: 404 });
    await real.send({ type: 2, payload: { properties: { power: true } } });
    expect(real.client.connected).toBe(true);
    await real.end();
  });

  it('leaves no valid token after the next login', async () => {
    const device = await rawMock();
    const { token } = device.answer;
    await hub.admin.ok(mockCalls.expireMockToken, { deviceId: device.deviceId });
    await waitForClose(device);
    await login(hub.url, device);
    await expect(getBucket(hub.url, token)).rejects.toThrow('TOKEN_INVALID');
  });
});

describe('commands to a mock device', () => {
  // Spec 9.28
  it('are answered automatically: services with their defaults, properties as set', async () => {
    const { deviceId } = await alive();
    expect(await command(deviceId, 'fadeTo', { brightness: 5, seconds: 1 })).toMatchObject({
      status: 'answered',
      code: 200,
      output: { accepted: false },
    });
    expect(await command(deviceId, 'brightness', 77)).toMatchObject({ output: { brightness: 77 } });
    const read = { deviceId, functionId: 'brightness', read: 1 } as const;
    const { output } = await hub.admin.ok(controlCalls.commandDeviceFunction, { ...read, functionValue: '' });
    expect(output).toEqual({ brightness: 77 });
  });

  it('are answered with the saved default', async () => {
    const deviceId = await addMock(hub, products);
    const values = { fadeTo: { accepted: true }, brightness: 42 };
    await hub.admin.ok(mockCalls.saveFunctionDefaults, { deviceId, values }, { as: 'json' });
    const mock = await startMock(hub, deviceId);
    running.push(mock);
    await mock.device.start();
    await expectOnline(hub, deviceId, 1);
    const result = await command(deviceId, 'fadeTo', { brightness: 5, seconds: 1 });
    expect(result?.output).toEqual({ accepted: true });
  });

  it('are answered by the user in manual mode', async () => {
    const mock = await alive();
    mock.answering.byHand = true;
    const waiting = command(mock.deviceId, 'fadeTo', { brightness: 5, seconds: 1 });
    await expect.poll(() => mock.pending()).toHaveLength(1);
    expect(mock.pending()[0]).toMatchObject({
      kind: 'service',
      name: 'fadeTo',
      deviceId: mock.deviceId,
      input: { brightness: 5, seconds: 1 },
    });
    mock.pending()[0]?.answer({ accepted: true });
    expect(await waiting).toMatchObject({ status: 'answered', output: { accepted: true } });
    expect(mock.pending()).toEqual([]);
    const refused = command(mock.deviceId, 'power', true);
    await expect.poll(() => mock.pending()).toHaveLength(1);
    mock.pending()[0]?.refuse('REFUSED', 'not now');
    expect(await refused).toMatchObject({ status: 'failed', code: 60_001, message: 'not now' });
  });

  it.each([
    ['REFUSED', 60_001],
    ['BUSY', 60_002],
    ['UNSUPPORTED', 60_003],
  ] as const)('are rejected with %s on demand', async (refuseWith, code) => {
    const mock = await alive();
    mock.arm({ refuseWith });
    expect(await command(mock.deviceId, 'power', true)).toMatchObject({ status: 'failed', code });
    mock.disarm();
    expect(await command(mock.deviceId, 'power', true)).toMatchObject({ status: 'answered' });
  });

  it.each([
    ['slow', { answerDelayMs: 2_500 }],
    ['silent', { silent: true }],
  ])('to a %s one time out, and the device stays connected', async (_how, fault) => {
    const mock = await alive();
    mock.arm(fault);
    const result = await command(mock.deviceId, 'power', true, 1_000);
    expect(result?.status).toBe('timedOut');
    expect(result?.costMs).toBeLessThan(2_500);
    mock.disarm();
    expect(await command(mock.deviceId, 'power', true)).toMatchObject({ status: 'answered' });
    expect(mock.device.online).toBe(true);
  });
});

describe('a wrong signature', () => {
  it('is rejected with 40103 as often as requested, and its content is not stored', async () => {
    const mock = await alive();
    const { deviceId } = mock;
    mock.arm({ wrongSignatures: 2 });
    for (const value of [true, true])
      await expect(mock.send({ deviceId, ...power(value) })).rejects.toMatchObject({
        code: 40_103,
        codeName: 'SIGNATURE',
      });
    expect(mock.faults.wrongSignatures).toBe(0);
    expect(await latest(deviceId)).toEqual({});
    await mock.send({ deviceId, ...power(false) });
    expect(await latest(deviceId)).toEqual({ power: false });
  });
});

describe('the children of a mock gateway', () => {
  it('log in, report, answer commands of their own, and log out', async () => {
    const mock = await alive(2);
    const [first = '', second = ''] = mock.childIds;
    await mock.send({ deviceId: first, ...power(true) });
    await mock.send({ deviceId: second, ...power(false) });
    expect([await latest(first), await latest(second), await latest(mock.deviceId)]).toEqual([
      { power: true },
      { power: false },
      {},
    ]);
    expect(await command(second, 'brightness', 9)).toMatchObject({ output: { brightness: 9 } });
    expect((await connectRows(hub, first))[0]).toMatchObject({ status: 1 });
    await mock.unmount(first);
    await expectOnline(hub, first, 2);
    await expectOnline(hub, second, 1);
    expect(mock.mounted()).toEqual([second]);
    expect(() => mock.send({ deviceId: first, ...power(true) })).toThrow();
  });

  it('go offline with their gateway', async () => {
    const mock = await alive(1);
    const [childId = ''] = mock.childIds;
    await mock.stop();
    await expectOnline(hub, mock.deviceId, 2);
    await expectLatestEvent(hub, childId, 2, 'gatewayLost');
  });
});
