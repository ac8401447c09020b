import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/** A hub that has only one of its sides tells only one address. */
const READY = /^ready (?:(http:\S+))? ?(?:mqtt:\/\/\S+:(\d+))?$/m;

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type Place = { env: Record<string, string>; dispose: () => Promise<void> };

/** A fresh data folder and, where the run is on PostgreSQL, a fresh database. */
export const freshPlace = async (server = process.env.TEST_DATABASE_URL, space = 'pg_default'): Promise<Place> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'device-center-'));
  if (!server)
    return { env: { DATA_DIR: dataDir }, dispose: async () => rmSync(dataDir, { recursive: true, force: true }) };
  const name = `hub_${randomBytes(8).toString('hex')}`;
  const inServer = async (sql: string): Promise<void> => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await inServer(`create database ${name} tablespace ${space}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    env: { DATA_DIR: dataDir, DATABASE_URL: url.href },
    dispose: async () => {
      await inServer(`drop database ${name} with (force)`);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export type HubProcess = {
  /** '' where it has no admin side. */
  url: string;
  /** 0 where it has no device side. */
  mqttPort: number;
  output: () => string;
  errors: () => string;
  process: ChildProcess;
  exited: Promise<number | null>;
  /** SIGTERM, then wait. */
  stop: () => Promise<number | null>;
  /** SIGKILL to the supervisor and both sides at once. */
  kill: () => Promise<void>;
};

/** As `npm start` has it: what one hub has compiled the next need not. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

const cleanEnv = (): Record<string, string> => {
  const { PATH = '', HOME = '', __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
  // A mutation run says by this which of its changes is in force.
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...(mutant && { __STRYKER_ACTIVE_MUTANT__: mutant }) };
};

export const launch = (
  env: Record<string, string>,
  args: string[] = [],
): Omit<HubProcess, 'url' | 'mqttPort'> & { ready: Promise<[string, number]> } => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: {
      ...cleanEnv(),
      PORT: '0',
      MQTT_PORT: '0',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: '1000000',
      RATE_LIMIT_PUBLIC: '1000000',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that a kill -9 takes all of it, as a power cut would.
    detached: true,
  });
  let out = '';
  let err = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<[string, number]>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      out += bytes.toString();
      const line = READY.exec(out);
      if (line) resolve([line[1] ?? '', Number(line[2] ?? 0)]);
    });
    void exited.then((code) => reject(new Error(`the hub ended with ${code} before it was ready:\n${err}${out}`)));
  });
  child.stderr.on('data', (bytes: Buffer) => {
    err += bytes.toString();
  });
  // Whoever waits for it sees the refusal; nobody has to.
  ready.catch(() => undefined);
  return {
    ready,
    process: child,
    exited,
    output: () => out,
    errors: () => err,
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, 'SIGKILL');
      await exited;
    },
  };
};

export const startHubProcess = async (env: Record<string, string>, args: string[] = []): Promise<HubProcess> => {
  const hub = launch(env, args);
  const [url, mqttPort] = await hub.ready;
  return { ...hub, url, mqttPort };
};

const sideOf = (name: 'admin' | 'device', { process: { pid } }: Pick<HubProcess, 'process'>): number => {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const children = listed === '' ? [] : listed.split(' ').map(Number);
  return children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(`/${name}.ts`)) ?? 0;
};

/** The process of the admin side, as the system knows it. */
export const adminSide = (hub: Pick<HubProcess, 'process'>): number => sideOf('admin', hub);

/** The process of the device side, as the system knows it. */
export const deviceSide = (hub: Pick<HubProcess, 'process'>): number => sideOf('device', hub);

/** What a process holds in memory now. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** What a process has used of the processors up to now, in ticks; 0 where it has ended, or is on another machine. */
export const processorTicks = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
};
