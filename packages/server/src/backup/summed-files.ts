import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export type Sum = { bytes: number; sha256: string };

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const summing = () => {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *through(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    sum: (): Sum => ({ bytes, sha256: hash.digest('hex') }),
  };
};

/** Rows are records mostly, which say the same again and again: more effort hardly makes them smaller. */
const EFFORT = { level: 3 };

/** Writes a file, for nobody else to read; it is on the disk when this answers. */
export const writeSummed = async (path: string, content: Readable, { zip = false } = {}): Promise<Sum> => {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const { through, sum } = summing();
  const file = createWriteStream(path, { mode: PRIVATE_FILE, flush: true });
  if (zip) await pipeline(content, createGzip(EFFORT), through, file);
  else await pipeline(content, through, file);
  return sum();
};

export const copySummed = (from: string, to: string): Promise<Sum> => writeSummed(to, createReadStream(from));

export const sumOf = async (path: string): Promise<Sum> => {
  const { through, sum } = summing();
  for await (const _ of through(createReadStream(path)));
  return sum();
};
