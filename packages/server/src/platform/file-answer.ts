import type { Readable } from 'node:stream';

/** A file answered as it is, outside the envelope. */
type WholeFile = {
  /** All at once, or as it is made: a long one never lies in memory whole. */
  bytes: Uint8Array | AsyncIterable<string>;
  contentType: string;
  /** To be saved under this name; made anew each time. */
  download?: string;
  /** True for this moment alone. */
  momentary?: true;
};

/** One of which a part may be asked for: a download that broke off goes on from there. */
export type RangedFile = {
  size: number;
  /** Changes with every byte of the file; without the quotes. */
  etag: string;
  /** From `start` to `end`, both included. */
  read: (range: { start: number; end: number }) => Promise<Readable>;
  contentType: string;
  download: string;
};

export type FileAnswer = WholeFile | RangedFile;
