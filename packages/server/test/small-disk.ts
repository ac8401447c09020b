import { execFileSync } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../../scripts/lib/postgres.mjs';
import { createEnvironment } from './environment.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';

/** A hub on a disk that the test can fill and free again. */
export type SmallDisk = { hub: SpawnedHub; fill: () => void; makeRoom: () => void; close: () => Promise<void> };

const MIB = 1_048_576;

/** Writes until the disk is full. */
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

/** A real file system of a few MiB; mounting needs root. */
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

/** The hub's data folder is on the small disk, and its log file when `log` is given. */
export const mountedDisk = async (settings: Record<string, string> = {}, log?: string): Promise<SmallDisk> => {
  const { folder, fill, makeRoom, unmount } = mountSmall();
  const before = process.env.TMPDIR;
  // The data folder is created below TMPDIR.
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
 * The hub's PostgreSQL database is on the small disk, the server's write-ahead log is not, since the server stops
 * without it. A separate server: while one database cannot be written, no other of the same server can be dropped.
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

/** Without a small file system: a resource limit that prevents the hub's processes from writing any file. */
export const limitedFiles = async (settings: Record<string, string> = {}, log?: string): Promise<SmallDisk> => {
  const folder = mkdtempSync(join(tmpdir(), 'limited-files-'));
  const hub = await spawnHub(settings, [], undefined, log && join(folder, log));
  const setLimit = (pid: number, soft: string): void => {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`], { stdio: 'ignore' });
  };
  const limit = (soft: string): void => {
    // The supervisor first: processes that it starts inherit the limit.
    setLimit(hub.process.process.pid ?? 0, soft);
    for (const sideOf of [adminProcess, deviceProcess]) {
      const pid = sideOf(hub.process);
      try {
        if (pid !== 0) setLimit(pid, soft);
      } catch (error) {
        // A process may have ended on the full disk.
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
