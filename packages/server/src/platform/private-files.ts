import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

const OTHERS = 0o077;
const STICKY = 0o1000;
const OWNER = 0o700;
/** The hub's own in its data folder: databases with their WAL, the key, the demonstration's secrets, firmware. */
const OWN = [
  ...['hub.db', 'records.db'].flatMap((file) => ['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`)),
  'records.stored',
  'secret.key',
  'demo.json',
  'firmware',
];

/** What this process and its children create from now on is for its user alone. */
export const createPrivately = (): void => {
  process.umask(OTHERS);
};

const protect = (path: string, log: Pick<Log, 'warn'>): void => {
  try {
    const { mode } = statSync(path);
    // A folder that many write to, such as /tmp, is not ours to close.
    if (mode & STICKY) throw new Error('the folder is shared with other users');
    if (mode & OTHERS) chmodSync(path, mode & OWNER);
  } catch (err) {
    // A file that is gone by now, such as a WAL, needs no protection.
    if (existsSync(path)) log.warn({ err, path }, 'other users of this machine may be able to read this');
  }
};

/** Takes from others what an earlier version, or the one who made the folder, let them read. */
export const protectDataFolder = (folder: string, log: Pick<Log, 'warn'>): void => {
  if (!existsSync(folder)) return;
  protect(folder, log);
  for (const name of OWN) if (existsSync(join(folder, name))) protect(join(folder, name), log);
};
