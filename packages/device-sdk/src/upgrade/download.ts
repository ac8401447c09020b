import type { UpgradeOrder } from '@device-center/contract';
import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import { DeviceError, isRetryable, isTokenError } from '../device-error.ts';
import type { HubHttp } from '../hub-http.ts';
import { after, type HttpAnswer, platform } from '../platform.ts';
import type { CancelToken } from './cancel-token.ts';
import { errorMessage, UpgradeFailure } from './failure.ts';
import type { FirmwareStorage, StoredFirmware } from './types.ts';

export type DownloadOptions = {
  order: UpgradeOrder;
  storage: FirmwareStorage;
  http: HubHttp;
  /** Returns the current token: a download may outlive the one it started with. */
  token: () => string;
  downloadFrom: (url: string) => string;
  backoff: BackoffOptions;
  maxAttempts: number;
  cancelToken: CancelToken;
  onBytes: (have: number) => void;
};

/** A connection without data for this long counts as lost. */
const STALL_MS = 30_000;
const WAIT_MAX_MS = 30_000;
/** Browsers deliver chunks of megabytes; smaller ones let a slow storage report progress and react to a cancel. */
const CHUNK_BYTES = 64 * 1024;

const CONTENT_RANGE = /^bytes (\d+)-/;

class LinkRejectedError extends Error {}

/** Returns the strong ETag, or ''. A weak one does not guarantee identical bytes, which a range request needs. */
const tagOf = (response: HttpAnswer): string => {
  const tag = response.headers.get('etag') ?? '';
  return tag.startsWith('"') ? tag : '';
};

const tagsMatch = (one: string, other: string): boolean => one === '' || other === '' || one === other;

/** Downloads the bytes that the storage does not have yet; retries after network failures. */
export const download = async (options: DownloadOptions): Promise<void> => {
  const { order, storage, http, token, downloadFrom, cancelToken, maxAttempts } = options;
  const backoff = { ...options.backoff, max: Math.min(options.backoff.max, WAIT_MAX_MS) };

  /** A storage error fails the upgrade: a retry would not help. */
  const withStorageErrors = async <Value>(work: () => Value): Promise<Awaited<Value>> => {
    try {
      return await work();
    } catch (error) {
      throw new UpgradeFailure('download', `storage error: ${errorMessage(error)}`);
    }
  };

  let stored: StoredFirmware = await withStorageErrors(() => storage.open(order));
  let highest = stored.size;
  let attemptsWithoutData = 0;
  let link = order.url;

  const restart = async (tag: string): Promise<void> => {
    await withStorageErrors(() => storage.begin(tag));
    stored = { size: 0, tag };
  };

  const appendBytes = async (bytes: Uint8Array): Promise<void> => {
    if (stored.size + bytes.length > order.size)
      throw new UpgradeFailure('verification', `file is larger than the ${order.size} bytes in the manifest`);
    for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
      const chunk = bytes.subarray(from, from + CHUNK_BYTES);
      await withStorageErrors(() => storage.append(chunk));
      stored = { ...stored, size: stored.size + chunk.length };
      cancelToken.throwIfCancelled();
      if (stored.size <= highest) continue;
      highest = stored.size;
      attemptsWithoutData = 0;
      options.onBytes(stored.size);
    }
  };

  /** Whether the response continues the stored bytes. A response with the whole file discards them first. */
  const canAppend = async (response: HttpAnswer): Promise<boolean> => {
    if (response.status === 200) {
      await restart(tagOf(response));
      return true;
    }
    const from = Number(CONTENT_RANGE.exec(response.headers.get('content-range') ?? '')?.[1]);
    return response.status === 206 && from === stored.size && tagsMatch(stored.tag, tagOf(response));
  };

  const errorFrom = async (response: HttpAnswer): Promise<Error> => {
    const body = (await response.json().catch(() => null)) as { code?: unknown } | null;
    const message = `HTTP ${response.status}${typeof body?.code === 'string' ? ` ${body.code}` : ''}`;
    return response.status === 403 ? new LinkRejectedError(message) : new Error(message);
  };

  const requestHeaders = (): Record<string, string> => ({
    Authorization: token(),
    'Accept-Encoding': 'identity',
    ...(stored.size > 0 ? { Range: `bytes=${stored.size}-` } : {}),
    ...(stored.size > 0 && stored.tag !== '' ? { 'If-Range': stored.tag } : {}),
  });

  /** Downloads over one connection until it ends or stalls. */
  const downloadOnce = async (): Promise<void> => {
    const request = new platform.AbortController();
    const removeListener = cancelToken.onCancel(() => request.abort());
    let cancelStallTimer = after(STALL_MS, () => request.abort());
    const resetStallTimer = (): void => {
      cancelStallTimer();
      cancelStallTimer = after(STALL_MS, () => request.abort());
    };
    try {
      const init = { method: 'GET', headers: requestHeaders(), signal: request.signal };
      const response = await http.fetch(downloadFrom(http.absoluteUrl(link)), init);
      if (response.status === 416) return await restart('');
      if (response.status !== 200 && response.status !== 206) throw await errorFrom(response);
      if (!(await canAppend(response))) return await restart('');
      const reader = response.body?.getReader();
      if (!reader) throw new Error('response has no body');
      for (;;) {
        resetStallTimer();
        const { done, value } = await reader.read();
        if (done) return;
        cancelStallTimer();
        cancelToken.throwIfCancelled();
        if (value) await appendBytes(value);
      }
    } finally {
      cancelStallTimer();
      removeListener();
      request.abort();
    }
  };

  const renewLink = async (): Promise<void> => {
    try {
      link = await http.firmwareLink(token(), order);
    } catch (error) {
      const isFinal = error instanceof DeviceError && !isTokenError(error) && !isRetryable(error);
      if (isFinal) throw new UpgradeFailure('download', errorMessage(error));
    }
  };

  while (stored.size < order.size) {
    let reason = 'connection closed early';
    attemptsWithoutData++;
    try {
      await downloadOnce();
    } catch (error) {
      if (error instanceof UpgradeFailure) throw error;
      reason = errorMessage(error);
      cancelToken.throwIfCancelled();
      if (error instanceof LinkRejectedError) await renewLink();
    }
    cancelToken.throwIfCancelled();
    if (stored.size >= order.size) return;
    if (attemptsWithoutData >= maxAttempts)
      throw new UpgradeFailure('download', `no data received in ${maxAttempts} attempts: ${reason}`);
    await cancelToken.wait(backoffDelay(attemptsWithoutData, backoff));
    cancelToken.throwIfCancelled();
  }
};
