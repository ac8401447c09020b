import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, FileMissingError, type FileStore, type StoredObject } from './file-store.ts';
import type { TusFiles } from './tus-files.ts';

/** tus stores the state of an upload in a file beside it. */
const UPLOAD_INFO_SUFFIX = '.json';
/** Larger buffers cost more garbage collection than they gain in speed. */
const READ_BYTES = 32 * 1024;

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

const ignoreMissing = async <Found>(work: Promise<Found>): Promise<Found | undefined> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
};

/** File store in a folder, which several hubs may share over the network. */
export const createLocalFiles = async (folder: string): Promise<FileStore> => {
  await mkdir(folder, { recursive: true });
  let tus: TusFiles | undefined;
  const pathOf = (fileId: string): string => join(folder, fileId);
  const sizeOf = async (fileId: string): Promise<number | undefined> =>
    (await ignoreMissing(stat(pathOf(fileId))))?.size;

  return {
    async tus() {
      const { TusFiles } = await import('./tus-files.ts');
      tus ??= new TusFiles({ directory: folder });
      return tus;
    },
    keyOf: (fileId) => fileId,
    fileIdOf: (key) => key,
    received: sizeOf,
    sizeOf,

    async read(fileId: string, range?: ByteRange) {
      // Opened before the response starts, so that a missing file is an error response, not a broken connection.
      const file = await ignoreMissing(open(pathOf(fileId)));
      if (!file) throw new FileMissingError(fileId);
      return file.createReadStream({ highWaterMark: READ_BYTES, ...range });
    },

    async remove(fileId) {
      await rm(pathOf(fileId), { force: true });
      await rm(pathOf(fileId + UPLOAD_INFO_SUFFIX), { force: true });
    },

    async *list(): AsyncIterable<StoredObject> {
      const entries = await ignoreMissing(opendir(folder));
      if (!entries) return;
      for await (const entry of entries) {
        const found = entry.isFile() ? await ignoreMissing(stat(join(folder, entry.name))) : undefined;
        const fileId = entry.name.replace(/\.json$/, '');
        if (found) yield { fileId, isFile: fileId === entry.name, changedAt: found.mtimeMs };
      }
    },
  };
};
