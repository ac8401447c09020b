// The second part of npm start, after installation and build: runs the hub and handles signals.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { onParentGone } from './lib/run.mjs';

const args = process.argv.slice(2);
/** A second Ctrl-C after this time kills the hub at once. */
const secondInterruptAfter = 2_000;

/** Heap limit of the demonstration fleet; without one, Node uses more memory than it needs. */
const small = ['--max-semi-space-size=2', '--max-old-space-size=128'];

/** The demonstration fleet is a separate process that starts when the hub is ready and stops with it. */
let fleet;
const startFleet = ({ httpPort, dataDir }) => {
  if (!args.includes('--demo') || httpPort === undefined) return;
  const { HOST = '' } = process.env;
  const near = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  const host = isIP(near) === 6 ? `[${near}]` : near;
  const program = inRoot('packages', 'simulator', 'src', 'demo.ts');
  const file = join(dataDir, 'demo.json');
  // If another hub created the demonstration, its fleet runs with that hub.
  if (!existsSync(file)) return;
  fleet = spawn(findNode(), [...small, program, `http://${host}:${httpPort}`, file], {
    cwd: root,
    env: nodeEnv(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
};

// The supervisor runs in this process: a separate one would only use more memory.
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
    console.error('Killing the hub.');
    supervisor.kill();
  }
};
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
// When the terminal closes, npm ends, and the hub must end too.
process.on('SIGHUP', supervisor.reload);
onParentGone(stop);

const code = await supervisor.ended;
fleet?.kill('SIGTERM');
process.exit(code);
