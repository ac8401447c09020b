import { createWriteStream } from 'node:fs';
import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore as TusFiles } from '@tus/file-store';
import { type ByteRange, FileLost, type FileStore, type StoredThing } from './file-store.ts';

/** Beside each file lies what tus knows of its upload. */
const NOTE = '.json';
/** With larger steps a long file leaves more behind for the garbage collector than it gains in speed. */
const READ_BYTES = 32 * 1024;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const unlessMissing = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** As tus has it, but a write that fails says why: a disk that is full is nothing the sender did wrong. */
class UploadedFiles extends TusFiles {
  override async write(bytes: Readable, fileId: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, fileId), { flags: 'r+', start: offset });
    await pipeline(bytes, file);
    return offset + file.bytesWritten;
  }
}

/** Files in a folder; several hubs share it over the network. */
export const createLocalFiles = async (folder: string): Promise<FileStore> => {
  await mkdir(folder, { recursive: true });
  const pathOf = (fileId: string): string => join(folder, fileId);
  const sizeOf = async (fileId: string): Promise<number | undefined> =>
    (await unlessMissing(stat(pathOf(fileId))))?.size;

  return {
    tus: new UploadedFiles({ directory: folder }),
    keyOf: (fileId) => fileId,
    fileIdOf: (key) => key,
    received: sizeOf,
    sizeOf,

    async read(fileId: string, range?: ByteRange) {
      // Opened before anything is answered, so that a file that is gone is told and not a connection cut.
      const file = await unlessMissing(open(pathOf(fileId)));
      if (!file) throw new FileLost(fileId);
      return file.createReadStream({ highWaterMark: READ_BYTES, ...range });
    },

    async remove(fileId) {
      await rm(pathOf(fileId), { force: true });
      await rm(pathOf(fileId + NOTE), { force: true });
    },

    async *list(): AsyncIterable<StoredThing> {
      const entries = await unlessMissing(opendir(folder));
      if (!entries) return;
      for await (const entry of entries) {
        const found = entry.isFile() ? await unlessMissing(stat(join(folder, entry.name))) : undefined;
        const fileId = entry.name.replace(/\.json$/, '');
        if (found) yield { fileId, itself: fileId === entry.name, changedAt: found.mtimeMs };
      }
    },
  };
};
