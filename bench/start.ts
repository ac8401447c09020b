/** Time of `npm start` until the ready line, with everything installed, built and migrated; and its memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from './median.ts';
import { report } from './report.ts';

const ROUNDS = 5;
/** After the ready line the processes finish their startup: threads, caches, first jobs. */
const IDLE_AFTER_MS = 10_000;
const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'device-center-bench-'));

const startHub = (command: string, args: string[]): ChildProcess =>
  spawn(command, args, {
    cwd: root,
    env: { ...process.env, PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const waitForReady = (hub: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    hub.stdout?.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (/^ready /m.test(output)) resolve();
    });
    hub.on('exit', (code) => reject(new Error(`the hub exited with ${code}`)));
  });

const stop = async (hub: ChildProcess): Promise<void> => {
  hub.removeAllListeners('exit');
  const gone = new Promise((resolve) => hub.once('exit', resolve));
  hub.kill('SIGTERM');
  await gone;
};

const timeHub = async (): Promise<number> => {
  const began = performance.now();
  const hub = startHub('node', ['scripts/start.mjs']);
  await waitForReady(hub);
  const took = performance.now() - began;
  await stop(hub);
  return took;
};

/** The reference: starting Node twice in sequence, like the start script and the processes. */
const timeNode = async (): Promise<number> => {
  const began = performance.now();
  for (let turn = 0; turn < 2; turn++)
    await new Promise((resolve) => spawn('node', ['-e', '0'], { stdio: 'ignore' }).once('exit', resolve));
  return performance.now() - began;
};

const childrenOf = (pid: number): number[] => {
  const listed = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return listed === '' ? [] : listed.split(' ').map(Number);
};

const residentMiB = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024 +
  childrenOf(pid).reduce((sum, child) => sum + residentMiB(child), 0);

/** Memory of `npm start` and all its child processes when idle. */
const measureMemory = async (): Promise<number> => {
  const hub = startHub('npm', ['start']);
  await waitForReady(hub);
  await pause(IDLE_AFTER_MS);
  const memory = residentMiB(hub.pid ?? 0);
  await stop(hub);
  return memory;
};

const measureNode = async (): Promise<number> => {
  const node = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log(0)'], { stdio: 'pipe' });
  await new Promise((resolve) => node.stdout.once('data', resolve));
  const memory = residentMiB(node.pid ?? 0);
  node.kill();
  return memory;
};

await timeHub();
const hubs: number[] = [];
const nodes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  hubs.push(await timeHub());
  nodes.push(await timeNode());
}
report({
  what: 'npm start to ready',
  value: median(hubs),
  unit: 'ms',
  worst: Math.max(...hubs),
  reference: { name: 'node -e 0, twice', value: median(nodes) },
});
report({
  what: 'npm start, all processes, idle',
  value: await measureMemory(),
  unit: 'MiB resident',
  reference: { name: 'node -e 0', value: await measureNode() },
});
rmSync(dataDir, { recursive: true, force: true });
