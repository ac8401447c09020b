import { writeSync } from 'node:fs';

export const STDOUT = 1;
export const STDERR = 2;

const BUSY_MS = 50;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** How many of the bytes were written: a disk may get full in the midst of them. */
const writeBytes = (fd: number, bytes: Buffer): number => {
  let written = 0;
  while (written < bytes.length)
    try {
      written += writeSync(fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A pipe whose reader is slow: it takes more in a moment.
      if (code !== 'EAGAIN') return written;
      Atomics.wait(clock, 0, 0, BUSY_MS);
    }
  return written;
};

/**
 * Writes to standard output or error. process.stdout and process.stderr end the process, or fall silent for good, when
 * one write fails, as on a full disk; here only that text is lost.
 */
export const writeOutput = (fd: number, text: string): void => {
  writeBytes(fd, Buffer.from(text));
};

/** Node itself writes its warnings to process.stderr: a failure there must not end the process either. */
export const surviveLostOutput = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
};

/** Writes lines to a file descriptor. `lostLine` tells how many found no room, as soon as there is room again. */
export const createLineWriter = (fd: number, lostLine: (lost: number) => string) => {
  let lost = 0;
  const put = (line: string): boolean => {
    const bytes = Buffer.from(line);
    return writeBytes(fd, bytes) === bytes.length;
  };
  return {
    write(line: string): void {
      // On a line of its own: this process, or the other one, may have left the last one torn.
      if (lost > 0 && put(`\n${lostLine(lost)}`)) lost = 0;
      if (lost > 0 || !put(line)) lost++;
    },
  };
};
