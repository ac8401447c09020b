import { controlCalls, deviceCodes, MessageType, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { connectRows, expectLatestEvent } from './connectivity-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';
import { expectNode, startBrokerFixture, storedValues, zoneDevice } from './zone-flow-fixtures.ts';

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

const connected = async (deviceId: string, secret: string): Promise<RawDevice> => {
  const device = await connectDevice(hub.url, { productId: shop.productId, deviceId, secret });
  await device.client.subscribeAsync(device.bucket.topics.down, { qos: 1 });
  await device.ask({ type: MessageType.login, payload: { op: 'online' } });
  await expectOnline(hub, deviceId, 1);
  return device;
};

const onBroker = async (): Promise<RawDevice> => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { productId, applicationId } = shop;
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const device = await connected(deviceId, shop.productSecret);
  expect(device.bucket.port).toBe(broker.port);
  return device;
};

/** A device that answers the kick and stays connected, as allowed by earlier versions of the protocol page. */
const answerKick = async (device: RawDevice): Promise<string> => {
  const kick = await device.next(({ type, payload }) => type === MessageType.service && payload.includes('"kick"'));
  await device.respond(kick, 200, { output: {} });
  return kick.dataId;
};

const refusalOf = (device: RawDevice, dataId: string) =>
  device.next(({ dataFlow, code, dataId: of }) => dataFlow === 1 && code !== 200 && of === dataId);

const TOKEN_INVALID = deviceCodes.TOKEN_INVALID.number;

/** Every way back but a login is closed: its answer, a report and a hello are refused. */
const expectEnded = async (device: RawDevice, reason: string): Promise<void> => {
  const { deviceId } = device;
  const answered = await answerKick(device);
  expect((await refusalOf(device, answered)).code).toBe(TOKEN_INVALID);
  await expectLatestEvent(hub, deviceId, 2, reason);
  for (const sent of [
    { type: MessageType.config, payload: { properties: { brightness: 7 } } },
    { type: MessageType.login, payload: { op: 'online' } },
  ]) {
    const { dataId } = await device.send(sent);
    expect((await refusalOf(device, dataId)).code).toBe(TOKEN_INVALID);
  }
  await expectOnline(hub, deviceId, 2);
  expect((await connectRows(hub, deviceId)).filter(({ status }) => status === 1)).toHaveLength(1);
  expect(await storedValues(hub, deviceId, 'brightness')).toEqual([]);
};

describe('a device on a broker that only answers the kick', () => {
  it('stays offline and is rejected until it has logged in again', async () => {
    const device = await onBroker();
    const { deviceId, secret } = device;
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1 });
    await expectEnded(device, 'kicked');
    const back = await connected(deviceId, secret);
    await back.send({ type: MessageType.config, payload: { properties: { brightness: 8 } } });
    await expect.poll(() => storedValues(hub, deviceId, 'brightness')).toEqual([8]);
    await device.end(true);
    await back.end();
  });

  it('is offline on the old broker after a move', async () => {
    const device = await onBroker();
    const { deviceId, secret } = device;
    await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: 1 });
    expect((await hub.admin.ok(zoneCalls.moveZoneDevices, { id: 1 })).devices).toBe(1);
    await expectEnded(device, 'moved');
    const back = await connected(deviceId, secret);
    expect(back.bucket.port).not.toBe(broker.port);
    await device.end(true);
    await back.end();
  });
});

describe('an SDK device on a broker', () => {
  it('logs in again when it is kicked, and connects to its new zone', async () => {
    const device = await zoneDevice(hub, shop, zoneId);
    const steps: string[] = [];
    await device.start();
    await expectOnline(hub, device.deviceId, 1);
    device.on('step', ({ step, ok }) => steps.push(`${step} ${ok}`));
    await hub.admin.ok(controlCalls.kickOut, { deviceId: device.deviceId, op: 1 });
    await new Promise((resolve) => device.on('online', resolve));
    expect(steps.slice(0, 4)).toEqual(['login true', 'bucket true', 'connect true', 'subscribe true']);
    await expectOnline(hub, device.deviceId, 1);
    await device.stop();
  });
});
