import { readFileSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
const TMPFS = 0x0102_1994;
const GIB = 1024 ** 3;
/** Required free memory and free space: most of it is for the programs of a run, not for its files. */
const FREE_GIB = 8;

/** Tests run programs and create device files in their folder, which these mount options forbid. */
const isRestricted = () =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .some((line) => line.split(' ')[1] === IN_MEMORY && /\bnoexec\b|\bnodev\b/.test(line.split(' ')[3] ?? ''));

/**
 * The folder for temporary files of a test run: in memory where the machine has enough of it, since hundreds of
 * databases are created and removed. A TMPDIR that the developer has set is used as it is.
 */
export const scratchFolder = () => {
  if (process.env.TMPDIR) return tmpdir();
  try {
    const { type, bavail, bsize } = statfsSync(IN_MEMORY);
    const isRoomy = bavail * bsize >= FREE_GIB * GIB && freemem() >= FREE_GIB * GIB;
    return type === TMPFS && isRoomy && !isRestricted() ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
};
