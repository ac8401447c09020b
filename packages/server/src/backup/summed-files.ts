import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

export type Checksum = { bytes: number; sha256: string };

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

const createChecksum = () => {
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
    sum: (): Checksum => ({ bytes, sha256: hash.digest('hex') }),
  };
};

/** Most rows are records with repetitive content: a higher level hardly makes them smaller. */
const GZIP = { level: 3 };

/** Writes a file that only its owner can read, and flushes it to disk before it resolves. */
export const writeWithChecksum = async (path: string, content: Readable, { zip = false } = {}): Promise<Checksum> => {
  await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const { through, sum } = createChecksum();
  const file = createWriteStream(path, { mode: PRIVATE_FILE, flush: true });
  if (zip) await pipeline(content, createGzip(GZIP), through, file);
  else await pipeline(content, through, file);
  return sum();
};

export const copyWithChecksum = (from: string, to: string): Promise<Checksum> =>
  writeWithChecksum(to, createReadStream(from));

export const readChecksum = async (path: string): Promise<Checksum> => {
  const { through, sum } = createChecksum();
  for await (const _ of through(createReadStream(path)));
  return sum();
};
