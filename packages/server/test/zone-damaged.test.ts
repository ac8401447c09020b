import { controlCalls, deviceCodes, MessageType } from '@device-center/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { loginChild } from './connectivity-gateway-fixtures.ts';
import { BROKEN, corruptCell, definitionOf, secretOf } from './damage-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, unique } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';
import { expectNode, startBrokerFixture, storedValues } from './zone-flow-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
const devices: RawDevice[] = [];

const useScene = (): void => {
  beforeAll(async () => {
    ({ hub, broker, shop, zoneId } = await startBrokerFixture());
  });
  afterEach(async () => {
    for (const device of devices.splice(0)) await device.end(true);
  });
  afterAll(async () => {
    await hub.close();
    await broker.dispose();
  });
};

const PATIENT = { timeout: 20_000, interval: 50 };
/** More than the broker sends before the first of them is acknowledged. */
const MANY = Array.from({ length: 60 }, (_, index) => index + 1);

/** On the broker, and silent: the hub has not read its rows yet. */
const connected = async ({ productId, productSecret, applicationId }: ProductFixture): Promise<RawDevice> => {
  await expectNode(hub.admin, zoneId, 'connected');
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const device = await connectDevice(hub.url, { productId, deviceId, secret: productSecret });
  expect(device.bucket.port).toBe(broker.port);
  await device.client.subscribeAsync(device.bucket.topics.down, { qos: 1 });
  devices.push(device);
  return device;
};

const report = (device: RawDevice, brightness: number) =>
  device.send({ type: MessageType.config, payload: { properties: { brightness } } });
const stored = (device: RawDevice) => storedValues(hub, device.deviceId, 'brightness');

const expectOthersGoOn = async (): Promise<void> => {
  const other = await connected(shop);
  for (const brightness of MANY) await report(other, brightness);
  await expect.poll(() => stored(other), PATIENT).toEqual(MANY);
};

describeOnEachEngine(() => {
  useScene();

  describe('a permanently unreadable message in a zone', () => {
    it('does not block others when it names an impossible device id', async () => {
      const device = await connected(shop);
      await report(device, 1);
      await device.send({
        type: MessageType.config,
        deviceId: 'some\0body',
        token: 'of nobody',
        payload: { properties: { brightness: 2 } },
      });
      await expectOthersGoOn();
      await report(device, 3);
      await expect.poll(() => stored(device), PATIENT).toEqual([1, 3]);
    });
  });
});

describe('on the default engine', () => {
  useScene();

  describe('a permanently unreadable message in a zone', () => {
    it('does not block others when the secret of its device cannot be decrypted', async () => {
      const device = await connected(shop);
      await corruptCell(hub, secretOf(device.deviceId), BROKEN, async () => {
        await report(device, 1);
        await expectOthersGoOn();
        await expect.poll(() => hub.process.errors()).toContain(`device ${device.deviceId}`);
      });
      await report(device, 2);
      await expect.poll(() => stored(device), PATIENT).toEqual([2]);
    });

    it('does not block others when the model of its product does not parse', async () => {
      const broken = await createProductFixture(hub);
      const device = await connected(broken);
      await corruptCell(hub, await definitionOf(hub, broken.productId), BROKEN, async () => {
        await report(device, 1);
        await expectOthersGoOn();
      });
      await report(device, 2);
      await expect.poll(() => stored(device), PATIENT).toEqual([2]);
    });
  });

  describe('a gateway with an unreadable child', () => {
    it('continues to report', async () => {
      const gateway = await connected(await createProductFixture(hub, { nodeType: 2 }));
      const { productId, productSecret } = await createProductFixture(hub, { nodeType: 3 });
      const child = await loginChild(gateway, { productId, deviceId: unique('kid'), secret: productSecret });
      await corruptCell(hub, secretOf(child.deviceId), BROKEN, async () => {
        // An unknown child is looked up in the current rows.
        const foreign = await gateway.ask({ type: MessageType.sync, deviceId: 'nobody', payload: { ask: ['time'] } });
        expect(foreign.code).toBe(deviceCodes.NOT_YOUR_CHILD.number);
        expect((await gateway.ask({ type: MessageType.sync, payload: { ask: ['time'] } })).code).toBe(200);
        await expect.poll(() => hub.process.errors()).toContain(`device ${child.deviceId}`);
      });
    });
  });
});
