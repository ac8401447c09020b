import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { UpgradeOrder } from '@device-center/contract';
import type { FirmwareStorage, Kept } from '../src/index.ts';

const OWN = { mode: 0o600 };

/** What the bytes beside it belong to. */
type Note = { order: UpgradeOrder; tag: string };

/**
 * Firmware in a file, with a note beside it of what it is: a download goes on where it was also after the process has
 * ended. Bytes that a power cut has spoiled are found by the verification, and fetched again.
 */
export const createFileStorage = (path: string): FirmwareStorage => {
  const notePath = `${path}.json`;
  let note: Note | null = null;

  const readNote = async (): Promise<Note | null> => {
    try {
      return JSON.parse(await readFile(notePath, 'utf8')) as Note;
    } catch {
      return null;
    }
  };

  const writeNote = async (next: Note): Promise<void> => {
    note = next;
    await writeFile(`${notePath}.new`, JSON.stringify(next), OWN);
    await rename(`${notePath}.new`, notePath);
  };

  const sizeNow = async (): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

  const startOver = async (next: Note): Promise<void> => {
    // Before the note: a name must never stand beside bytes of another.
    await writeFile(path, '', OWN);
    await writeNote(next);
  };

  return {
    path,
    open: async (order): Promise<Kept> => {
      const before = await readNote();
      const size = await sizeNow();
      const isOfOrder = before?.order?.sha256 === order.sha256 && typeof before.tag === 'string' && size <= order.size;
      if (!isOfOrder) {
        await startOver({ order, tag: '' });
        return { size: 0, tag: '' };
      }
      await writeNote({ order, tag: before.tag });
      return { size, tag: before.tag };
    },
    begin: async (tag) => {
      if (!note) throw new Error('the storage was not opened');
      await startOver({ ...note, tag });
    },
    append: (bytes) => appendFile(path, bytes, OWN),
    read: () => createReadStream(path),
    clear: async () => {
      note = null;
      await Promise.all([path, notePath].map((file) => rm(file, { force: true })));
    },
  };
};
