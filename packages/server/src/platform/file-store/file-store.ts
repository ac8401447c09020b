import type { Readable } from 'node:stream';
import type { DataStore } from '@tus/server';

/** Byte range, `start` and `end` inclusive. */
export type ByteRange = { start: number; end: number };

/** An object in the store: the file itself, or upload data of tus beside it. */
export type StoredObject = { fileId: string; isFile: boolean; changedAt: number };

/** Storage of large files. Files are streamed, never held in memory. */
export type FileStore = {
  /** The tus store for uploads, which identifies files by keys. Its library is loaded on first use. */
  tus: () => Promise<DataStore>;
  keyOf: (fileId: string) => string;
  fileIdOf: (key: string) => string;
  /** Number of bytes received; undefined if there is no such file. */
  received: (fileId: string) => Promise<number | undefined>;
  /** Size of a completely received file; undefined if there is none. */
  sizeOf: (fileId: string) => Promise<number | undefined>;
  read: (fileId: string, range?: ByteRange) => Promise<Readable>;
  /** Ignores a missing file. */
  remove: (fileId: string) => Promise<void>;
  list: () => AsyncIterable<StoredObject>;
};

/** The file does not exist, for example because it has been deleted concurrently. */
export class FileMissingError extends Error {}
