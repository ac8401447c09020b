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
import { inRoot, isImage, root } from './root.mjs';
import { atInterrupt, run } from './run.mjs';

const sourcesOf = (...packages) => packages.map((name) => inRoot('packages', name, 'src'));

const configsOf = (...packages) => [
  inRoot('tsconfig.base.json'),
  ...packages.map((name) => inRoot('packages', name, 'tsconfig.json')),
];

const builds = {
  console: {
    entry: 'index.html',
    sources: [
      ...['src', 'public', 'vite', 'index.html', 'vite.config.ts', 'build.ts', 'package.json'].map((name) =>
        inRoot('packages', 'console', name),
      ),
      ...sourcesOf('contract', 'virtual-device', 'device-sdk'),
      ...configsOf('console', 'contract', 'virtual-device', 'device-sdk'),
      inRoot('package-lock.json'),
    ],
  },
  server: {
    entry: 'main.js',
    sources: [
      inRoot('packages', 'server', 'build.ts'),
      ...sourcesOf('server', 'contract', 'virtual-device', 'device-sdk'),
      ...configsOf('server', 'contract', 'virtual-device', 'device-sdk'),
      inRoot('package-lock.json'),
    ],
  },
};

const filesUnder = (path) => {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)],
  );
};

const filesOf = ({ sources }) =>
  sources
    .flatMap(filesUnder)
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();

// Compares content: after a clone or a branch switch, file times are meaningless.
const contentHash = (files) => {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
};

/** Much faster than comparing content: any change of a file updates its inode's ctime. */
const statusHash = (files) => {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, ino, ctimeMs } = statSync(file);
    hash.update(`${file}\0${size}\0${ino}\0${ctimeMs}\0`);
  }
  return hash.digest('hex');
};

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const build = async (name, hash) => {
  const home = inRoot('packages', name);
  const dist = join(home, 'dist');
  const modules = join(home, 'node_modules');
  mkdirSync(modules, { recursive: true });
  const temporary = mkdtempSync(join(modules, '.build-'));
  const clean = () => rmSync(temporary, { recursive: true, force: true });
  const settled = atInterrupt(clean);
  const fresh = join(temporary, 'dist');
  try {
    console.error(`Building the ${name} …`);
    const { code, output } = await run(findNode(), [join(home, 'build.ts')], {
      capture: true,
      env: nodeEnv({ OUT_DIR: fresh, NODE_ENV: 'production' }),
    });
    if (code !== 0) throw new Error(`${output}\nThe ${name} build failed (exit code ${code}); see the output above.`);
    const { entry } = builds[name];
    if (!existsSync(join(fresh, entry)))
      throw new Error(`packages/${name}/build.ts did not create ${entry} in OUT_DIR.`);
    writeFileSync(join(fresh, '.stamp'), hash);
    // The previous build stays complete until the new one is, so that a running hub never serves a partial build.
    if (existsSync(dist)) renameSync(dist, join(temporary, 'old'));
    renameSync(fresh, dist);
  } finally {
    settled();
    clean();
  }
};

/** Builds packages/NAME/dist if its sources have changed since the last build. */
const ensureBuilt = async (name) => {
  if (isImage) return;
  const dist = inRoot('packages', name, 'dist');
  const seen = join(dist, '.seen');
  const files = filesOf(builds[name]);
  const status = statusHash(files);
  if (readText(seen) === status) return;
  const hash = contentHash(files);
  const isFresh = () => readText(join(dist, '.stamp')) === hash;
  if (!isFresh())
    await withLock(name, async () => {
      if (!isFresh()) await build(name, hash);
    });
  try {
    writeFileSync(seen, status);
  } catch {
    // On a read-only file system, every start compares content; that is only slower.
  }
};

export const ensureConsole = () => ensureBuilt('console');
export const ensureServer = () => ensureBuilt('server');
