/**
 * Ingest over the full path (authentication, signature, model check, message record, samples, latest value, counters,
 * PUBACK after commit). References: aedes and Mosquitto, which store nothing; interleaved, three rounds.
 * BENCH_DATABASE_URL measures on PostgreSQL. BENCH_AGAINST=FOLDER measures the hub of another checkout, alternating.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { generate } from 'mqtt-packet';
import { findMosquitto, startMosquitto } from '../../packages/server/test/broker-fixtures.ts';
import { createEnvironment } from '../../packages/server/test/environment.ts';
import { startHubProcess } from '../../packages/server/test/hub-process.ts';
import { median } from '../median.ts';
import { report } from '../report.ts';
import { createFleet } from './fleet.ts';
import type { LoadDevice } from './load-messages.ts';
import { startLoad } from './start-load.ts';

const DEVICES = 200;
const WINDOW = 16;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const IDLE = Number(process.env.BENCH_IDLE ?? 5_000);
const TIMES = { warmUpMs: 1_500, measureMs: Number(process.env.BENCH_MS ?? 6_000) };

const ADMIN_PASSWORD = 'Adm1n-pass';
const openHub = async (start: typeof startHubProcess) => {
  const place = await createEnvironment(process.env.BENCH_DATABASE_URL);
  const hub = await start({ ...place.env, ADMIN_PASSWORD, LOG_LEVEL: 'warn', RATE_LIMIT: '1000000' });
  const fleet = await createFleet(hub.url, ADMIN_PASSWORD);
  const close = () => hub.stop().then(() => place.dispose());
  return { hub, place, fleet, devices: await fleet.register(DEVICES, 'load-'), close };
};
const openOther = async (folder: string) =>
  openHub((await import(join(folder, 'packages/server/test/hub-process.ts'))).startHubProcess);

const { hub, place, fleet, devices, close } = await openHub(startHubProcess);
const other = process.env.BENCH_AGAINST ? await openOther(process.env.BENCH_AGAINST) : undefined;

const startAedes = async (): Promise<{ port: number; stop: () => void }> => {
  const child = fork(new URL('./plain-aedes.ts', import.meta.url));
  const port = await new Promise<number>((resolve) => child.once('message', (value) => resolve(value as number)));
  return { port, stop: () => child.kill() };
};

/** Memory of the device process: the supervisor's child that runs device.ts. */
const deviceSideMemory = (): number => {
  const supervisor = hub.process.pid;
  const children = readFileSync(`/proc/${supervisor}/task/${supervisor}/children`, 'utf8').trim().split(' ');
  const side = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/\/device\.[jt]s/));
  const status = readFileSync(`/proc/${side}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
};

const aedes = await startAedes();
const mosquitto = findMosquitto()
  ? await startMosquitto({ more: ['persistence false', 'max_inflight_messages 0', 'log_type none'] })
  : undefined;
const rates = { hub: [] as number[], other: [] as number[], aedes: [] as number[], mosquitto: [] as number[] };
let messageBytes = 0;

for (let round = 1; round <= ROUNDS; round++) {
  const targets: { name: keyof typeof rates; port: number; sent: LoadDevice[] }[] = [
    { name: 'hub', port: hub.mqttPort, sent: devices },
    ...(other ? [{ name: 'other' as const, port: other.hub.mqttPort, sent: other.devices }] : []),
    { name: 'aedes', port: aedes.port, sent: devices },
    ...(mosquitto ? [{ name: 'mosquitto' as const, port: mosquitto.port, sent: devices }] : []),
  ];
  for (const { name, port, sent } of targets) {
    const result = await startLoad({ port, devices: sent, window: WINDOW, ...TIMES }).result;
    if (name === 'hub' || name === 'other')
      for (const [index, last] of result.lastDataIds.entries()) {
        const device = sent[index];
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
const idle = await fleet.register(IDLE, 'idle-');
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
    reference: { name, value },
  });
if (other) perSecond('the other checkout', median(rates.other));
perSecond('aedes, storing nothing', middle.aedes);
if (mosquitto) perSecond('Mosquitto, storing nothing', middle.mosquitto);
else console.log('Mosquitto is not installed');
report({ what: 'devices logged in', value: IDLE / loginSeconds, unit: 'a second' });
report({ what: 'device side after the load', value: memoryLoaded, unit: 'MB' });
report({ what: `${IDLE.toLocaleString('en')} idle connections`, value: after - before, unit: 'MB more' });

aedes.stop();
await mosquitto?.dispose();
await close();
await other?.close();
