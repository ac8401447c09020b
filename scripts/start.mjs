// npm start: brings the hub up from a fresh clone. Arguments go to the hub: npm start -- --help
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { ensureConsole } from './lib/console-build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { exitCodeOf, fail, onParentGone, stopListening } from './lib/run.mjs';

const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--');
const helpOnly = args.includes('--help') || args.includes('-h');
const patience = 2_000;

await ensureInstalled();
if (!helpOnly) await ensureConsole().catch((error) => fail(error.message));

stopListening();
const hub = spawn(findNode(), [inRoot('packages', 'server', 'src', 'main.ts'), ...args], {
  cwd: root,
  env: nodeEnv(),
  // The hub leaves when the channel closes, so it also goes when this process is killed outright.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  // In a group of its own: Ctrl-C reaches this process from the terminal and again from npm, the hub only from here.
  detached: process.platform !== 'win32',
});

/** Two hundred devices need little; without a bound Node takes more than it needs. */
const small = ['--max-semi-space-size=2', '--max-old-space-size=128'];

/** The demonstration fleet is a program of its own that comes when the hub is up and leaves with it. */
let fleet;
const startFleet = ({ ready }) => {
  if (!args.includes('--demo') || !ready || fleet) return;
  const { HOST = '' } = process.env;
  const near = ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  const host = isIP(near) === 6 ? `[${near}]` : near;
  const program = inRoot('packages', 'simulator', 'src', 'demo.ts');
  const file = join(ready.dataDir, 'demo.json');
  // Where another hub has made the demonstration, its devices are with that one.
  if (!existsSync(file)) return;
  fleet = spawn(findNode(), [...small, program, `http://${host}:${ready.http}`, file], {
    cwd: root,
    env: nodeEnv(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
};
hub.on('message', startFleet);

let toldAt;
const tell = (signal) => {
  const now = Date.now();
  if (toldAt === undefined) {
    toldAt = now;
    fleet?.kill('SIGTERM');
    hub.kill(signal);
  } else if (signal === 'SIGINT' && now - toldAt > patience) {
    console.error('Ending the hub at once.');
    hub.kill('SIGKILL');
  }
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => tell(signal === 'SIGHUP' ? 'SIGTERM' : signal));
onParentGone(tell);

hub.on('error', (error) => fail(`The hub could not be started: ${error.message}`));
hub.on('exit', (code, signal) => {
  fleet?.kill('SIGTERM');
  process.exit(exitCodeOf(code, signal));
});
