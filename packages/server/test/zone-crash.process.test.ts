import type { Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { expireLeases } from './claims-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import type { SpawnedHub } from './hub.ts';
import { command, expectNode, spawnBrokerFixture, storedValues, zoneDevice } from './zone-flow-fixtures.ts';

describeOnOneEngine('postgres', () => {
  let hub: SpawnedHub;
  let shop: ProductFixture;
  let broker: TestBroker;
  let zoneId: number;
  let device: Device;
  beforeAll(async () => {
    ({ hub, broker, shop, zoneId } = await spawnBrokerFixture());
    device = await zoneDevice(hub, shop, zoneId);
  });
  afterAll(async () => {
    await device.stop();
    await hub.close();
    await broker.dispose();
  });

  const report = async (from: number, to: number): Promise<void> => {
    for (let brightness = from; brightness <= to; brightness++) await device.report({ brightness });
  };

  it('stores the messages that the broker queued during a kill of the hub, once', async () => {
    const { deviceId } = device;
    await device.start();
    await expectOnline(hub, deviceId, 1);
    await report(1, 10);
    await hub.process.kill();
    await expireLeases(hub);
    await report(11, 40);
    hub = await hub.start();
    await expectNode(hub.admin, zoneId, 'connected', 60_000);
    await report(41, 50);
    const all = Array.from({ length: 50 }, (_, fixture) => fixture + 1);
    await expect.poll(() => storedValues(hub, deviceId, 'brightness'), { timeout: 60_000 }).toEqual(all);
    await expectOnline(hub, deviceId, 1);
    device.onSet((properties) => properties);
    expect(await command(hub.admin, deviceId, 'power', true)).toMatchObject({ status: 'answered' });
  }, 180_000);
});
