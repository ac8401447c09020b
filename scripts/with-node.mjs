// node scripts/with-node.mjs FILE args…        runs a file of this repository with the product's Node
// node scripts/with-node.mjs --bin NAME args…  runs a command of node_modules/.bin
// node scripts/with-node.mjs --hub NAME args…  runs one of the hub's programs, such as backup, from its bundle
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureServer } from './lib/builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { fail, run } from './lib/run.mjs';

const [first, ...rest] = process.argv.slice(2);
if (!first || (['--bin', '--hub'].includes(first) && !rest.length))
  fail('Usage: node scripts/with-node.mjs FILE | --bin NAME | --hub NAME [arguments]');

await ensureInstalled();

const runBin = ([name, ...args]) => {
  const file = inRoot('node_modules', '.bin', name);
  if (!existsSync(file)) return fail(`There is no command ${name} in node_modules/.bin.`);
  // On Windows .bin holds wrappers instead of links; nodeEnv() makes them find the right Node.
  if (process.platform === 'win32') return run(`${file}.cmd`, args, { env: nodeEnv(), shell: true });
  return run(findNode(), [realpathSync(file), ...args], { env: nodeEnv() });
};

const runFile = (file, args) => run(findNode(), [file, ...args], { env: nodeEnv() });

const runHub = async ([name, ...args]) => {
  await ensureServer().catch((error) => fail(error.message));
  return runFile(inRoot('packages', 'server', 'dist', `cli-${name}.js`), args);
};

const runners = { '--bin': runBin, '--hub': runHub };
const { code } = await (runners[first]?.(rest) ?? runFile(resolve(root, first), rest));
process.exit(code);
