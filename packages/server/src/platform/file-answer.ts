/** A file answered as it is, outside the envelope. */
export type FileAnswer = {
  bytes: Uint8Array;
  contentType: string;
  /** To be saved under this name; made anew each time. */
  download?: string;
};
