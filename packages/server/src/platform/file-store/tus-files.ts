import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileStore } from '@tus/file-store';

/** The tus file store, except that a failed write reports its cause: a full disk is not the client's fault. */
export class TusFiles extends FileStore {
  override async write(bytes: Readable, fileId: string, offset: number): Promise<number> {
    const file = createWriteStream(join(this.directory, fileId), { flags: 'r+', start: offset });
    await pipeline(bytes, file);
    return offset + file.bytesWritten;
  }
}
