/** How long `npm start` takes until the ready line, when everything is installed, built and migrated. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './median.ts';
import { report } from './report.ts';

const ROUNDS = 5;
const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'device-center-bench-'));

const timeHub = async (): Promise<number> => {
  const began = performance.now();
  const hub = spawn('node', ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: '0', MQTT_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const took = await new Promise<number>((resolve, reject) => {
    let output = '';
    hub.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString();
      if (/^ready /m.test(output)) resolve(performance.now() - began);
    });
    hub.on('exit', (code) => reject(new Error(`the hub ended with ${code}`)));
  });
  hub.removeAllListeners('exit');
  const gone = new Promise((resolve) => hub.once('exit', resolve));
  hub.kill('SIGTERM');
  await gone;
  return took;
};

/** The reference: Node itself, twice in a row, as the supervisor and its sides start one after the other. */
const timeNode = async (): Promise<number> => {
  const began = performance.now();
  for (let turn = 0; turn < 2; turn++)
    await new Promise((resolve) => spawn('node', ['-e', '0'], { stdio: 'ignore' }).once('exit', resolve));
  return performance.now() - began;
};

await timeHub();
const hubs: number[] = [];
const nodes: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  hubs.push(await timeHub());
  nodes.push(await timeNode());
}
rmSync(dataDir, { recursive: true, force: true });

report({
  what: 'npm start to ready',
  value: median(hubs),
  unit: 'ms',
  worst: Math.max(...hubs),
  reference: { name: 'node -e 0, twice', value: median(nodes) },
});
