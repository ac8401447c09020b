// The second half of npm start: everything is installed and built; this runs the hub and answers signals.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { onParentGone } from './lib/run.mjs';

const args = process.argv.slice(2);
/** A second Ctrl-C after this long ends the hub without waiting for it. */
const secondInterruptAfter = 2_000;

/** Two hundred devices need little; without a bound Node takes more than it needs. */
const small = ['--max-semi-space-size=2', '--max-old-space-size=128'];

/** The demonstration fleet is a program of its own that starts when the hub is ready and stops with it. */
let fleet;
const startFleet = ({ httpPort, dataDir }) => {
  if (!args.includes('--demo') || httpPort === undefined) return;
  const { HOST = '' } = process.env;
  const near = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  const host = isIP(near) === 6 ? `[${near}]` : near;
  const program = inRoot('packages', 'simulator', 'src', 'demo.ts');
  const file = join(dataDir, 'demo.json');
  // Where another hub has made the demonstration, its devices are with that one.
  if (!existsSync(file)) return;
  fleet = spawn(findNode(), [...small, program, `http://${host}:${httpPort}`, file], {
    cwd: root,
    env: nodeEnv(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
};

// The supervisor runs in this process: it is small, and a process of its own would only add to the memory.
process.chdir(root);
const { processesOf, startSupervisor } = await import(
  pathToFileURL(inRoot('packages', 'server', 'dist', 'supervisor.js')).href
);
const supervisor = startSupervisor({
  processes: processesOf(process.env),
  execPath: findNode(),
  env: nodeEnv(),
  args,
  onReady: startFleet,
});

let firstSignalAt;
const stop = (signal) => {
  const now = Date.now();
  if (firstSignalAt === undefined) {
    firstSignalAt = now;
    supervisor.stop();
  } else if (signal === 'SIGINT' && now - firstSignalAt > secondInterruptAfter) {
    console.error('Ending the hub at once.');
    supervisor.kill();
  }
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
// When a terminal is closed npm ends, and with it the hub.
process.on('SIGHUP', supervisor.reload);
onParentGone(stop);

const code = await supervisor.ended;
fleet?.kill('SIGTERM');
process.exit(code);
