// npm start: starts the hub, also from a fresh clone. Arguments are passed to the hub: npm start -- --help
import { spawnSync } from 'node:child_process';
import { ensureConsole, ensureServer } from './lib/builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot } from './lib/root.mjs';
import { fail, stopListening } from './lib/run.mjs';

const args = process.argv.slice(2).filter((arg, at) => at > 0 || arg !== '--');

await ensureInstalled();
if (args.includes('--help') || args.includes('-h')) {
  await ensureServer();
  const { status } = spawnSync(findNode(), [inRoot('packages', 'server', 'dist', 'main.js'), '--help'], {
    stdio: 'inherit',
    env: nodeEnv(),
  });
  process.exit(status ?? 1);
}
await Promise.all([ensureConsole(), ensureServer()]).catch((error) => fail(error.message));
stopListening();

const supervise = inRoot('scripts', 'supervise.mjs');
if (process.execve) {
  // In the same process, but from nothing: the memory that the checks above have used is given back.
  process.execve(process.execPath, [process.execPath, ...process.execArgv, supervise, ...args], process.env);
} else {
  process.argv = [process.execPath, supervise, ...args];
  await import('./supervise.mjs');
}
