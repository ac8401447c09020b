import { apiKeyCalls, zoneCalls } from '@device-center/contract';
import type { Device } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, startMosquitto, startRabbit, type TestBroker } from './broker-fixtures.ts';
import { connectRows, expectLatestEvent } from './connectivity-fixtures.ts';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { connectClient, getBucket, login } from './raw-device.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createAuthority, NEAR, sendParts } from './zone-fixtures.ts';
import { addBrokerZone, command, expectNode, latest, storedValues, zoneDevice } from './zone-flow-fixtures.ts';

const PATIENT = { timeout: 20_000, interval: 50 };
const account = { username: 'hub-account', password: 'Hub-pass-1' };

const folder = temporaryFolder('dc-zone-tls-');
let hub: SpawnedHub;
let shop: ProductFixture;
let authority: ReturnType<typeof createAuthority>;
beforeAll(async () => {
  authority = createAuthority(folder);
  authority.issue('broker', { names: 'DNS:localhost' });
  // RabbitMQ is configured with the hub's port, which must stay the same after a restart.
  hub = await spawnHub({ ...NEAR, PORT: String(await freePort()) });
  shop = await createProductFixture(hub);
});
afterAll(() => hub.close());

const tlsFiles = () => ({
  ca: authority.at('ca.crt'),
  cert: authority.at('broker.crt'),
  key: authority.at('broker.key'),
});

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const started = async (zoneId: number, more: Parameters<typeof zoneDevice>[3] = {}): Promise<Device> => {
  const device = await zoneDevice(hub, shop, zoneId, more);
  devices.push(device);
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  return device;
};

/** Common tests of zones with any broker. */
const expectServed = async (device: Device): Promise<void> => {
  const { deviceId } = device;
  await device.report({ power: true });
  await expect.poll(() => latest(hub.admin, deviceId), PATIENT).toEqual({ power: true });
  device.onSet((properties) => properties);
  expect(await command(hub.admin, deviceId, 'power', false)).toMatchObject({ status: 'answered' });
  await device.stop();
  await expectLatestEvent(hub, deviceId, 2, 'byDevice');
  expect((await connectRows(hub, deviceId)).map(({ status }) => status)).toEqual([2, 1]);
};

/** A zone behind TLS, and then the certificate that makes it believable. */
const addEncryptedZone = async (port: number, more: object): Promise<number> => {
  const zone = {
    zoneName: unique('zone'),
    zoneType: 1,
    routeKey: unique('tls'),
    address: `localhost:${port}`,
    isSyncModel: 0,
    nodes: JSON.stringify([{ hostName: 'localhost', port, serverType: 1, tls: 1, ...more }]),
  };
  const answer = await sendParts(hub.admin, zoneCalls.addZone, zone);
  const { id } = (answer as { data: { id: number } }).data;
  await expectNode(hub.admin, id, 'failed');
  const { nodes } = await hub.admin.ok(zoneCalls.getZoneDetail, { id });
  expect(nodes[0]?.problem).toBe('certificate');
  const kept = JSON.stringify([
    { nodeId: nodes[0]?.nodeId, hostName: 'localhost', port, serverType: 1, tls: 1, ...more },
  ]);
  const file = { certificate0: { name: 'ca.crt', bytes: authority.read('ca.crt') } };
  const changed = await sendParts(hub.admin, zoneCalls.modifyZone, { ...zone, id, nodes: kept }, file);
  expect(changed).toMatchObject({ success: true });
  await expectNode(hub.admin, id, 'connected', 60_000);
  return id;
};

const trusting = () => ({ tls: { ca: authority.read('ca.crt').toString() } });

describe('Mosquitto over TLS', () => {
  it('is verified by the certificate of its authority, and works', async () => {
    const broker = await startMosquitto({ tls: tlsFiles() });
    const zoneId = await addEncryptedZone(broker.tlsPort, {});
    await expectServed(await started(zoneId, trusting()));
    await hub.admin.ok(zoneCalls.setZoneState, { id: zoneId, status: 0 });
    await broker.dispose();
  });
});

describe('RabbitMQ with HTTP authentication', () => {
  let broker: TestBroker;
  let zoneId: number;
  beforeAll(async () => {
    const { key } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('broker'), scope: 'broker' });
    const authUrl = (what: string): string => `${hub.url}/api/bucket/auth/rabbitmq/${what}?key=${key}`;
    broker = await startRabbit({ tls: tlsFiles(), authUrl });
    zoneId = await addBrokerZone(hub.admin, { port: broker.port, ...account });
  }, 180_000);
  afterAll(() => broker.dispose());

  it('accepts the hub and its devices, with MQTT 3.1.1 and one subscriber', async () => {
    await expectNode(hub.admin, zoneId, 'connected', 60_000);
    await expectServed(await started(zoneId, { protocolVersion: 4 }));
  });

  it('works over TLS too', async () => {
    const encrypted = await addEncryptedZone(broker.tlsPort, account);
    await expectServed(await started(encrypted, { protocolVersion: 4, ...trusting() }));
  });

  it("rejects a wrong token, and a topic that is not the device's own", async () => {
    const deviceId = unique('dev');
    const { token } = await login(hub.url, { productId: shop.productId, deviceId, secret: shop.productSecret });
    await hub.db.updateTable('device').set({ zone_id: zoneId }).where('device_id', '=', deviceId).execute();
    const bucket = await getBucket(hub.url, token);
    const old = { protocolVersion: 4 } as const;
    await expect(connectClient({ ...bucket, password: 'wrong' }, old)).rejects.toThrow();
    const client = await connectClient(bucket, old);
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
    client.publish(bucket.topics.up.replace(deviceId, 'another'), 'x', { qos: 1 });
    await closed;
    client.end(true);
  });

  it('loses nothing while the hub is down, and delivers it once', async () => {
    const device = await started(zoneId, { protocolVersion: 4 });
    const { deviceId } = device;
    const levels = Array.from({ length: 30 }, (_, fixture) => fixture + 1);
    for (const brightness of levels.slice(0, 10)) await device.report({ brightness });
    await hub.process.kill();
    // The broker gets no authorization answers: the device queues its messages.
    const said = levels.slice(10).map((brightness) => device.report({ brightness }));
    hub = await hub.start();
    await Promise.all(said);
    await expect.poll(() => storedValues(hub, deviceId, 'brightness'), { ...PATIENT, timeout: 30_000 }).toEqual(levels);
  });
});
