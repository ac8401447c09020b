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

// npm forwards Ctrl-C to a script that got it from the terminal already, so one key press arrives twice.
const onSignal = (signal) => {
  if (ending) return;
  ending = true;
  void endAll().finally(() => process.exit(exitCodeOf(null, signal)));
};

/**
 * npm runs scripts in a shell that may die from a signal without forwarding it. Under npm, the shell's exit therefore
 * counts as SIGTERM. Otherwise the parent may exit, as when a user runs the script in the background.
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

/** For a script that handles signals itself from now on. */
export const stopListening = () => {
  listening = false;
  clearInterval(parentWatch);
  for (const signal of signals) process.off(signal, onSignal);
};

/** Registers a cleanup for when a signal ends this process. Returns a function that removes it. */
export const atInterrupt = (end) => {
  listen();
  endings.add(end);
  return () => endings.delete(end);
};

/** Exits with an error message, without a stack trace. */
export const fail = (message) => {
  console.error(message);
  process.exit(1);
};

/**
 * Runs a command to completion. Its output is shown, or with `capture` returned. Never rejects: a command that cannot be
 * started returns code 127.
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
