import { createReadStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { UpgradeOrder } from '@device-center/contract';
import type { FirmwareStorage, StoredFirmware } from '../src/index.ts';

const PRIVATE = { mode: 0o600 };

/** The upgrade order that the stored bytes belong to, and the ETag of their source. */
type Metadata = { order: UpgradeOrder; tag: string };

/**
 * Stores firmware in a file, with its metadata in a second file, so that a download resumes after the process restarts.
 * Verification detects bytes that a power failure corrupted; the device then downloads them again.
 */
export const createFileStorage = (path: string): FirmwareStorage => {
  const metadataPath = `${path}.json`;
  let metadata: Metadata | null = null;

  const readMetadata = async (): Promise<Metadata | null> => {
    try {
      return JSON.parse(await readFile(metadataPath, 'utf8')) as Metadata;
    } catch {
      return null;
    }
  };

  const writeMetadata = async (next: Metadata): Promise<void> => {
    metadata = next;
    await writeFile(`${metadataPath}.new`, JSON.stringify(next), PRIVATE);
    await rename(`${metadataPath}.new`, metadataPath);
  };

  const sizeNow = async (): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0;

  const reset = async (next: Metadata): Promise<void> => {
    // Truncate saved writing the metadata: it must never describe bytes of another firmware.
    await writeFile(path, '', PRIVATE);
    await writeMetadata(next);
  };

  return {
    path,
    open: async (order): Promise<StoredFirmware> => {
      const saved = await readMetadata();
      const size = await sizeNow();
      const isSameFirmware =
        saved?.order?.sha256 === order.sha256 && typeof saved.tag === 'string' && size <= order.size;
      if (!isSameFirmware) {
        await reset({ order, tag: '' });
        return { size: 0, tag: '' };
      }
      await writeMetadata({ order, tag: saved.tag });
      return { size, tag: saved.tag };
    },
    begin: async (tag) => {
      if (!metadata) throw new Error('firmware storage is not open');
      await reset({ ...metadata, tag });
    },
    append: (bytes) => appendFile(path, bytes, PRIVATE),
    read: () => createReadStream(path),
    clear: async () => {
      metadata = null;
      await Promise.all([path, metadataPath].map((file) => rm(file, { force: true })));
    },
  };
};
