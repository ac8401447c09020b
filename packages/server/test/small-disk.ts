import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';
import { createEnvironment } from './place.ts';

/** A hub whose disk the test can fill, and make room on again. */
export type SmallDisk = { hub: SpawnedHub; fill: () => void; makeRoom: () => void; close: () => Promise<void> };

const MIB = 1_048_576;

/** Everything that is left, to the last byte. */
const fillFile = (file: string): void => {
  const filler = openSync(file, 'a');
  try {
    for (let size = MIB; size > 0; )
      try {
        writeSync(filler, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
  } finally {
    closeSync(filler);
  }
};

/** A real file system of a few MiB. Only root may mount one. */
const mountSmall = () => {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fillFile(filler),
    makeRoom: () => rmSync(filler, { force: true }),
    unmount: () => {
      execFileSync('umount', [folder]);
      rmSync(folder, { recursive: true });
    },
  };
};

/** The hub's data folder is on it, and what it writes to its outputs where a name for that is given. */
export const mountedDisk = async (settings: Record<string, string> = {}, log?: string): Promise<SmallDisk> => {
  const { folder, fill, makeRoom, unmount } = mountSmall();
  const before = process.env.TMPDIR;
  // Where a fresh data folder is made.
  process.env.TMPDIR = folder;
  const hub = await spawnHub(settings, [], undefined, log && join(folder, log))
    .catch((error: unknown) => {
      unmount();
      throw error;
    })
    .finally(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
  const close = async (): Promise<void> => {
    makeRoom();
    await hub.close();
    unmount();
  };
  return { hub, fill, makeRoom, close };
};

/**
 * The hub's PostgreSQL database is on it; the server's log of changes, which it cannot live without, is not. A server of
 * its own: while one database cannot be written, no other of the same server can be dropped.
 */
export const smallTablespace = async (): Promise<SmallDisk> => {
  const { folder, fill, makeRoom, unmount } = mountSmall();
  const postgres = await startPostgres();
  const server = new Client({ connectionString: postgres.url });
  await server.connect();
  const { rows } = await server.query<{ data_directory: string }>('show data_directory');
  const { uid, gid } = statSync(rows[0]?.data_directory ?? '');
  chownSync(folder, uid, gid);
  await server.query(`create tablespace small location '${folder}'`);
  await server.end();
  const hub = await spawnHub({}, [], createEnvironment(postgres.url, 'small'));
  const close = async (): Promise<void> => {
    makeRoom();
    await hub.close();
    await postgres.stop();
    unmount();
  };
  return { hub, fill, makeRoom, close };
};

/** Without a file system of its own: a limit by which no file of the hub's processes can be written any more. */
export const limitedFiles = async (settings: Record<string, string> = {}, log?: string): Promise<SmallDisk> => {
  const folder = mkdtempSync(join(tmpdir(), 'limited-files-'));
  const hub = await spawnHub(settings, [], undefined, log && join(folder, log));
  const setLimit = (pid: number, soft: string): void => {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`], { stdio: 'ignore' });
  };
  const limit = (soft: string): void => {
    // First the supervisor: a process that it starts from now on inherits the limit.
    setLimit(hub.process.process.pid ?? 0, soft);
    for (const sideOf of [adminProcess, deviceProcess]) {
      const pid = sideOf(hub.process);
      try {
        if (pid !== 0) setLimit(pid, soft);
      } catch (error) {
        // Without room a process may have ended meanwhile.
        if (existsSync(`/proc/${pid}`)) throw error;
      }
    }
  };
  const close = async (): Promise<void> => {
    await hub.close();
    rmSync(folder, { recursive: true });
  };
  return { hub, fill: () => limit('0'), makeRoom: () => limit('unlimited'), close };
};
