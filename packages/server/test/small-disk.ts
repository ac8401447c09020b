import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Hub, startHub } from './hub.ts';
import { adminSide, deviceSide } from './hub-process.ts';

/** A hub whose disk the test can fill, and make room on again. */
export type SmallDisk = { hub: Hub; fill: () => void; makeRoom: () => void; close: () => Promise<void> };

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

/** A real file system of a few MiB with the hub's data folder on it. Only root may mount one. */
export const mountedDisk = async (): Promise<SmallDisk> => {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  const unmount = (): void => {
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  };
  const before = process.env.TMPDIR;
  // Where a fresh data folder is made.
  process.env.TMPDIR = folder;
  const hub = await startHub()
    .catch((error: unknown) => {
      unmount();
      throw error;
    })
    .finally(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    });
  const filler = join(folder, 'filler');
  return {
    hub,
    fill: () => fillFile(filler),
    makeRoom: () => rmSync(filler, { force: true }),
    close: async () => {
      rmSync(filler, { force: true });
      await hub.close();
      unmount();
    },
  };
};

/** Without a file system of its own: a limit by which no file of the hub's processes can be written any more. */
export const limitedFiles = async (): Promise<SmallDisk> => {
  const hub = await startHub();
  const limit = (soft: string): void => {
    for (const pid of [adminSide(hub.process), deviceSide(hub.process)])
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${soft}:unlimited`]);
  };
  return { hub, fill: () => limit('0'), makeRoom: () => limit('unlimited'), close: hub.close };
};
