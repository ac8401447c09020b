import { mkdir, open, opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteRange, FileLost, type FileStore, type StoredThing } from './file-store.ts';
import type { TusFiles } from './tus-files.ts';

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

/** Files in a folder; several hubs share it over the network. */
export const createLocalFiles = async (folder: string): Promise<FileStore> => {
  await mkdir(folder, { recursive: true });
  let tus: TusFiles | undefined;
  const pathOf = (fileId: string): string => join(folder, fileId);
  const sizeOf = async (fileId: string): Promise<number | undefined> =>
    (await unlessMissing(stat(pathOf(fileId))))?.size;

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
