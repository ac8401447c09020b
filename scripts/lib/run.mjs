import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { root } from './root.mjs';

const children = new Set();
const endings = new Set();
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let listening = false;
let ending = false;

export const exitCodeOf = (code, signal) => code ?? 128 + (constants.signals[signal] ?? 0);

const endAll = async () => {
  for (const child of children) child.kill('SIGTERM');
  for (const end of [...endings].reverse()) await Promise.resolve(end()).catch(() => {});
};

// npm passes Ctrl-C on to a script that the terminal has already told, so one key press arrives twice.
const onSignal = (signal) => {
  if (ending) return;
  ending = true;
  void endAll().finally(() => process.exit(exitCodeOf(null, signal)));
};

/**
 * npm runs scripts through a shell that may die of a signal without passing it on. Under npm, the shell's end
 * therefore counts as SIGTERM. Elsewhere a parent may leave as it likes: that is how people put things in the background.
 */
export const onParentGone = (leave) => {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    leave('SIGTERM');
  }, 200);
  return watch.unref();
};

let parentWatch;
const listen = () => {
  if (listening) return;
  listening = true;
  for (const signal of signals) process.on(signal, onSignal);
  parentWatch = onParentGone(onSignal);
};

/** For a script that answers signals itself from here on. */
export const stopListening = () => {
  listening = false;
  clearInterval(parentWatch);
  for (const signal of signals) process.off(signal, onSignal);
};

/** Called when a signal ends this process early. Answers a function that takes the promise back. */
export const atInterrupt = (end) => {
  listen();
  endings.add(end);
  return () => endings.delete(end);
};

/** Leaves with a message for a person, without a stack trace. */
export const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/**
 * Runs a command to its end. Its output is shown, or with `capture` collected and answered.
 * Never rejects: a command that cannot be started answers code 127.
 */
export const run = (command, args, { capture = false, ...options } = {}) =>
  new Promise((done) => {
    listen();
    const child = spawn(command, args, {
      cwd: root,
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      ...options,
    });
    children.add(child);
    let output = '';
    const collect = (text) => {
      output += text;
    };
    child.stdout?.setEncoding('utf8').on('data', collect);
    child.stderr?.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => {
      children.delete(child);
      done({ code: 127, output: `${output}${command}: ${error.message}\n` });
    });
    child.on('close', (code, signal) => {
      children.delete(child);
      done({ code: exitCodeOf(code, signal), output });
    });
  });
