import { request } from 'node:http';
import { controlCalls, deviceCalls, mockCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from './broker-fixtures.ts';
import { isRequest } from './command-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { type Balancer, preparedForHubs, startBalancer, startSecondHub } from './hubs-fixtures.ts';
import { connectClient, getBucket, login } from './raw-device.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnPostgres(() => {
  const folder = temporaryFolder('files-');
  /** One process for people, one for devices, and a balancer that knows where the devices' is. */
  let admin: SpawnedHub;
  let device: HubProcess;
  let devicePort: number;
  let mqtt: Balancer;
  let place: ProductFixture;
  const more: { process: HubProcess }[] = [];

  beforeAll(async () => {
    mqtt = await startBalancer();
    const MQTT_PUBLIC_URL = `mqtt://127.0.0.1:${mqtt.port}`;
    const { environment: prepared, SECRET_KEY } = await preparedForHubs();
    const env = { SECRET_KEY, PROCESSES: 'admin', MQTT_PUBLIC_URL, FILE_STORE: folder };
    admin = await spawnHub(env, [], prepared);
    devicePort = await freePort();
    device = await startHubProcess({ ...admin.env, PROCESSES: 'device', PORT: String(devicePort) });
    mqtt.targets.push(device.mqttPort);
    place = await createProductFixture(admin);
  });
  afterAll(async () => {
    await mqtt.close();
    await Promise.all([device, ...more.map((one) => one.process)].map((one) => one.stop()));
    await admin.close();
  });

  const healthOf = async (url: string): Promise<unknown> => (await fetch(`${url}/health/ready`)).json();

  it('prints the one address of each process', () => {
    expect(admin.process.output()).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/m);
    expect(device.output()).toMatch(/^ready mqtt:\/\/127\.0\.0\.1:\d+$/m);
  });

  it('answers health and metrics in both processes', async () => {
    const deviceUrl = `http://127.0.0.1:${devicePort}`;
    for (const url of [admin.url, deviceUrl]) {
      expect(await (await fetch(`${url}/health/live`)).json()).toEqual({ status: 'up' });
      expect(await healthOf(url)).toEqual({ status: 'ready', checks: { database: true, writable: true } });
      expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
    }
    expect((await fetch(`${deviceUrl}${deviceCalls.queryDeviceList.path}`)).status).toBe(404);
  });

  it('accepts a login at one process and the connection at the other; a command reaches the device', async () => {
    const lamp = await connectNewDevice(admin, place);
    expect(lamp.bucket.port).toBe(mqtt.port);
    await expectOnline(admin, lamp.deviceId, 1);
    const sent = { deviceId: lamp.deviceId, functionId: 'power', functionValue: 'true' };
    const waiting = admin.admin.ok(controlCalls.commandDeviceFunction, sent);
    await lamp.respond(await lamp.next(isRequest), 200, { properties: { power: true } });
    expect(await waiting).toMatchObject({ status: 'answered', output: { power: true } });
    await lamp.end();
    await expectOnline(admin, lamp.deviceId, 2);
  });

  const connectWebSocket = async (port: number): Promise<string> => {
    const deviceId = unique('ws');
    const { token } = await login(admin.url, { deviceId, productId: place.productId, secret: place.productSecret });
    const client = await connectClient({ ...(await getBucket(admin.url, token, 'ws')), host: '127.0.0.1', port });
    await expectOnline(admin, deviceId, 1);
    await client.endAsync();
    return deviceId;
  };

  it('serves MQTT over WebSocket in the device process, and forwards it from an admin process that has its URL', async () => {
    await connectWebSocket(devicePort);
    // By its former name, which still works.
    const fellow = await startSecondHub(admin, { DEVICE_SIDE_URL: `http://127.0.0.1:${devicePort}` });
    more.push(fellow);
    await connectWebSocket(Number(new URL(fellow.url).port));
  });

  it('reports an admin process without the URL of a device process', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
      const asked = request(`${admin.url}/mqtt`, { headers }, (answer) => {
        let body = '';
        answer.on('data', (piece: Buffer) => {
          body += piece.toString();
        });
        answer.on('end', () => resolve(`${answer.statusCode} ${body}`));
      });
      asked.on('error', reject);
      asked.end();
    });
    expect(text).toMatch(/^503 This hub has no device process\..*DEVICE_PROCESS_URL/);
  });

  it('drains a device process too before it stops', async () => {
    const PORT = String(await freePort());
    const side = await startHubProcess({ ...admin.env, PROCESSES: 'device', PORT, DRAIN_TIME: '3s' });
    side.process.kill('SIGTERM');
    await expect
      .poll(() => healthOf(`http://127.0.0.1:${PORT}`), { interval: 20 })
      .toEqual({ status: 'draining', checks: { database: true, writable: true } });
    expect(await side.exited).toBe(0);
  });

  it('runs a mock device in the admin process, connected like all devices', async () => {
    const applicationId = await admin.create.application('1');
    const productId = await admin.create.product('1', { applicationId });
    const { deviceId } = await admin.admin.ok(
      mockCalls.createMockDevice,
      { deviceName: unique('mock'), productId },
      { as: 'json' },
    );
    await admin.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 1, everySeconds: 1 }, { as: 'json' });
    await expectOnline(admin, deviceId, 1);
    const sent = { deviceId, functionId: 'power', functionValue: 'true' };
    expect(await admin.admin.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({ status: 'answered' });
    await admin.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 0 }, { as: 'json' });
    await expectOnline(admin, deviceId, 2);
  });
});
