import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programName } from '../src/platform/locations.ts';

/** A hub with only one process prints one address. With TLS only, the MQTT address is that of TLS. */
const READY = /^ready (?:(http:\S+))? ?(?:mqtts?:\/\/\S+:(\d+))?$/m;

/** The path of a program of the hub, given from src/. `npm test` builds a bundle; a single test run uses the sources. */
export const programPath = (file: string): string =>
  fileURLToPath(
    new URL(process.env.TEST_BUNDLE ? `../dist/${programName(file)}.js` : `../src/${file}`, import.meta.url),
  );

/** Free ports, and rate limits that many tests from one address do not reach. */
export const testSettings = {
  PORT: '0',
  MQTT_PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '1000000',
  RATE_LIMIT_PUBLIC: '1000000',
  MQTT_FAILED_PER_ADDRESS: '1000000',
};

export type HubProcess = {
  /** '' without an admin process. */
  url: string;
  /** 0 without a device process; the TLS port when plain MQTT is off. */
  mqttPort: number;
  output: () => string;
  errors: () => string;
  process: ChildProcess;
  exited: Promise<number | null>;
  /** SIGTERM, then wait. */
  stop: () => Promise<number | null>;
  /** SIGKILL to the supervisor and both processes. */
  kill: () => Promise<void>;
};

/** The compile cache of `npm start`, shared by all hubs. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** An environment without the developer's settings. */
export const cleanEnv = (): Record<string, string> => {
  const { PATH = '', HOME = '', __STRYKER_ACTIVE_MUTANT__: mutant } = process.env;
  // A mutation run passes the active mutant in this variable.
  return { PATH, HOME, NODE_COMPILE_CACHE: COMPILED, ...(mutant && { __STRYKER_ACTIVE_MUTANT__: mutant }) };
};

const started = new Set<ChildProcess>();

/** Kills hubs that a failed test or setup left running. */
export const killLeftHubs = (): void => {
  for (const { pid, exitCode, signalCode } of started)
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
};

/** Calls `take` with the text appended to the file, until the process has exited. */
const follow = (file: string, exited: Promise<unknown>, take: (text: string) => void): void => {
  let length = 0;
  const look = (): void => {
    const text = readFileSync(file, 'utf8');
    if (text.length > length) take(text.slice(length));
    length = text.length;
  };
  const timer = setInterval(look, 20);
  void exited.then(() => {
    clearInterval(timer);
    look();
  });
};

/** `logFile`: receives both outputs, as with `npm start >hub.log 2>&1`. */
export const launch = (
  env: Record<string, string>,
  args: string[] = [],
  logFile?: string,
): Omit<HubProcess, 'url' | 'mqttPort'> & { ready: Promise<[string, number]> } => {
  const log = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const child = spawn(process.execPath, [programPath('main.ts'), ...args], {
    env: {
      ...cleanEnv(),
      ...testSettings,
      ...env,
    },
    // With an IPC channel the hub also stops when the test process exits.
    stdio: ['ignore', log, log, 'ipc'],
    // A process group of its own: one kill -9 ends all processes, as in a power failure.
    detached: true,
  });
  if (typeof log === 'number') closeSync(log);
  started.add(child);
  let out = '';
  let err = '';
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const ready = new Promise<[string, number]>((resolve, reject) => {
    const take = (text: string): void => {
      out += text;
      const line = READY.exec(out);
      if (line) resolve([line[1] ?? '', Number(line[2] ?? 0)]);
    };
    child.stdout?.on('data', (bytes: Buffer) => take(bytes.toString()));
    if (logFile !== undefined) follow(logFile, exited, take);
    void exited.then((code) => reject(new Error(`the hub ended with ${code} before it was ready:\n${err}${out}`)));
  });
  void exited.then(() => started.delete(child));
  child.stderr?.on('data', (bytes: Buffer) => {
    err += bytes.toString();
  });
  // Avoids an unhandled rejection: not every test awaits `ready`.
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

export const startHubProcess = async (
  env: Record<string, string>,
  args: string[] = [],
  logFile?: string,
): Promise<HubProcess> => {
  const hub = launch(env, args, logFile);
  const [url, mqttPort] = await hub.ready;
  return { ...hub, url, mqttPort };
};

const sideOf = (name: 'admin' | 'device', { process: { pid } }: Pick<HubProcess, 'process'>): number => {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const children = listed === '' ? [] : listed.split(' ').map(Number);
  return (
    children.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').match(new RegExp(`/${name}\\.[jt]s`))) ?? 0
  );
};

/** The process id of the admin process. */
export const adminProcess = (hub: Pick<HubProcess, 'process'>): number => sideOf('admin', hub);

/** The process id of the device process. */
export const deviceProcess = (hub: Pick<HubProcess, 'process'>): number => sideOf('device', hub);

/** The resident memory of a process. */
export const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** The CPU time of a process in ticks; 0 when it has ended or runs on another machine. */
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
