import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import type { HubHttp } from '../hub-http.ts';
import type { CancelToken } from './cancel-token.ts';
import { errorMessage, UpgradeFailure } from './failure.ts';
import { firmwareKeyId, readFirmwareKey } from './manifest.ts';

const ATTEMPTS_MAX = 5;

/** Provides the key that verifies manifests: the configured one, or the hub's, fetched on first use. */
export const createKeyRing = (http: HubHttp, configured: string | undefined) => {
  const pinned = configured === undefined ? null : readFirmwareKey(configured);
  let fetched: Uint8Array | null = null;

  const fetchKey = async (cancelToken: CancelToken, backoff: BackoffOptions): Promise<Uint8Array> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return readFirmwareKey((await http.firmwareKey()).publicKey);
      } catch (error) {
        if (attempt >= ATTEMPTS_MAX)
          throw new UpgradeFailure('verification', `firmware key unavailable: ${errorMessage(error)}`);
      }
      await cancelToken.wait(backoffDelay(attempt, backoff));
      cancelToken.throwIfCancelled();
    }
  };

  return {
    /** Fetches the hub's key again when a manifest names another key. */
    find: async (keyId: string, cancelToken: CancelToken, backoff: BackoffOptions): Promise<Uint8Array> => {
      if (pinned) return pinned;
      if (fetched === null || firmwareKeyId(fetched) !== keyId) fetched = await fetchKey(cancelToken, backoff);
      return fetched;
    },
  };
};
