import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeMachine } from './lib/fresh-machine.mjs';
import { inRoot } from './lib/root.mjs';
import { isRoot } from './lib/system.mjs';

const json = (value) => `${JSON.stringify(value)}\n`;

/** A project with one dependency in a local folder, so that no registry is needed. */
const smallProject = (folder) => {
  const library = join(folder, 'small');
  mkdirSync(library, { recursive: true });
  writeFileSync(join(library, 'package.json'), json({ name: 'small', version: '1.0.0' }));
  const { status, stderr } = spawnSync('tar', ['-czf', 'small.tgz', '--transform=s,^small,package,', 'small'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  const whole = { name: 'whole', version: '1.0.0', dependencies: { small: 'file:small.tgz' } };
  writeFileSync(join(folder, 'package.json'), json({ ...whole, scripts: { 'install-it': 'node go.mjs' } }));
  const small = { version: '1.0.0', resolved: 'file:small.tgz' };
  const packages = { '': whole, 'node_modules/small': small };
  writeFileSync(
    join(folder, 'package-lock.json'),
    json({ name: 'whole', version: '1.0.0', lockfileVersion: 3, packages }),
  );
  cpSync(inRoot('scripts', 'lib'), join(folder, 'scripts', 'lib'), { recursive: true });
  const steps = ["import { ensureInstalled } from './scripts/lib/install.mjs';", 'await ensureInstalled();'];
  const look =
    "console.log((await import('node:module')).createRequire(import.meta.url)('small/package.json').version);";
  writeFileSync(join(folder, 'go.mjs'), [...steps, look].join('\n'));
};

let machine;
afterEach(() => machine.remove());

const LONG = Boolean(process.env.TEST_LONG);

/** Root can write everywhere except where the folder does not exist. */
const situations = [
  ['root', 'missing', false],
  ['root', 'a file', false],
  ['an ordinary user', 'closed', true],
  // The quick form tests only root: npm and the installation behave the same for both users.
  ...(LONG ? [['an ordinary user', 'a file', true]] : []),
  ['an ordinary user', 'with the cache of another user', true],
].filter(([, home, ordinary]) => (ordinary ? isRoot || home !== 'with the cache of another user' : isRoot));

it.each(situations)('%s whose home is %s installs, in a path with spaces', async (_who, home, ordinary) => {
  machine = makeMachine({ path: 'a place – ünï 中文', home, ordinary, fill: smallProject });
  // The quick form runs npm only with the most unusual home.
  const line = LONG || ['missing', 'closed'].includes(home) ? 'npm run install-it' : 'node go.mjs';
  const { code, output } = await machine.start(line).ended;
  expect([code, output.split('\n').includes('1.0.0')], output).toEqual([0, true]);
});
