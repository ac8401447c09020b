// node scripts/with-node.mjs FILE args…        runs a file of this repository with the right Node
// node scripts/with-node.mjs --bin NAME args…  runs a command of node_modules/.bin with it
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { findNode, nodeEnv } from './lib/node.mjs';
import { inRoot, root } from './lib/root.mjs';
import { fail, run } from './lib/run.mjs';

const [first, ...rest] = process.argv.slice(2);
if (!first || (first === '--bin' && !rest.length))
  fail('Usage: node scripts/with-node.mjs FILE | --bin NAME [arguments]');

await ensureInstalled();

const runBin = ([name, ...args]) => {
  const file = inRoot('node_modules', '.bin', name);
  if (!existsSync(file)) return fail(`There is no command ${name} in node_modules/.bin.`);
  // On Windows .bin holds wrappers instead of links; nodeEnv() makes them find the right Node.
  if (process.platform === 'win32') return run(`${file}.cmd`, args, { env: nodeEnv(), shell: true });
  return run(findNode(), [realpathSync(file), ...args], { env: nodeEnv() });
};

const { code } =
  first === '--bin' ? await runBin(rest) : await run(findNode(), [resolve(root, first), ...rest], { env: nodeEnv() });
process.exit(code);
