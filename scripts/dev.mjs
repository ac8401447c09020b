// npm run dev: runs the hub, restarted when its sources change, and the console with hot reload. Ctrl-C stops both.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { onParentGone, stopListening } from './lib/run.mjs';

await ensureInstalled();
stopListening();

const node = findNode();
const port = process.env.PORT || '8080';
const consolePort = process.env.CONSOLE_PORT || '5173';
const hubUrl = `http://127.0.0.1:${port}`;
const quiet = 150;
const patience = 5_000;

let leaving = false;
const running = new Set();

// Separate process groups, so that one Ctrl-C reaches each process once, from here.
const launch = (args, options) => {
  const child = spawn(node, args, { detached: process.platform !== 'win32', ...options });
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
};

const stop = (child) =>
  new Promise((done) => {
    if (!running.has(child)) return done();
    const last = setTimeout(() => child.kill('SIGKILL'), patience);
    child.on('exit', () => {
      clearTimeout(last);
      done();
    });
    child.kill('SIGTERM');
  });

let hub;
const startHub = () => {
  hub = launch([inRoot('packages', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], {
    cwd: root,
    env: nodeEnv({ PORT: port }),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  hub.on('exit', (code) => {
    if (!leaving && code) console.error(`The hub exited with code ${code}; it restarts when a file changes.`);
  });
};

let restarting = false;
const restart = async () => {
  if (restarting) return;
  restarting = true;
  await stop(hub);
  restarting = false;
  if (leaving) return;
  console.error('Sources changed: restarting the hub.');
  startHub();
};

let pause;
for (const name of ['server', 'contract', 'virtual-device', 'device-sdk']) {
  watch(inRoot('packages', name, 'src'), { recursive: true }, (_event, file) => {
    if (!file || /\.test\.ts$|(^|[\\/])\./.test(file)) return;
    clearTimeout(pause);
    pause = setTimeout(restart, quiet);
  });
}

const leave = async (code) => {
  if (leaving) return;
  leaving = true;
  await Promise.all([...running].map(stop));
  process.exit(code);
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => leave(0));
onParentGone(() => leave(0));

console.error(`Hub:     ${hubUrl}\nConsole: http://localhost:${consolePort} (hot reload; calls go to the hub)\n`);
startHub();
const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
launch([vite, '--port', consolePort, '--strictPort', '--clearScreen', 'false'], {
  cwd: inRoot('packages', 'console'),
  env: nodeEnv({ HUB_URL: hubUrl }),
  // Vite exits when its stdin closes, so it also stops when this process is killed.
  stdio: ['pipe', 'inherit', 'inherit'],
}).on('exit', (code) => leave(code ?? 1));
