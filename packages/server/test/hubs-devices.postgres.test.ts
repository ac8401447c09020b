import { controlCalls, deviceCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { comeAlive, expectOnline, type Workshop, workshop } from './device-kit.ts';
import { type Hub, unique } from './hub.ts';
import { type Hubs, seenFrom, startHubs } from './hubs-kit.ts';
import { closed, expectLast } from './link-kit.ts';

let hubs: Hubs;
let there: Hub;
let lamps: Workshop;
let gateways: Workshop;
let sensors: Workshop;
const devices: Device[] = [];
beforeAll(async () => {
  hubs = await startHubs();
  there = seenFrom(hubs);
  lamps = await workshop(hubs.a);
  gateways = await workshop(hubs.a, { nodeType: 2 });
  sensors = await workshop(hubs.a, { nodeType: 3 });
});
afterAll(async () => {
  await Promise.all(devices.map((device) => device.stop()));
  await hubs.close();
});

it('whoever is forbidden at one hub is cut at the other', async () => {
  const device = await comeAlive(there, lamps);
  const { deviceId } = device;
  await expectOnline(hubs.a, deviceId, 1);
  await hubs.a.admin.get(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
  await closed(device);
  await expectLast(hubs.a, deviceId, 2, 'blacklisted');
});

const startGateway = async (hub: Hub): Promise<Device> => {
  const { productId, productSecret } = gateways;
  const own = { deviceId: unique('gw'), backoff: { first: 50, max: 200 } };
  const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own });
  devices.push(device);
  await device.start();
  return device;
};

it('a child that comes through a gateway of the other hub is there, and stays when the first gateway goes', async () => {
  const [first, second] = [await startGateway(hubs.a), await startGateway(there)];
  const child = { productId: sensors.productId, productSecret: sensors.productSecret, deviceId: unique('kid') };
  await first.addChild(child).report({ brightness: 1 });
  await expectOnline(there, child.deviceId, 1);
  const moved = second.addChild(child);
  moved.onSet((properties) => properties);
  await moved.report({ brightness: 2 });
  const detailsAt = (hub: Hub) => hub.admin.get(deviceCalls.getDeviceDetails, { deviceId: child.deviceId });
  await expect.poll(async () => (await detailsAt(hubs.a)).parentId).toBe(second.deviceId);
  await expect
    .poll(() => hubs.a.db.selectFrom('connection_moved').selectAll().execute(), { timeout: 10_000 })
    .toEqual([]);
  await first.stop();
  await expectOnline(hubs.a, first.deviceId, 2);
  expect(await detailsAt(there)).toMatchObject({ online: 1, parentId: second.deviceId });
  const sent = { deviceId: child.deviceId, functionId: 'brightness', functionValue: '50' };
  expect(await hubs.a.admin.get(controlCalls.commandDeviceFunction, sent)).toMatchObject({ status: 'answered' });
});
