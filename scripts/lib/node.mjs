import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { inRoot } from './root.mjs';
import { fail } from './run.mjs';

const wanted = 24;

const majorOf = (version) => Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);

const answers = (file) => majorOf(spawnSync(file, ['--version'], { encoding: 'utf8' }).stdout ?? '') >= wanted;

const bundled = () => {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return inRoot('node_modules', `node-${platform}-${process.arch}`, 'bin', file);
};

let found;

/** The Node that runs the product: this one when it is new enough, else the one that came with the dependencies. */
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

/** Compiled once, a program starts in about half the time; where the folder cannot be written Node does without. */
const compiled = inRoot('node_modules', '.cache', 'compiled');

/** The environment in which `node` means the one above, also for commands that start commands. */
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
