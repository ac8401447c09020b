import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { inRoot, isImage } from './root.mjs';
import { fail } from './run.mjs';

const stamp = inRoot('node_modules', '.device-center-install');

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');

const mark = (hash) => {
  try {
    writeFileSync(stamp, hash);
  } catch {
    // On a read-only file system, the next start compares again; that is only slower.
  }
};

/** Whether a manual `npm install` or `npm ci` has already installed what the lock file says. */
const installedByHand = () => {
  const there = readText(inRoot('node_modules', '.package-lock.json'));
  if (!there) return false;
  const have = JSON.parse(there).packages;
  const want = JSON.parse(readText(inRoot('package-lock.json'))).packages;
  return Object.entries(want).every(([path, { version, link, optional, devOptional, peer }]) => {
    if (!path.startsWith('node_modules/')) return true;
    if (!have[path]) return Boolean(optional || devOptional || peer);
    return link || have[path].version === version;
  });
};

/** npm caches downloads in the user's home, which may not be writable. */
const canWriteCache = () => {
  try {
    const folder = process.env.npm_config_cache || join(homedir(), '.npm');
    for (const part of [folder, join(folder, '_cacache')]) {
      mkdirSync(part, { recursive: true });
      accessSync(part, constants.R_OK | constants.W_OK | constants.X_OK);
    }
    return true;
  } catch {
    return false;
  }
};

/** Temporary replacement for the user's cache. */
const ownCache = inRoot('node_modules', '.cache', 'npm');

// Not `npm ci`: it rejects a lock file written where the registry lacks optional packages of other platforms.
// `--no-save` installs from the lock file without changing it. Development dependencies and the bundled Node are
// required, whatever NODE_ENV or the user's settings say.
const install = () =>
  runNpm([
    'install',
    '--no-save',
    '--include=dev',
    '--include=optional',
    '--no-fund',
    '--no-audit',
    '--loglevel=error',
    ...(canWriteCache() ? [] : [`--cache=${ownCache}`]),
  ]);

/** Installs the dependencies if they are missing or the lock file has changed. */
export const ensureInstalled = async () => {
  if (isImage) return;
  const hash = lockHash();
  if (readText(stamp) === hash) return;
  if (installedByHand()) return mark(hash);
  await withLock('install', async () => {
    if (readText(stamp) === hash) return;
    console.error('Installing dependencies (npm install) …');
    const { code } = await install();
    rmSync(ownCache, { recursive: true, force: true });
    if (code !== 0) {
      fail(
        'The dependencies could not be installed; the reason stands above.\n' +
          'Check that npm reaches its registry (npm ping) and that this folder is writable, then run: npm install',
      );
    }
    mark(hash);
  });
};
