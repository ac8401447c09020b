/** A file answered as it is, outside the envelope. */
export type FileAnswer = {
  /** All at once, or as it is made: a long one never lies in memory whole. */
  bytes: Uint8Array | AsyncIterable<string>;
  contentType: string;
  /** To be saved under this name; made anew each time. */
  download?: string;
};
