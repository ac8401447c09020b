import type { FirmwareStorage } from './types.ts';

/** For firmware that fits into memory; it is gone with the process. */
export const createMemoryStorage = (): FirmwareStorage => {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let tag = '';
  let sha256 = '';

  const begin = (next: string): void => {
    [pieces, size, tag] = [[], 0, next];
  };

  return {
    open: (order) => {
      if (sha256 !== order.sha256 || size > order.size) begin('');
      sha256 = order.sha256;
      return { size, tag };
    },
    begin,
    append: (bytes) => {
      pieces.push(bytes.slice());
      size += bytes.length;
    },
    async *read() {
      yield* pieces;
    },
    clear: () => {
      begin('');
      sha256 = '';
    },
  };
};
