/**
 * Ingest over the full path (authentication, signature, model check, message record, samples, latest value, counters,
 * PUBACK after commit) against plain aedes and against Mosquitto, which store nothing: interleaved, three rounds.
 * BENCH_DATABASE_URL measures on PostgreSQL.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountCalls, applicationCalls, productCalls } from '@device-center/contract';
import { generate } from 'mqtt-packet';
import { createClient } from '../../packages/server/test/client.ts';
import { freshPlace, startHubProcess } from '../../packages/server/test/hub-process.ts';
import { getBucket, login } from '../../packages/server/test/raw-device.ts';
import { median } from '../median.ts';
import { report } from '../report.ts';
import type { LoadDevice, LoadOrder, LoadResult } from './load.ts';

const DEVICES = 200;
const WINDOW = 16;
const ROUNDS = 3;
const IDLE = Number(process.env.BENCH_IDLE ?? 5_000);
const TIMES = { warmUpMs: 1_500, measureMs: Number(process.env.BENCH_MS ?? 6_000) };

if (process.env.BENCH_DATABASE_URL) process.env.TEST_DATABASE_URL = process.env.BENCH_DATABASE_URL;
const place = await freshPlace();
const hub = await startHubProcess({
  ...place.env,
  ADMIN_PASSWORD: 'Adm1n-pass',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '1000000',
});

const stranger = createClient(hub.url);
const { token } = await stranger.get(accountCalls.login, { username: 'admin', password: 'Adm1n-pass' });
const admin = createClient(hub.url, token);
const { applicationId } = await admin.get(applicationCalls.addApplication, { applicationName: 'bench' });
const { productId, productSecret } = await admin.get(productCalls.addDeviceProduct, {
  productName: 'bench',
  categoryId: 'std-lighting',
  nodeType: 1,
  protocolId: 1,
  classId: 1,
  applicationId,
});

const register = async (deviceId: string): Promise<LoadDevice> => {
  const answer = await login(hub.url, { productId, deviceId, secret: productSecret, signMethod: 'md5' });
  const { topics } = await getBucket(hub.url, answer.token);
  const { sessionId, tenantId, deviceSecret = '' } = answer;
  return {
    deviceId,
    token: answer.token,
    secret: deviceSecret,
    sessionId,
    tenantId,
    topic: topics.up,
    firstDataId: 10_000,
  };
};

const registerMany = async (count: number, prefix: string): Promise<LoadDevice[]> => {
  const devices: LoadDevice[] = [];
  for (let from = 0; from < count; from += 50)
    devices.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, index) => register(`${prefix}${from + index}`)),
      )),
    );
  return devices;
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

const startAedes = async (): Promise<{ port: number; stop: () => void }> => {
  const child = fork(new URL('./plain-aedes.ts', import.meta.url));
  const port = await new Promise<number>((resolve) => child.once('message', (value) => resolve(value as number)));
  return { port, stop: () => child.kill() };
};

const findMosquitto = (): string | undefined =>
  ['/usr/sbin/mosquitto', '/usr/bin/mosquitto', '/usr/local/sbin/mosquitto'].find((file) => existsSync(file));

const startMosquitto = async (): Promise<{ port: number; stop: () => void } | undefined> => {
  const program = findMosquitto();
  if (!program) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'device-center-bench-'));
  const port = await freePort();
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(
    file,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nmax_inflight_messages 0\nmax_queued_messages 0\nlog_type none\n`,
  );
  const child: ChildProcess = spawn(program, ['-c', file], { stdio: 'ignore' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    port,
    stop: () => {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const load = (port: number, devices: LoadDevice[]): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const child = fork(new URL('./load.ts', import.meta.url));
    child.once('message', (result: LoadResult) => resolve(result));
    child.once('exit', (code) => code !== 0 && reject(new Error(`the load ended with ${code}`)));
    child.send({ port, devices, window: WINDOW, ...TIMES } satisfies LoadOrder);
  });

/** The device side's memory: it is the child of the supervisor that runs device.ts. */
const deviceSideMemory = (): number => {
  const supervisor = hub.process.pid;
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ');
  const side = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('device.ts'));
  const status = readFileSync(`/proc/${side}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
};

const aedes = await startAedes();
const mosquitto = await startMosquitto();
const devices = await registerMany(DEVICES, 'load-');
const rates = { hub: [] as number[], aedes: [] as number[], mosquitto: [] as number[] };
let messageBytes = 0;

for (let round = 1; round <= ROUNDS; round++) {
  const targets = [
    ['hub', hub.mqttPort],
    ['aedes', aedes.port],
    ...(mosquitto ? [['mosquitto', mosquitto.port]] : []),
  ] as ['hub' | 'aedes' | 'mosquitto', number][];
  for (const [name, port] of targets) {
    const result = await load(port, devices);
    if (name === 'hub')
      for (const [index, last] of result.lastDataIds.entries()) {
        const device = devices[index];
        if (device) device.firstDataId = last;
      }
    messageBytes = result.bytes / Math.max(1, result.acknowledged);
    rates[name].push(result.acknowledged / result.seconds);
  }
  console.log(
    `round ${round}: ${Object.entries(rates)
      .map(([name, all]) => `${name} ${Math.round(all.at(-1) ?? 0)}/s`)
      .join(', ')}`,
  );
}
const memoryLoaded = deviceSideMemory();

const loginBegan = performance.now();
const idle = await registerMany(IDLE, 'idle-');
const loginSeconds = (performance.now() - loginBegan) / 1_000;
const before = deviceSideMemory();
const connectIdle = ({ deviceId, token }: LoadDevice): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(hub.mqttPort, '127.0.0.1');
    socket.once('data', () => resolve(socket));
    socket.once('error', reject);
    const named = { clientId: deviceId, username: deviceId, password: Buffer.from(token) };
    socket.write(
      generate({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clean: true, keepalive: 1200, ...named }),
    );
  });
const sockets: Socket[] = [];
for (let from = 0; from < idle.length; from += 200)
  sockets.push(...(await Promise.all(idle.slice(from, from + 200).map(connectIdle))));
const after = deviceSideMemory();
for (const socket of sockets) socket.destroy();

const middle = { hub: median(rates.hub), aedes: median(rates.aedes), mosquitto: median(rates.mosquitto) };
console.log(
  `\n${DEVICES} devices, QoS 1, ${Math.round(messageBytes)} bytes a packet, ${place.env.DATABASE_URL ? 'PostgreSQL' : 'SQLite'}`,
);
const perSecond = (name: string, value: number): void =>
  report({
    what: 'messages stored and acknowledged',
    value: middle.hub,
    unit: 'a second',
    reference: { name: `${name}, storing nothing`, value },
  });
perSecond('aedes', middle.aedes);
if (mosquitto) perSecond('Mosquitto', middle.mosquitto);
else console.log('Mosquitto is not installed');
report({ what: 'devices logged in', value: IDLE / loginSeconds, unit: 'a second' });
report({ what: 'device side after the load', value: memoryLoaded, unit: 'MB' });
report({ what: `${IDLE.toLocaleString('en')} idle connections`, value: after - before, unit: 'MB more' });

aedes.stop();
mosquitto?.stop();
await hub.stop();
await place.dispose();
