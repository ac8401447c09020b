import { writeSync } from 'node:fs';

export const STDOUT = 1;
export const STDERR = 2;

const BUSY_MS = 50;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Writes bytes and returns how many were written: the disk may become full. */
const writeBytes = (fd: number, bytes: Buffer): number => {
  let written = 0;
  while (written < bytes.length)
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe with a slow reader: wait and retry.
      if (code !== 'EAGAIN') return written;
      Atomics.wait(clock, 0, 0, BUSY_MS);
    }
  return written;
};

/**
 * Writes to standard output or error. process.stdout and process.stderr end the process, or stop writing, after one
 * failed write, as on a full disk; here only that text is lost.
 */
export const writeOutput = (fd: number, text: string): void => {
  writeBytes(fd, Buffer.from(text));
};

/** Node writes its warnings to process.stderr: a failure there must not end the process either. */
export const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

/** Writes lines to a file descriptor. `lostLine` reports the number of lost lines once writing works again. */
export const createLineWriter = (fd: number, lostLine: (lost: number) => string) => {
  let lost = 0;
  const writeWhole = (line: string): boolean => {
    const bytes = Buffer.from(line);
    return writeBytes(fd, bytes) === bytes.length;
  };
  return {
    write(line: string): void {
      // Starts a new line: this process or the other one may have left an incomplete one.
      if (lost > 0 && writeWhole(`\n${lostLine(lost)}`)) lost = 0;
      if (lost > 0 || !writeWhole(line)) lost++;
    },
  };
};
