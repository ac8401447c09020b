import type { FirmwareStorage } from './types.ts';

/** Stores firmware in memory; it is lost when the process ends. */
export const createMemoryStorage = (): FirmwareStorage => {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let tag = '';
  let sha256 = '';

  const begin = (next: string): void => {
    [chunks, size, tag] = [[], 0, next];
  };

  return {
    open: (order) => {
      if (sha256 !== order.sha256 || size > order.size) begin('');
      sha256 = order.sha256;
      return { size, tag };
    },
    begin,
    append: (bytes) => {
      chunks.push(bytes.slice());
      size += bytes.length;
    },
    async *read() {
      yield* chunks;
    },
    clear: () => {
      begin('');
      sha256 = '';
    },
  };
};
