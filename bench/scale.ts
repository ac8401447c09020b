/**
 * Ingest with one, two and three hubs on one PostgreSQL: acknowledged messages per second relative to one hub in the same
 * run, interleaved. Also measures what limits it: processor time of hubs, PostgreSQL and the load generator, WAL volume,
 * and wait events of PostgreSQL's backends. BENCH_DATABASE_URL names the server, which must run on this machine.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { createEnvironment } from '../packages/server/test/environment.ts';
import { type HubProcess, processorTicks, startHubProcess } from '../packages/server/test/hub-process.ts';
import { createFleet } from './ingest/fleet.ts';
import { type Load, startLoad } from './ingest/start-load.ts';
import { median } from './median.ts';
import { report } from './report.ts';

const HUBS = 3;
const DEVICES = Number(process.env.BENCH_DEVICES ?? 240);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const WINDOW = 16;
const TIMES = { warmUpMs: 1_500, measureMs: Number(process.env.BENCH_MS ?? 6_000) };
const SAMPLE_EVERY_MS = 100;
/** Clock ticks per second in /proc. */
const TICKS = 100;

if (!process.env.BENCH_DATABASE_URL) throw new Error('several hubs require PostgreSQL: set BENCH_DATABASE_URL');

const place = await createEnvironment(process.env.BENCH_DATABASE_URL);
const settings = {
  ...place.env,
  ADMIN_PASSWORD: 'Adm1n-pass',
  SECRET_KEY: 'the same for all',
  RATE_LIMIT_DEVICES: '1000000',
};
const hubs: HubProcess[] = [];
for (let count = 0; count < HUBS; count++) hubs.push(await startHubProcess(settings));
const [first] = hubs;
if (!first) throw new Error('no hub');
const server = new Client({ connectionString: place.env.DATABASE_URL });
await server.connect();

const fleet = await createFleet(first.url, settings.ADMIN_PASSWORD);
const devices = await fleet.register(DEVICES, 'scale-');

const withSides = ({ process: { pid = 0 } }: HubProcess): number[] => [
  pid,
  ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number),
];

type Taken = { hubs: number; postgres: number; load: number };

/** Processor time of each process so far, in ticks. */
const readTicks = async (loads: Load[]): Promise<Taken> => {
  const { rows } = await server.query<{ pid: number }>('select pid from pg_stat_activity');
  const sum = (pids: number[]): number => pids.reduce((all, pid) => all + processorTicks(pid), 0);
  return {
    hubs: sum(hubs.flatMap(withSides)),
    postgres: sum(rows.map(({ pid }) => pid)),
    load: sum(loads.map(({ pid }) => pid)),
  };
};

const readWal = async (): Promise<{ bytes: number; commits: number }> => {
  const { rows } = await server.query<{ bytes: string; commits: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes,
      (select xact_commit from pg_stat_database where datname = current_database()) as commits`,
  );
  return { bytes: Number(rows[0]?.bytes), commits: Number(rows[0]?.commits) };
};

const readAll = async (loads: Load[]) => ({ ticks: await readTicks(loads), wal: await readWal(), at: Date.now() });

/** States of active backends: `running`, or the wait event. */
const sampleWaits = async (waits: Map<string, number>): Promise<void> => {
  const { rows } = await server.query<{ what: string }>(
    `select coalesce(wait_event_type || ':' || wait_event, 'running') as what from pg_stat_activity
      where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
  );
  for (const { what } of rows) waits.set(what, (waits.get(what) ?? 0) + 1);
};

type Measured = { rate: number; cpu: Taken; walPerMessage: number; messagesPerCommit: number; waits: string };

const measure = async (count: number): Promise<Measured> => {
  const parts = hubs.slice(0, count).map((hub, index) => ({
    hub,
    part: devices.filter((_, at) => at % count === index),
  }));
  const loads = parts.map(({ hub, part }) =>
    startLoad({ port: hub.mqttPort, devices: part, window: WINDOW, ...TIMES }),
  );
  const all = Promise.all(loads.map(({ result }) => result));
  let over = false;
  void all.finally(() => {
    over = true;
  });
  await Promise.race([all, Promise.all(loads.map(({ begun }) => begun))]);
  const from = await readAll(loads);
  let to = from;
  const waits = new Map<string, number>();
  while (!over) {
    await sampleWaits(waits);
    const now = await readAll(loads);
    // The processor time of a load process that has exited is no longer readable.
    if (!over && now.ticks.load >= to.ticks.load) to = now;
    await pause(SAMPLE_EVERY_MS);
  }
  const seconds = (to.at - from.at) / 1_000;
  const results = await all;
  for (const [index, { part }] of parts.entries())
    for (const [at, device] of part.entries())
      device.firstDataId = results[index]?.lastDataIds[at] ?? device.firstDataId;
  const rate = results.reduce((sum, result) => sum + result.acknowledged / result.seconds, 0);
  const share = (name: keyof Taken): number => (to.ticks[name] - from.ticks[name]) / TICKS / seconds;
  const sampled = [...waits.values()].reduce((sum, times) => sum + times, 0);
  return {
    rate,
    cpu: { hubs: share('hubs'), postgres: share('postgres'), load: share('load') },
    walPerMessage: (to.wal.bytes - from.wal.bytes) / (rate * seconds),
    messagesPerCommit: (rate * seconds) / Math.max(1, to.wal.commits - from.wal.commits),
    waits: [...waits]
      .sort(([, one], [, other]) => other - one)
      .slice(0, 4)
      .map(([what, times]) => `${what} ${Math.round((100 * times) / sampled)} %`)
      .join(', '),
  };
};

const measured = new Map<number, Measured[]>();
for (let round = 1; round <= ROUNDS; round++)
  for (let count = 1; count <= HUBS; count++) {
    const one = await measure(count);
    measured.set(count, [...(measured.get(count) ?? []), one]);
    console.log(`round ${round}: ${count} hubs ${Math.round(one.rate)}/s`);
  }

console.log(`\n${DEVICES} devices, QoS 1, PostgreSQL, ${availableParallelism()} processors in total`);
const rateOf = (count: number): number => median((measured.get(count) ?? []).map(({ rate }) => rate));
for (const [count, all] of measured) {
  const middle = (of: (one: Measured) => number): number => median(all.map(of));
  report({
    what: `messages stored by ${count === 1 ? 'one hub' : `${count} hubs on one PostgreSQL`}`,
    value: rateOf(count),
    unit: 'a second',
    ...(count === 1 ? {} : { reference: { name: 'one hub', value: rateOf(1) } }),
  });
  console.log(
    `         processors: hubs ${middle(({ cpu }) => cpu.hubs).toFixed(2)}, PostgreSQL ${middle(({ cpu }) => cpu.postgres).toFixed(2)}, load ${middle(({ cpu }) => cpu.load).toFixed(2)}`,
  );
  console.log(
    `         written ahead: ${Math.round(middle(({ walPerMessage }) => walPerMessage))} bytes a message, ${middle(({ messagesPerCommit }) => messagesPerCommit).toFixed(1)} messages a commit; backends: ${all.at(-1)?.waits}`,
  );
}

await server.end();
await Promise.all(hubs.map((hub) => hub.stop()));
await place.dispose();
