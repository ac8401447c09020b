import type { ManifestContent } from '@device-center/contract';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { CancelToken } from './cancel-token.ts';
import { UpgradeFailure } from './failure.ts';
import type { Digest, FirmwareStorage } from './types.ts';

/** Yields to the event loop after this many bytes: a page must not freeze, and a cancel must take effect. */
const YIELD_BYTES = 4 * 1024 * 1024;

const digestOf = async (chunks: AsyncIterable<Uint8Array>, cancelToken: CancelToken): Promise<Digest> => {
  const hash = sha256.create();
  let size = 0;
  let sinceYield = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
    sinceYield += chunk.length;
    if (sinceYield >= YIELD_BYTES) {
      sinceYield = 0;
      await cancelToken.wait(0);
    }
    cancelToken.throwIfCancelled();
  }
  return { size, sha256: bytesToHex(hash.digest()) };
};

/** Compares the stored bytes, not the received ones, with the manifest. */
export const verifyBytes = async (
  storage: FirmwareStorage,
  manifest: Pick<ManifestContent, 'size' | 'sha256'>,
  cancelToken: CancelToken,
): Promise<void> => {
  const found = (await storage.digest?.()) ?? (await digestOf(storage.read(), cancelToken));
  if (found.size !== manifest.size)
    throw new UpgradeFailure('verification', `the file has ${found.size} bytes, the manifest ${manifest.size}`);
  if (found.sha256 !== manifest.sha256)
    throw new UpgradeFailure('verification', `the file's SHA-256 ${found.sha256} does not match the manifest`);
};
