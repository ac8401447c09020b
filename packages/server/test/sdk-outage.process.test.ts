import { recordCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';

let hub: SpawnedHub;
let revived: HubProcess | undefined;
beforeAll(async () => {
  hub = await spawnHub();
});
afterAll(async () => {
  await revived?.stop();
  await hub.close();
});

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const start = async (): Promise<Device> => {
  const { productId, productSecret } = await createProductFixture(hub);
  const own = { deviceId: unique('lamp'), backoff: { first: 50, max: 500 } };
  const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own });
  devices.push(device);
  await device.start();
  return device;
};

it('delivers queued messages to a hub that was killed, which keeps all acknowledged ones', async () => {
  const device = await start();
  const { deviceId } = device;
  const acknowledged: number[] = [];
  const report = async (brightness: number): Promise<void> => {
    await device.report({ brightness });
    acknowledged.push(brightness);
  };
  const before = Array.from({ length: 40 }, (_, index) => report(index + 1));
  await before[10];
  await hub.process.kill();
  await expect.poll(() => device.online).toBe(false);
  const meanwhile = [report(41), report(42)];
  const { port } = new URL(hub.url);
  revived = await startHubProcess({ ...hub.env, PORT: port, MQTT_PORT: String(hub.process.mqttPort) });
  await Promise.all([...before, ...meanwhile]);
  expect(acknowledged).toHaveLength(42);
  const query = { deviceId, type: 2, dataFlow: 1, pageSize: 200 } as const;
  const { list } = await hub.admin.ok(recordCalls.deviceMessageRecord, query);
  const kept = list.map(({ envelope }) => JSON.parse(JSON.parse(envelope).payload).properties.brightness as number);
  expect(kept.sort((one, other) => one - other)).toEqual(Array.from({ length: 42 }, (_, index) => index + 1));
});
