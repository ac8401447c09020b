import { controlCalls, MessageType } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestBroker } from './broker-fixtures.ts';
import { connectRows, expectLatestEvent } from './connectivity-fixtures.ts';
import { expectOnline, type ProductFixture } from './device-fixtures.ts';
import type { Hub } from './hub.ts';
import { connectDevice, type RawDevice } from './raw-device.ts';
import { expectNode, startBrokerFixture } from './zone-flow-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
beforeAll(async () => {
  ({ hub, broker, shop, zoneId } = await startBrokerFixture({ ZONE_KEEP_ALIVE: '1s' }));
});
afterAll(async () => {
  await hub.close();
  await broker.dispose();
});

/** Without a will. */
const connected = async (hello: object = {}): Promise<RawDevice> => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { productId, applicationId, productSecret } = shop;
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  const device = await connectDevice(hub.url, { productId, deviceId, secret: productSecret });
  await device.client.subscribeAsync(device.bucket.topics.down, { qos: 1 });
  await device.ask({ type: MessageType.login, payload: { op: 'online', ...hello } });
  await expectOnline(hub, deviceId, 1);
  return device;
};

const identityRequests = (device: RawDevice) =>
  device.received.filter(({ type, dataFlow }) => type === MessageType.identity && dataFlow === 0);

const PATIENT = { timeout: 20_000, interval: 50 };

describe('a silent device on the broker of a zone', () => {
  it('goes offline as lost without a will', async () => {
    const device = await connected();
    await device.end(true);
    await expectLatestEvent(hub, device.deviceId, 2, 'lost');
    await expectOnline(hub, device.deviceId, 2);
  });

  it('stays online while it answers, and goes offline when it does not', async () => {
    const device = await connected();
    let answers = 0;
    device.client.on('message', (_topic, bytes) => {
      const request = JSON.parse(bytes.toString()) as RawDevice['received'][number];
      if (request.type === MessageType.identity && request.dataFlow === 0 && answers++ < 2)
        void device.respond(request, 200, {});
    });
    await expect.poll(() => identityRequests(device).length, PATIENT).toBe(3);
    expect((await connectRows(hub, device.deviceId)).map(({ status }) => status)).toEqual([1]);
    await expectLatestEvent(hub, device.deviceId, 2, 'lost');
    // Its next message is a sign of life.
    await device.send({ type: MessageType.config, payload: { properties: { brightness: 1 } } });
    await expectOnline(hub, device.deviceId, 1);
    await device.end();
  });

  it('is not probed within its own keep-alive', async () => {
    const patient = await connected({ keepAlive: 1_200 });
    const other = await connected();
    await other.end(true);
    await expectLatestEvent(hub, other.deviceId, 2, 'lost');
    expect(identityRequests(patient)).toEqual([]);
    await expectOnline(hub, patient.deviceId, 1);
    await patient.end();
  });
});
