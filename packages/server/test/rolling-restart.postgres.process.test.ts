import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, accountCalls, applicationCalls, deviceCalls, personalCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture, expectOnline } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { type Backend, freePorts, type Haproxy, startHaproxy } from './haproxy-fixtures.ts';
import { ADMIN_PASSWORD, type SpawnedHub, spawnHub, unique } from './hub.ts';
import { type HubProcess, startHubProcess } from './hub-process.ts';
import { preparedForHubs } from './hubs-fixtures.ts';
import { temporaryFolder } from './temporary-folder.ts';

describeOnPostgres(() => {
  const REQUESTS = LONG ? 1_000 : 200;
  const CALLERS = LONG ? 8 : 4;
  const PAUSE_MS = 10;

  const folder = temporaryFolder('device-center-rolling-');
  const hubs: { env: Record<string, string>; process: HubProcess }[] = [];
  let first: SpawnedHub;
  let balancer: Haproxy;
  let caller: Client;
  let device: Device;

  beforeAll(async () => {
    const [outside, ...ports] = [await freePorts(), await freePorts(), await freePorts()];
    const settingsOf = ({ http, mqtt }: Backend) => ({ PORT: String(http), MQTT_PORT: String(mqtt) });
    const { environment, SECRET_KEY } = await preparedForHubs();
    const common = {
      SECRET_KEY,
      FILE_STORE: folder,
      PUBLIC_URL: `http://127.0.0.1:${outside.http}`,
      MQTT_PUBLIC_URL: `mqtt://127.0.0.1:${outside.mqtt}`,
      TRUST_PROXY: '127.0.0.1',
      DRAIN_TIME: '5s',
    };
    first = await spawnHub({ ...common, ...settingsOf(ports[0]) }, [], environment);
    hubs.push({ env: first.env, process: first.process });
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'device-center-fellow-'));
    const env = { ...first.env, ...settingsOf(ports[1]), DATA_DIR };
    hubs.push({ env, process: await startHubProcess(env) });
    balancer = await startHaproxy(outside, ports);
    caller = createClient(balancer.url, first.admin.token);
    const { productId, productSecret } = await createProductFixture(first);
    const backoff = { first: 50, max: 500 };
    device = createDevice({ hubUrl: balancer.url, productId, productSecret, deviceId: unique('lamp'), backoff });
    await device.start();
  });
  afterAll(async () => {
    await device.stop();
    await balancer.stop();
    await hubs[1]?.process.stop();
    await hubs[0]?.process.stop();
    await first.close();
  });

  it('pass the address of each caller through HAProxy', async () => {
    const localAddress = '127.0.0.7';
    const { method, path } = accountCalls.login;
    const status = await new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' };
      const asked = request(new URL(path, balancer.url), { method, localAddress, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.on('error', reject);
      asked.end(JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD }));
    });
    expect(status).toBe(200);
    const sessions = await caller.ok(personalCalls.getSessions, {});
    expect(sessions.map(({ ip }) => ip)).toContain(localAddress);
  });

  it.each(['/metrics', '//metrics', '/%6detrics', '/metrics/'])(
    'are not reachable through HAProxy at %s',
    async (path) => {
      expect((await fetch(`${first.url}/metrics`)).status).toBe(200);
      expect((await fetch(`${balancer.url}${path}`)).status).toBe(404);
    },
  );

  it(`fail none of ${REQUESTS} requests during a rolling restart behind HAProxy`, async () => {
    const failed: string[] = [];
    const names: string[] = [];
    let done = 0;
    let restarted = 0;
    const isOver = (): boolean => restarted === hubs.length && done >= REQUESTS;

    /** Reads and changes in turn. */
    const calls: (() => Promise<Answer<unknown>>)[] = [
      () => caller.call(personalCalls.getPersonalMessage, {}),
      async () => {
        const applicationName = unique('rolling');
        const answer = await caller.call(applicationCalls.addApplication, { applicationName });
        if (answer.success) names.push(applicationName);
        return answer;
      },
      () => caller.call(deviceCalls.queryDeviceList, {}),
      () => caller.call(applicationCalls.queryApplicationList, {}),
    ];
    const work = async (): Promise<void> => {
      while (!isOver()) {
        const answer = await calls[done++ % calls.length]?.().catch((error: Error) => error);
        if (answer instanceof Error) failed.push(answer.message);
        else if (answer && !answer.success) failed.push(answer.code);
        await pause(PAUSE_MS);
      }
    };
    let reports = 0;
    const report = async (): Promise<void> => {
      while (!isOver()) {
        await device.report({ brightness: 1 + (reports++ % 100) });
        await pause(PAUSE_MS);
      }
    };
    const load = Promise.all([report(), ...Array.from({ length: CALLERS }, work)]);

    for (const hub of hubs) {
      expect(await hub.process.stop()).toBe(0);
      hub.process = await startHubProcess(hub.env);
      restarted++;
    }
    await load;
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThanOrEqual(REQUESTS);
    const rows = await first.db.selectFrom('application').select('application_name').execute();
    const stored = rows.map((row) => row.application_name).filter((name) => name.startsWith('rolling'));
    expect(stored.sort()).toEqual(names.sort());
    await expectOnline(first, device.deviceId, 1);
    // HAProxy has detected each restart before the hub stopped.
    expect(balancer.said().match(/Server hubs_http\/hub\d is DOWN/g)).toHaveLength(2);
    expect(balancer.said().match(/Server hubs_mqtt\/hub\d is DOWN/g)).toHaveLength(2);
  }, 180_000);
});
