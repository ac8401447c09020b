import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import type { HubHttp } from '../hub-http.ts';
import { UpgradeFailure, wordsOf } from './failure.ts';
import { firmwareKeyId, readFirmwareKey } from './manifest.ts';
import type { Stop } from './stop.ts';

const TRIES = 5;

/** The key that manifests are verified with: the one that was given, or the hub's, asked for when first needed. */
export const createKeyRing = (http: HubHttp, given: string | undefined) => {
  const pinned = given === undefined ? null : readFirmwareKey(given);
  let fetched: Uint8Array | null = null;

  const ask = async (stop: Stop, backoff: BackoffOptions): Promise<Uint8Array> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return readFirmwareKey((await http.firmwareKey()).publicKey);
      } catch (error) {
        if (attempt >= TRIES) throw new UpgradeFailure('verification', `no key to verify with: ${wordsOf(error)}`);
      }
      await stop.wait(backoffDelay(attempt, backoff));
      stop.check();
    }
  };

  return {
    /** One that was asked for is asked for again when the hub signs with another. */
    find: async (keyId: string, stop: Stop, backoff: BackoffOptions): Promise<Uint8Array> => {
      if (pinned) return pinned;
      if (fetched === null || firmwareKeyId(fetched) !== keyId) fetched = await ask(stop, backoff);
      return fetched;
    },
  };
};
