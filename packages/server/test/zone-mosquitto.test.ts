import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type Bucket, controlCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePort, startConfiguredMosquitto, type TestBroker } from './broker-fixtures.ts';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { blockOf, blocksOf, readFile } from './pages/commands.ts';
import { connectClient } from './raw-device.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createAuthority, NEAR } from './zone-fixtures.ts';
import { addBrokerZone, command, expectNode, latest } from './zone-flow-fixtures.ts';

const PAGE = 'docs/zones.md';
const PASSWORD = 'Broker-pass1';
const authority = createAuthority(temporaryFolder('mosquitto-'));
const { at } = authority;
let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
let routeKey: string;

/** The documented configuration, with the files and ports of this test. */
const configuration = (ports: { hub: number; devices: number }): string =>
  blockOf(PAGE, 'conf')
    .replaceAll('/etc/mosquitto', at('.'))
    .replace('/var/lib/mosquitto', at('.'))
    .replace('listener 1883 127.0.0.1', `listener ${ports.hub} 127.0.0.1`)
    .replace('listener 8883', `listener ${ports.devices} 127.0.0.1`);

beforeAll(async () => {
  routeKey = unique('plant');
  authority.issue('server');
  writeFileSync(at('device-ca.crt'), readFileSync(at('ca.crt')));
  writeFileSync(at('hub.passwd'), '', { mode: 0o600 });
  execFileSync('mosquitto_passwd', ['-b', at('hub.passwd'), 'hub', PASSWORD], { stdio: 'pipe' });
  const lists = blocksOf(readFile(PAGE) ?? '').filter(({ kind }) => kind === 'acl');
  const [hubAcl = '', devicesAcl = ''] = lists.map(({ text }) => `${text}\n`);
  writeFileSync(at('hub.acl'), hubAcl.replaceAll('plant', routeKey));
  writeFileSync(at('devices.acl'), devicesAcl.replaceAll('plant', routeKey));
  const ports = { hub: await freePort(), devices: await freePort() };
  [hub, broker] = await Promise.all([
    startHub(NEAR),
    startConfiguredMosquitto(configuration(ports), { port: ports.hub, tlsPort: ports.devices }),
  ]);
  shop = await createProductFixture(hub);
  const node = { port: ports.hub, username: 'hub', password: PASSWORD };
  zoneId = await addBrokerZone(hub.admin, node, { routeKey, address: `mqtts://127.0.0.1:${ports.devices}` });
});
afterAll(async () => {
  await hub.close();
  await broker.dispose();
});

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const certificateOf = (deviceId: string) => {
  authority.issue(deviceId);
  const read = (name: string): string => readFileSync(at(name), 'utf8');
  return { ca: read('ca.crt'), cert: read(`${deviceId}.crt`), key: read(`${deviceId}.key`) };
};

const deviceIn = async () => {
  const { productId, productSecret, applicationId } = shop;
  const deviceId = await hub.create.device({ productId, applicationId });
  await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: zoneId });
  let bucket: Bucket | undefined;
  const certificate = certificateOf(deviceId);
  const device = createDevice({
    ...{ hubUrl: hub.url, productId, productSecret, deviceId },
    tls: certificate,
    connectAt: (told) => {
      bucket = told;
      return told;
    },
  });
  devices.push(device);
  return { device, deviceId, certificate, bucket: () => bucket as Bucket };
};

it('accepts a device by its certificate, for its own topics', async () => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { device, deviceId } = await deviceIn();
  device.onSet((properties) => properties);
  await device.start();
  await expectOnline(hub, deviceId, 1);
  await device.report({ power: true });
  await expect.poll(() => latest(hub.admin, deviceId), { timeout: 20_000, interval: 50 }).toEqual({ power: true });
  expect(await command(hub.admin, deviceId, 'power', false)).toMatchObject({ status: 'answered' });
});

it('rejects clients without a certificate, and topics of another', async () => {
  await expectNode(hub.admin, zoneId, 'connected');
  const { device, deviceId, bucket } = await deviceIn();
  await device.start();
  await expectOnline(hub, deviceId, 1);
  const ca = readFileSync(at('ca.crt'));
  await expect(connectClient(bucket(), { ca })).rejects.toThrow();
  const foreign = unique('foreign');
  const client = await connectClient(bucket(), { ...certificateOf(foreign), protocolVersion: 5 });
  const { up, down } = bucket().topics;
  const heard: string[] = [];
  client.on('message', (topic) => heard.push(topic));
  // Mosquitto grants any subscription, and sends nothing that may not be read.
  const own = down.replace(deviceId, foreign);
  await client.subscribeAsync([down, own], { qos: 1 });
  const account = { clientId: unique('hub'), username: 'hub', password: PASSWORD };
  const asHub = await connectClient({ ...bucket(), ...account, protocol: 'mqtt', port: broker.port });
  for (const topic of [down, own]) await asHub.publishAsync(topic, 'for one of them', { qos: 1 });
  await asHub.endAsync();
  await expect.poll(() => heard, { timeout: 20_000, interval: 50 }).toEqual([own]);
  await expect(client.publishAsync(up, 'forged', { qos: 1 })).rejects.toThrow(/Not authorized/i);
  await client.endAsync(true);
});
