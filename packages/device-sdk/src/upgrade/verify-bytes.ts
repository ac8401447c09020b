import type { ManifestContent } from '@device-center/contract';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { UpgradeFailure } from './failure.ts';
import type { Stop } from './stop.ts';
import type { Digest, FirmwareStorage } from './types.ts';

/** After so many bytes others have their turn: a page must not freeze, and a cancel must be heard. */
const TURN_BYTES = 4 * 1024 * 1024;

const digestOf = async (pieces: AsyncIterable<Uint8Array>, stop: Stop): Promise<Digest> => {
  const hash = sha256.create();
  let size = 0;
  let turn = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    size += piece.length;
    turn += piece.length;
    if (turn >= TURN_BYTES) {
      turn = 0;
      await stop.wait(0);
    }
    stop.check();
  }
  return { size, sha256: bytesToHex(hash.digest()) };
};

/** What lies in the storage is held against the manifest, and not what once came over the network. */
export const verifyBytes = async (
  storage: FirmwareStorage,
  said: Pick<ManifestContent, 'size' | 'sha256'>,
  stop: Stop,
): Promise<void> => {
  const found = (await storage.digest?.()) ?? (await digestOf(storage.read(), stop));
  if (found.size !== said.size) throw new UpgradeFailure('verification', `${found.size} bytes instead of ${said.size}`);
  if (found.sha256 !== said.sha256)
    throw new UpgradeFailure('verification', `the SHA-256 of the file is ${found.sha256}, not that of the manifest`);
};
