// Simulates a machine with only Node, npm and the base system for the programs started in it.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './root.mjs';
import { isRoot } from './system.mjs';

/** A user id without an account. */
export const ORDINARY = 54_321;

const BASE =
  'sh env git cat cp chmod cut date dirname basename id ln ls md5sum mkdir mktemp mv pwd readlink rm sed grep sort tail head touch tr uname wc';

// Settings to reach the registry belong to the machine, not to the user.
const NETWORK = /^(https?_proxy|no_proxy|npm_config_registry|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;
const network = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name)));

const find = (name) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    // Exclude programs of a checkout.
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));

const addProgram = (folder, name) => {
  const file = find(name);
  if (file) symlinkSync(file, join(folder, name));
};

/** A folder that is the only entry of PATH. */
const makePrograms = (folder, node) => {
  mkdirSync(folder);
  if (node) symlinkSync(node, join(folder, 'node'));
  for (const name of [...(node ? [] : ['node']), 'npm', 'npx', ...BASE.split(' ')]) addProgram(folder, name);
  return folder;
};

/** Kinds of home folders, each created for its user. */
export const homes = {
  closed: (folder, uid) => {
    mkdirSync(folder);
    chownSync(folder, uid, uid);
    chmodSync(folder, 0o000);
  },
  missing: () => undefined,
  'a file': (folder) => writeFileSync(folder, ''),
  'with the cache of another user': (folder, uid) => {
    mkdirSync(join(folder, '.npm', '_cacache'), { recursive: true });
    chownSync(folder, uid, uid);
  },
};

export const cloneInto = (folder) => {
  const { status, stderr } = spawnSync('git', ['clone', '-q', '--no-hardlinks', root, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git clone: ${stderr}`);
};

/** Output of a program: `says` waits for a text, `ended` for the exit. */
export const follow = (child, line) => {
  let output = '';
  const looks = new Set();
  const take = (text) => {
    output += text;
    for (const look of looks) look();
  };
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const ended = new Promise((done) => child.once('close', (code) => done({ code, output })));
  const says = (what) =>
    new Promise((done, failed) => {
      const look = () => {
        const found = what.exec(output);
        if (found) done(found);
      };
      looks.add(look);
      look();
      void ended.then(({ code }) => failed(new Error(`${line} exited with ${code}, output:\n${output}`)));
    });
  return { child, ended, says };
};

/** Returns functions that run command lines in a clone, or in a folder filled by `fill`, with the given `node`. */
export const makeMachine = ({ path, home, ordinary, node, fill = cloneInto }) => {
  const folder = mkdtempSync(join(tmpdir(), 'dc-fresh-'));
  chmodSync(folder, 0o755);
  const uid = ordinary && isRoot ? ORDINARY : (process.getuid?.() ?? 0);
  const clone = join(folder, path);
  fill(clone);
  const HOME = join(folder, 'home');
  homes[home](HOME, uid);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  if (isRoot) spawnSync('chown', ['-R', `${uid}:${uid}`, clone, temporary]);
  const env = { PATH: makePrograms(join(folder, 'bin'), node), HOME, TMPDIR: temporary, LANG: 'C.UTF-8', ...network() };

  const running = new Set();

  /** Starts a command line in the clone. */
  const start = (line, more = {}) => {
    const [command, ...args] = line.split(' ');
    const child = spawn(join(env.PATH, command), args, {
      cwd: clone,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? { uid, gid: uid } : {}),
    });
    running.add(child);
    child.once('close', () => running.delete(child));
    return follow(child, line);
  };
  const remove = () => {
    for (const child of running) child.kill('SIGTERM');
    // Only root can remove a folder without read permission.
    if (home === 'closed' && existsSync(HOME)) chmodSync(HOME, 0o700);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  /** Runs as if a user had installed it. */
  const install = (name) => addProgram(env.PATH, name);
  return { start, install, remove };
};
