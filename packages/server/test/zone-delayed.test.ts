import { controlCalls, deviceCodes, type Envelope, MessageType } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';
import { command, expectNode, startBrokerFixture, storedValues } from './zone-flow-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
beforeAll(async () => {
  ({ hub, broker, shop, zoneId } = await startBrokerFixture());
});
afterAll(async () => {
  await hub.close();
  await broker.dispose();
});

const TEN_MINUTES = 600_000;
const PATIENT = { timeout: 20_000, interval: 50 };

/** On the broker, and silent: the hub has not read its rows yet. */
const onBroker = async (secret = shop.productSecret, deviceId?: string): Promise<RawDevice> => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { productId, applicationId } = shop;
  const id = deviceId ?? (await hub.create.device({ productId, applicationId }));
  if (!deviceId) await hub.admin.ok(controlCalls.configHaArea, { deviceId: id, haZoneId: zoneId });
  const device = await connectDevice(hub.url, { productId, deviceId: id, secret });
  expect(device.bucket.port).toBe(broker.port);
  await device.client.subscribeAsync(device.bucket.topics.down, { qos: 1 });
  return device;
};

const connected = async (secret?: string, deviceId?: string): Promise<RawDevice> => {
  const device = await onBroker(secret, deviceId);
  await device.ask({ type: MessageType.login, payload: { op: 'online' } });
  return device;
};

/** It logs in again, and its connection is a new one. */
const again = async (device: RawDevice): Promise<RawDevice> => {
  const next = await connected(device.secret, device.deviceId);
  await device.end(true);
  return next;
};

const bright = (device: RawDevice, brightness: number, more: Partial<Envelope> = {}): Envelope =>
  device.seal({ type: MessageType.config, payload: { properties: { brightness } }, ...more });

const stored = (device: RawDevice) => storedValues(hub, device.deviceId, 'brightness');

describe('a message queued at the broker while its device logged in again', () => {
  it('is stored once, and the device stays online', async () => {
    const before = await connected();
    const late = [bright(before, 1), bright(before, 2)];
    const device = await again(before);
    await device.publish(bright(device, 3));
    for (const envelope of [...late, ...late]) await device.publish(envelope);
    await device.publish(bright(device, 4));
    await expect.poll(async () => (await stored(device)).toSorted(), PATIENT).toEqual([1, 2, 3, 4]);
    await expectOnline(hub, device.deviceId, 1);
    expect(device.received.filter(({ code }) => code !== undefined && code !== 200)).toEqual([]);
    await device.end();
  });

  it('completes the command that waits for it', async () => {
    const before = await connected();
    const asked = command(hub.admin, before.deviceId, 'power', true);
    const { dataId } = await before.next((envelope) => envelope.dataFlow === 0 && envelope.type === MessageType.config);
    const payload = { properties: { power: true } };
    const late = before.seal({ type: MessageType.config, dataFlow: 1, dataId, payload, code: 200 });
    const device = await again(before);
    await device.publish(late);
    expect(await asked).toMatchObject({ messageId: dataId, status: 'answered', output: payload.properties });
    await device.end();
  });

  it('is rejected when it was sent after the login that replaced its token', async () => {
    const before = await connected();
    const device = await again(before);
    const forged = bright(before, 1, { timestamp: Date.now() + TEN_MINUTES });
    await device.publish(forged);
    const refusal = await device.next(({ dataId, dataFlow }) => dataFlow === 1 && dataId === forged.dataId);
    expect(refusal.code).toBe(deviceCodes.TOKEN_INVALID.number);
    await device.publish(bright(device, 2));
    await expect.poll(() => stored(device), PATIENT).toEqual([2]);
    await device.end();
  });

  it('is rejected when its token was revoked', async () => {
    const before = await connected();
    const late = bright(before, 1);
    const { deviceId } = before;
    await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1 });
    await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 0 });
    const device = await again(before);
    await device.publish(late);
    await device.next(({ dataId, code }) => dataId === late.dataId && code === deviceCodes.TOKEN_INVALID.number);
    expect(await stored(device)).toEqual([]);
    await device.end();
  });
});

describe('a restricted device on the broker', () => {
  it('is rejected with the id of its message, however long that is', async () => {
    const device = await onBroker();
    await hub.admin.ok(controlCalls.markBlack, { idList: [device.deviceId], op: 1 });
    const dataId = String(Number.MAX_SAFE_INTEGER);
    await device.publish(bright(device, 1, { dataId }));
    const refusal = await device.next((envelope) => envelope.dataFlow === 1 && envelope.dataId === dataId);
    expect(refusal.code).toBe(deviceCodes.BLACKLISTED.number);
    expect(await stored(device)).toEqual([]);
    await device.end();
  });
});
