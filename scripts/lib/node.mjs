import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { inRoot } from './root.mjs';
import { fail } from './run.mjs';

const wanted = 24;

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

const runs = (file) => majorOf(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '') >= wanted;

const statusOf = (file) => {
  try {
    const { ino, size, ctimeMs } = statSync(file);
    return `${file} ${ino} ${size} ${ctimeMs}`;
  } catch {
    return undefined;
  }
};

const stamp = inRoot('node_modules', '.device-center-node');

const readStamp = () => {
  try {
    return readFileSync(stamp, 'utf8');
  } catch {
    return '';
  }
};

/** Whether a program is a Node that works here. Checking means starting it, so the result is cached. */
const answers = (file) => {
  const status = statusOf(file);
  if (status === undefined) return false;
  if (readStamp() === status) return true;
  if (!runs(file)) return false;
  try {
    writeFileSync(stamp, status);
  } catch {
    // On a read-only file system, every start checks again; that is only slower.
  }
  return true;
};

const bundled = () => {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return inRoot('node_modules', `node-${platform}-${process.arch}`, 'bin', file);
};

let found;

/** The Node that runs the product: this one if it is new enough, otherwise the one from the dependencies. */
export const findNode = () => {
  found ??= majorOf(process.version) >= wanted ? process.execPath : [bundled()].find(answers);
  return (
    found ??
    fail(
      `Device Center needs Node.js ${wanted} or later; this is ${process.version} and none came with the dependencies ` +
        `for ${process.platform}-${process.arch}.\n` +
        `Install Node.js ${wanted} from https://nodejs.org or from your distribution, then try again.`,
    )
  );
};

/** The compile cache halves the start time; if the folder is not writable, Node works without it. */
const compiled = inRoot('node_modules', '.cache', 'compiled');

/** Environment in which `node` is the one above, also for child processes. */
export const nodeEnv = (more = {}) => {
  const path = process.env.PATH ?? '';
  const first = dirname(findNode());
  return {
    NODE_COMPILE_CACHE: compiled,
    ...process.env,
    PATH: path.split(delimiter)[0] === first ? path : `${first}${delimiter}${path}`,
    ...more,
  };
};
