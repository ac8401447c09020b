import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { type Bucket, mockCalls } from '@device-center/contract';
import type { DemoFleet } from '@device-center/simulator/src/demo-file.ts';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { cleanEnv, deviceProcess, startHubProcess } from './hub-process.ts';
import { waitFor } from './mailbox.ts';
import { addMock, createMockProducts } from './mock-fixtures.ts';
import { connectClient, getBucket, login } from './raw-device.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { createAuthority } from './zone-fixtures.ts';

const FLEET = fileURLToPath(import.meta.resolve('@device-center/simulator/src/demo.ts'));

const folder = temporaryFolder('device-center-tls-');
const { at, issue, read } = createAuthority(folder);
const files = { TLS_CERT: join(folder, 'current', 'tls.crt'), TLS_KEY: join(folder, 'current', 'tls.key') };

/** Like a Kubernetes secret: a folder for each version, and a symbolic link to the current one. */
const use = (name: string, keyOf = name): void => {
  const version = at(unique('version-'));
  mkdirSync(version);
  copyFileSync(at(`${name}.crt`), join(version, 'tls.crt'));
  copyFileSync(at(`${keyOf}.key`), join(version, 'tls.key'));
  symlinkSync(version, at('next'));
  renameSync(at('next'), at('current'));
};

let hub: SpawnedHub;
let fixture: ProductFixture;
beforeAll(async () => {
  for (const name of ['first', 'second', 'third']) issue(name);
  use('first');
  hub = await spawnHub({ ...files, MQTT_PORT: 'off', MQTTS_PORT: '0' });
  fixture = await createProductFixture(hub);
});
afterAll(() => hub.close());

/** The name in the certificate that a new connection gets. */
const certificateOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connectTls({ port, host: '127.0.0.1', ca: read('ca.crt') });
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });

const portOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = dial(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const bucketOf = async (deviceId: string) => {
  const { token } = await login(hub.url, { deviceId, productId: fixture.productId, secret: fixture.productSecret });
  return getBucket(hub.url, token);
};

describe('MQTT_PORT=off', () => {
  it('keeps MQTT with TLS, and prints its address', () => {
    expect(hub.process.output()).toMatch(new RegExp(`^ready ${hub.url} mqtts://127\\.0\\.0\\.1:\\d+$`, 'm'));
    expect(hub.process.output()).not.toContain('mqtt://');
  });

  it('announces the TLS address to devices', async () => {
    const deviceId = unique('dev');
    const bucket = await bucketOf(deviceId);
    expect(bucket).toMatchObject({ protocol: 'mqtts', tls: true, host: '127.0.0.1', port: hub.process.mqttPort });
    const client = await connectClient(bucket, { ca: read('ca.crt') });
    await expectOnline(hub, deviceId, 1);
    await client.endAsync();
  });

  it('lets mock devices of the hub connect', async () => {
    const deviceId = await addMock(hub, await createMockProducts(hub));
    await hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 1, everySeconds: 1 }, { as: 'json' });
    await expectOnline(hub, deviceId, 1);
    await hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 0 }, { as: 'json' });
  });

  it('lets the demo fleet connect without trusting the certificate', async () => {
    const deviceId = unique('fleet');
    const { deviceSecret = '' } = await login(hub.url, {
      ...{ deviceId, productId: fixture.productId, secret: fixture.productSecret },
    });
    const curveContext = { seed: 1, offsetHours: 0 };
    const body = { deviceId, productId: fixture.productId, secret: deviceSecret, mac: '', versionNumber: '1.0.0' };
    const fleet: DemoFleet = {
      products: [{ productId: fixture.productId, curves: {}, defaults: {}, logs: [], sampleEvents: [] }],
      devices: [{ ...body, curveContext, everyS: 5, trouble: null, children: [] }],
    };
    writeFileSync(at('demo.json'), JSON.stringify(fleet));
    const program: ChildProcess = spawn(process.execPath, [FLEET, hub.url, at('demo.json')], {
      env: cleanEnv(),
      stdio: 'ignore',
    });
    const exited = new Promise((resolve) => program.once('exit', resolve));
    // It starts from its sources, which takes half a minute on a busy machine.
    await expectOnline(hub, deviceId, 1, 50_000);
    rmSync(at('demo.json'));
    await exited;
  });

  it('survives a restart of the device process, on the same port', async () => {
    const before = deviceProcess(hub.process);
    process.kill(before, 'SIGKILL');
    await waitFor('another process', () => ![0, before].includes(deviceProcess(hub.process)) || undefined);
    await waitFor('its port', async () => (await portOpen(hub.process.mqttPort)) || undefined);
    expect(await certificateOf(hub.process.mqttPort)).toBe('first');
  });
});

describe('a renewed certificate', () => {
  let client: MqttClient;
  let topics: Bucket['topics'];
  beforeAll(async () => {
    const bucket = await bucketOf(unique('dev'));
    topics = bucket.topics;
    client = await connectClient(bucket, { ca: read('ca.crt') });
  });
  afterAll(() => client.endAsync());

  const expectCertificate = (name: string) =>
    expect.poll(() => certificateOf(hub.process.mqttPort), { timeout: 20_000, interval: 100 }).toBe(name);

  it('is used once its files have changed', async () => {
    use('second');
    await expectCertificate('second');
  });

  it('that does not match its key is logged, and the current one stays', async () => {
    use('third', 'second');
    hub.process.process.kill('SIGHUP');
    await waitFor('the reason', () => hub.process.errors().includes('certificate reload failed') || undefined);
    expect(hub.process.errors()).toMatch(/TLS_CERT and TLS_KEY cannot be used: .*key values mismatch/);
    expect(await certificateOf(hub.process.mqttPort)).toBe('second');
  });

  it('is loaded on SIGHUP without closing connections', async () => {
    const before = deviceProcess(hub.process);
    use('third');
    hub.process.process.kill('SIGHUP');
    await expectCertificate('third');
    expect(deviceProcess(hub.process)).toBe(before);
    expect((await fetch(`${hub.url}/health/ready`)).status).toBe(200);
    // Since before the second certificate.
    await client.subscribeAsync(topics.down, { qos: 1 });
  });
});

it('prints the TLS port next to MQTT without TLS on its own line', async () => {
  const both = await startHubProcess({ ...hub.env, DATA_DIR: at('data'), MQTT_PORT: '0' });
  const [, ready = ''] = /^(ready .*)$/m.exec(both.output()) ?? [];
  expect(ready).toBe(`ready ${both.url} mqtt://127.0.0.1:${both.mqttPort}`);
  const [, port = ''] = /^MQTT with TLS: mqtts:\/\/127\.0\.0\.1:(\d+)$/m.exec(both.output()) ?? [];
  expect(await certificateOf(Number(port))).toBe('third');
  await both.stop();
});
