import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

const OTHERS = 0o077;
const STICKY = 0o1000;
const OWNER = 0o700;
/** The hub's files in the data folder: databases with their WAL, key, demonstration secrets, firmware. */
const OWN_FILES = [
  ...['hub.db', 'records.db'].flatMap((file) => ['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`)),
  'records.stored',
  'secret.key',
  'demo.json',
  'firmware',
];

/** Files that this process and its children create are readable by its user only. */
export const createPrivately = (): void => {
  process.umask(OTHERS);
};

const protect = (path: string, log: Pick<Log, 'warn'>): void => {
  try {
    const { mode } = statSync(path);
    // A folder with the sticky bit, such as /tmp, is shared and must not be closed.
    if (mode & STICKY) throw new Error('the folder is shared with other users');
    if (mode & OTHERS) chmodSync(path, mode & OWNER);
  } catch (err) {
    // A file deleted meanwhile, such as a WAL, needs no protection.
    if (existsSync(path)) log.warn({ err, path }, 'file may be readable by other users');
  }
};

/** Removes read permissions of other users that an earlier version, or the creator of the folder, had left. */
export const protectDataFolder = (folder: string, log: Pick<Log, 'warn'>): void => {
  if (!existsSync(folder)) return;
  protect(folder, log);
  for (const name of OWN_FILES) if (existsSync(join(folder, name))) protect(join(folder, name), log);
};
