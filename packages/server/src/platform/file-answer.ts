import type { Readable } from 'node:stream';

/** A file sent without the response envelope. */
type WholeFile = {
  /** The content, or a stream that is generated while it is sent, so that a long file is never in memory. */
  bytes: Uint8Array | AsyncIterable<string>;
  contentType: string;
  /** Download file name; the content is generated for each request and not cached. */
  download?: string;
  /** The content is valid for this request only and must not be cached. */
  uncacheable?: true;
};

/** A file with range requests: an interrupted download can resume. */
export type RangedFile = {
  size: number;
  /** Identifies the content; without quotes. */
  etag: string;
  /** `start` and `end` are inclusive. */
  read: (range: { start: number; end: number }) => Promise<Readable>;
  contentType: string;
  download: string;
};

export type FileAnswer = WholeFile | RangedFile;
