import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Maybe } from '../types.ts';
import type { FirmwareStorage } from './types.ts';

/**
 * Keeps nothing but the SHA-256 of what passes. For a device that writes each piece to where it belongs, such as a
 * partition that is not in use, and for one that has no hardware at all.
 */
export const createStreamingStorage = (
  write: (bytes: Uint8Array, offset: number) => Maybe<void> = () => undefined,
): FirmwareStorage => {
  let hash = sha256.create();
  let size = 0;
  let tag = '';
  let wanted = '';

  const begin = (next: string): void => {
    [hash, size, tag] = [sha256.create(), 0, next];
  };

  return {
    open: (order) => {
      if (wanted !== order.sha256 || size > order.size) begin('');
      wanted = order.sha256;
      return { size, tag };
    },
    begin,
    append: async (bytes) => {
      await write(bytes, size);
      hash.update(bytes);
      size += bytes.length;
    },
    read: () => {
      throw new Error('nothing is kept of what has passed');
    },
    digest: () => ({ size, sha256: bytesToHex(hash.clone().digest()) }),
    clear: () => {
      begin('');
      wanted = '';
    },
  };
};
