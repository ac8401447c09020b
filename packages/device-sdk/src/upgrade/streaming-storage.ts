import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Maybe } from '../types.ts';
import type { FirmwareStorage } from './types.ts';

/**
 * Passes each chunk to `write` and stores only the running SHA-256. For a device that writes firmware straight to its
 * destination, such as an inactive partition, and for simulated devices.
 */
export const createStreamingStorage = (
  write: (bytes: Uint8Array, offset: number) => Maybe<void> = () => undefined,
): FirmwareStorage => {
  let hash = sha256.create();
  let size = 0;
  let tag = '';
  let firmwareSha256 = '';

  const begin = (next: string): void => {
    [hash, size, tag] = [sha256.create(), 0, next];
  };

  return {
    open: (order) => {
      if (firmwareSha256 !== order.sha256 || size > order.size) begin('');
      firmwareSha256 = order.sha256;
      return { size, tag };
    },
    begin,
    append: async (bytes) => {
      await write(bytes, size);
      hash.update(bytes);
      size += bytes.length;
    },
    read: () => {
      throw new Error('streaming storage cannot be read back');
    },
    digest: () => ({ size, sha256: bytesToHex(hash.clone().digest()) }),
    clear: () => {
      begin('');
      firmwareSha256 = '';
    },
  };
};
