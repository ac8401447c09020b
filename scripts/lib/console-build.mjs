import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { withLock } from './lock.mjs';
import { findNode, nodeEnv } from './node.mjs';
import { inRoot, root } from './root.mjs';
import { atInterrupt, run } from './run.mjs';

const home = inRoot('packages', 'console');
const dist = join(home, 'dist');
const sources = [
  ...['src', 'public', 'vite', 'index.html', 'vite.config.ts', 'build.ts', 'package.json'].map((name) =>
    join(home, name),
  ),
  ...['contract', 'virtual-device', 'device-sdk'].map((name) => inRoot('packages', name, 'src')),
  inRoot('package-lock.json'),
];

const filesUnder = (path) => {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)],
  );
};

// By content: after a clone or a change of branch the times of files say nothing.
const sourceHash = () => {
  const hash = createHash('sha256');
  const files = sources.flatMap(filesUnder).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

const stampOf = (folder) => {
  const file = join(folder, '.stamp');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};

const build = async (hash) => {
  const modules = join(home, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const temporary = mkdtempSync(join(modules, '.build-'));
  const clean = () => rmSync(temporary, { recursive: true, force: true });
  const keep = atInterrupt(clean);
  const fresh = join(temporary, 'dist');
  try {
    console.error('Building the console …');
    const { code, output } = await run(findNode(), [join(home, 'build.ts')], {
      capture: true,
      env: nodeEnv({ OUT_DIR: fresh, NODE_ENV: 'production' }),
    });
    if (code !== 0) {
      throw new Error(`${output}\nThe console could not be built (exit code ${code}); the reason stands above.`);
    }
    if (!existsSync(join(fresh, 'index.html'))) {
      throw new Error('packages/console/build.ts left no index.html in the folder that OUT_DIR names.');
    }
    writeFileSync(join(fresh, '.stamp'), hash);
    // The last build stays whole until the new one is, so a hub that serves it never sees half of either.
    if (existsSync(dist)) renameSync(dist, join(temporary, 'old'));
    renameSync(fresh, dist);
  } finally {
    keep();
    clean();
  }
};

/** Builds the console into packages/console/dist when its sources are not the ones it was built from. */
export const ensureConsole = async () => {
  const hash = sourceHash();
  if (stampOf(dist) === hash) return;
  await withLock('console', async () => {
    if (stampOf(dist) !== hash) await build(hash);
  });
};
