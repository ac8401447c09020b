// A temporary PostgreSQL server for one test run.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atInterrupt, run } from './run.mjs';
import { findPostgres, isRoot } from './system.mjs';

const idOf = (flag, user) => {
  const { status, stdout } = spawnSync('id', [flag, user], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
};

/** PostgreSQL refuses to run as root, so root starts it as another user. */
const owner = () => {
  if (!isRoot) return {};
  const user = ['postgres', 'nobody'].find((name) => idOf('-u', name) !== undefined);
  if (!user) throw new Error('PostgreSQL does not run as root, and neither user postgres nor nobody exists');
  return { uid: idOf('-u', user), gid: idOf('-g', user) };
};

/** A folder that the owner can write to. The temporary folder may be private to another user. */
const makeHome = (as) => {
  for (const parent of [tmpdir(), '/tmp', '/var/tmp', '/var/lib/postgresql', '/dev/shm']) {
    try {
      const home = mkdtempSync(join(parent, 'dc-pg-'));
      if (as.uid !== undefined) chownSync(home, as.uid, as.gid);
      if (spawnSync('test', ['-w', home], { ...as, cwd: '/' }).status === 0) return home;
      rmSync(home, { recursive: true });
    } catch {
      // Not writable: try the next one.
    }
  }
  throw new Error('no temporary folder is writable for PostgreSQL');
};

const freePort = () =>
  new Promise((done, failed) => {
    const server = createServer().on('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

// A linguistic collation, as on most servers: a query that needs byte order without saying so fails here.
const collation = (bin) => {
  const version = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8', cwd: '/' }).stdout ?? '';
  const major = Number(/\) (\d+)/.exec(version)?.[1] ?? 0);
  return major >= 15 ? ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US'] : ['--locale=C'];
};

const initialize = async (bin, data, options) => {
  const args = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync', ...collation(bin)];
  const { code, output } = await run(join(bin, 'initdb'), args, { ...options, capture: true });
  if (code) throw new Error(`initdb failed:\n${output}`);
};

const gone = (child) => child.exitCode !== null || child.signalCode !== null;

const launch = async (bin, data, home, options, port, more) => {
  const log = openSync(join(home, 'log'), 'a');
  // The path of a socket is limited to about 100 characters.
  const socket = home.length < 80 ? home : '';
  const settings = [`listen_addresses=127.0.0.1`, `unix_socket_directories=${socket}`, 'max_connections=300', ...more];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])],
    // Separate process group: Ctrl-C must not stop it before the tests that use it.
    { ...options, stdio: ['ignore', log, log], detached: true },
  );
  server.on('error', () => {});
  closeSync(log);
  const isReady = () =>
    spawnSync(join(bin, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)], options).status === 0;
  const deadline = Date.now() + 60_000;
  while (!gone(server) && Date.now() < deadline) {
    if (isReady() && !gone(server)) return { server, port };
    await sleep(50);
  }
  server.kill('SIGQUIT');
  return {};
};

const end = async (server, signal = 'SIGINT') => {
  if (gone(server)) return;
  const ended = new Promise((done) => server.once('exit', done));
  // SIGINT: disconnect everyone and shut down; SIGQUIT: at once.
  server.kill(signal);
  const last = setTimeout(() => server.kill('SIGQUIT'), 10_000);
  await ended;
  clearTimeout(last);
};

/**
 * Returns { url, stop, kill, startAgain }. Durability settings are the default, as in production. `more`: further
 * settings, such as 'fsync=off'. `kill` works like `pg_ctl stop -m immediate`: the next start recovers from the WAL.
 */
export const startPostgres = async (more = []) => {
  const bin = findPostgres();
  const as = owner();
  const home = makeHome(as);
  const data = join(home, 'data');
  let server;
  const stop = async () => {
    if (server) await end(server);
    rmSync(home, { recursive: true, force: true });
  };
  const settled = atInterrupt(stop);
  process.once('exit', () => server?.kill('SIGINT'));
  const options = { ...as, cwd: home, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  try {
    await initialize(bin, data, options);
    // Another process may take the free port before PostgreSQL opens it.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const started = await launch(bin, data, home, options, await freePort(), more);
      server = started.server;
      if (server) {
        const { port } = started;
        const startAgain = async () => {
          ({ server } = await launch(bin, data, home, options, port, more));
          if (!server) throw new Error(`PostgreSQL did not restart:\n${readFileSync(join(home, 'log'), 'utf8')}`);
        };
        return {
          url: `postgres://postgres@127.0.0.1:${port}/postgres`,
          stop: () => stop().finally(settled),
          kill: () => end(server, 'SIGQUIT'),
          startAgain,
        };
      }
    }
    throw new Error(`PostgreSQL did not start:\n${readFileSync(join(home, 'log'), 'utf8')}`);
  } catch (error) {
    await stop();
    settled();
    throw error;
  }
};
