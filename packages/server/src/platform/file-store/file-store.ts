import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** The bytes from `start` to `end`, both included. */
export type ByteRange = { start: number; end: number };

/** A thing that lies in the store: of which file, whether it is the file itself, and when it was last written. */
export type StoredThing = { fileId: string; itself: boolean; changedAt: number };

/** Where large files lie. Nothing is ever in memory whole. */
export type FileStore = {
  /** Takes uploads, by the tus protocol; it knows files by their keys. Its library is loaded with the first of them. */
  tus: () => Promise<DataStore>;
  keyOf: (fileId: string) => string;
  fileIdOf: (key: string) => string;
  /** How much of a file has arrived; nothing when there is no such file. */
  received: (fileId: string) => Promise<number | undefined>;
  /** The size of a file that has arrived whole; nothing when there is none. */
  sizeOf: (fileId: string) => Promise<number | undefined>;
  read: (fileId: string, range?: ByteRange) => Promise<Readable>;
  /** One that is not there is no fault. */
  remove: (fileId: string) => Promise<void>;
  list: () => AsyncIterable<StoredThing>;
};

/** Read by those who have lost a file under their hands. */
export class FileLost extends Error {}
