import { controlCalls, deviceCalls, recordCalls } from '@device-center/contract';
import { type Child, createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let gateways: ProductFixture;
let sensors: ProductFixture;
let lamps: ProductFixture;
beforeAll(async () => {
  hub = await sharedHub();
  gateways = await createProductFixture(hub, { nodeType: 2 });
  sensors = await createProductFixture(hub, { nodeType: 3 });
  lamps = await createProductFixture(hub);
});
afterAll(() => hub.close());

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const start = async ({ productId, productSecret }: ProductFixture): Promise<Device> => {
  const own = { deviceId: unique('gw'), backoff: { first: 50, max: 200 } };
  const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own });
  devices.push(device);
  await device.start();
  return device;
};

const sensor = (gateway: Device): Child => {
  const { productId, productSecret } = sensors;
  return gateway.addChild({ productId, productSecret, deviceId: unique('kid') });
};

const latest = async ({ deviceId }: Child) =>
  (await hub.admin.ok(recordCalls.getLatestValues, { deviceId })).map(({ signCode, value }) => [signCode, value]);

it('sends and receives messages of children over their gateway', async () => {
  const gateway = await start(gateways);
  const children = [sensor(gateway), sensor(gateway)];
  for (const [index, child] of children.entries()) {
    await child.report({ brightness: index + 1 });
    child.onSet((properties) => properties);
    await expectOnline(hub, child.deviceId, 1);
    const details = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: child.deviceId });
    expect(details.parentId).toBe(gateway.deviceId);
  }
  expect(await Promise.all(children.map(latest))).toEqual([[['brightness', 1]], [['brightness', 2]]]);
  const [first] = children;
  const sent = { deviceId: first?.deviceId ?? '', functionId: 'brightness', functionValue: '50' };
  expect(await hub.admin.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({
    status: 'answered',
    output: { brightness: 50 },
  });
  expect(await Promise.all(children.map(latest))).toEqual([[['brightness', 50]], [['brightness', 2]]]);
});

it('logs children in again after a lost connection, and delivers their queued messages', async () => {
  const gateway = await start(gateways);
  const child = sensor(gateway);
  await child.report({ brightness: 1 });
  // The event, not the state: the gateway may be back before the state is read.
  const offline = new Promise((resolve) => child.on('offline', resolve));
  gateway.dropConnection();
  expect(child.online).toBe(true);
  await offline;
  const sent = [2, 3, 4].map((brightness) => child.report({ brightness }));
  await Promise.all(sent);
  expect(child.online).toBe(true);
  const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, {
    deviceId: child.deviceId,
    type: 2,
    dataFlow: 1,
    sortMode: 1,
  });
  expect(list.map(({ value }) => JSON.parse(value))).toHaveLength(4);
  expect(await latest(child)).toEqual([['brightness', 4]]);
});

it('keeps the gateway online when a child logs out', async () => {
  const gateway = await start(gateways);
  const child = sensor(gateway);
  await child.report({ brightness: 1 });
  await expectOnline(hub, child.deviceId, 1);
  await gateway.removeChild(child.deviceId);
  await expectOnline(hub, child.deviceId, 2);
  expect(gateway.online).toBe(true);
  await gateway.report({ brightness: 9 });
});

it('takes a child back from another gateway when it sends here, without losing the message', async () => {
  const [one, other] = [await start(gateways), await start(gateways)];
  const deviceId = unique('kid');
  const { productId, productSecret } = sensors;
  const secrets: string[] = [];
  const here = one.addChild({ productId, productSecret, deviceId, onSecret: (secret) => void secrets.push(secret) });
  await here.report({ brightness: 1 });
  const there = other.addChild({ productId, deviceId, secret: secrets.at(-1) });
  await there.report({ brightness: 2 });
  const parentOf = async () => (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).parentId;
  await expect.poll(parentOf).toBe(other.deviceId);
  // The hub rejects the child in a message to the gateway, whose own messages have the same dataIds.
  const own = Array.from({ length: 12 }, () => one.report({ brightness: 9 }));
  await Promise.all([here.report({ brightness: 3 }), ...own]);
  await expect.poll(parentOf).toBe(one.deviceId);
  expect(await latest(here)).toEqual([['brightness', 3]]);
});

it('reports a rejected child of a device that is no gateway, and continues', async () => {
  const lamp = await start(lamps);
  const child = sensor(lamp);
  const refused = new Promise((resolve) => child.on('refused', ({ refusal }) => resolve(refusal.codeName)));
  expect(await refused).toBe('NOT_A_GATEWAY');
  expect(child.online).toBe(false);
  await lamp.report({ brightness: 5 });
});
