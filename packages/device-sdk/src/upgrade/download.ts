import type { UpgradeOrder } from '@device-center/contract';
import { type BackoffOptions, backoffDelay } from '../backoff.ts';
import { DeviceError, isRetryable, isTokenRefusal } from '../device-error.ts';
import type { HubHttp } from '../hub-http.ts';
import { after, type HttpAnswer, runtime } from '../runtime.ts';
import { UpgradeFailure, wordsOf } from './failure.ts';
import type { Stop } from './stop.ts';
import type { FirmwareStorage, Kept } from './types.ts';

export type DownloadOptions = {
  order: UpgradeOrder;
  storage: FirmwareStorage;
  http: HubHttp;
  /** The token of now: a download may outlive the one it began with. */
  token: () => string;
  downloadFrom: (url: string) => string;
  backoff: BackoffOptions;
  tries: number;
  stop: Stop;
  onBytes: (have: number) => void;
};

/** A connection that brings nothing for so long is a dead one. */
const STALL_MS = 30_000;
const WAIT_MAX_MS = 30_000;
/** A browser hands over megabytes at once; a storage that is slow would say nothing for long, and hear no cancel. */
const PIECE_BYTES = 64 * 1024;

const CONTENT_RANGE = /^bytes (\d+)-/;

class LinkRefused extends Error {}

/** A weak one promises nothing about single bytes. */
const tagOf = (answer: HttpAnswer): string => {
  const tag = answer.headers.get('etag') ?? '';
  return tag.startsWith('"') ? tag : '';
};

const isSame = (one: string, other: string): boolean => one === '' || other === '' || one === other;

/** Gets what the storage does not have yet, however often the network breaks. */
export const download = async (options: DownloadOptions): Promise<void> => {
  const { order, storage, http, token, downloadFrom, stop, tries } = options;
  const backoff = { ...options.backoff, max: Math.min(options.backoff.max, WAIT_MAX_MS) };

  /** A storage that cannot keep it does not get better by another try. */
  const stored = async <Value>(work: () => Value): Promise<Awaited<Value>> => {
    try {
      return await work();
    } catch (error) {
      throw new UpgradeFailure('download', `the storage failed: ${wordsOf(error)}`);
    }
  };

  let kept: Kept = await stored(() => storage.open(order));
  let highest = kept.size;
  let fruitless = 0;
  let link = order.url;

  const begin = async (tag: string): Promise<void> => {
    await stored(() => storage.begin(tag));
    kept = { size: 0, tag };
  };

  const take = async (bytes: Uint8Array): Promise<void> => {
    if (kept.size + bytes.length > order.size)
      throw new UpgradeFailure('verification', `more than the ${order.size} bytes of the manifest`);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES);
      await stored(() => storage.append(piece));
      kept = { ...kept, size: kept.size + piece.length };
      stop.check();
      if (kept.size <= highest) continue;
      highest = kept.size;
      fruitless = 0;
      options.onBytes(kept.size);
    }
  };

  /** Whether its bytes go on where the kept ones end; where they are all of it, the kept ones are dropped. */
  const placed = async (answer: HttpAnswer): Promise<boolean> => {
    if (answer.status === 200) {
      await begin(tagOf(answer));
      return true;
    }
    const from = Number(CONTENT_RANGE.exec(answer.headers.get('content-range') ?? '')?.[1]);
    return answer.status === 206 && from === kept.size && isSame(kept.tag, tagOf(answer));
  };

  const refused = async (answer: HttpAnswer): Promise<Error> => {
    const body = (await answer.json().catch(() => null)) as { code?: unknown } | null;
    const words = `HTTP ${answer.status}${typeof body?.code === 'string' ? ` ${body.code}` : ''}`;
    return answer.status === 403 ? new LinkRefused(words) : new Error(words);
  };

  const headersNow = (): Record<string, string> => ({
    Authorization: token(),
    'Accept-Encoding': 'identity',
    ...(kept.size > 0 ? { Range: `bytes=${kept.size}-` } : {}),
    ...(kept.size > 0 && kept.tag !== '' ? { 'If-Range': kept.tag } : {}),
  });

  /** One connection, for as long as it brings bytes. */
  const pull = async (): Promise<void> => {
    const request = new runtime.AbortController();
    const forget = stop.onStop(() => request.abort());
    let cancelPatience = after(STALL_MS, () => request.abort());
    const beMorePatient = (): void => {
      cancelPatience();
      cancelPatience = after(STALL_MS, () => request.abort());
    };
    try {
      const init = { method: 'GET', headers: headersNow(), signal: request.signal };
      const answer = await http.fetch(downloadFrom(http.addressOf(link)), init);
      if (answer.status === 416) return await begin('');
      if (answer.status !== 200 && answer.status !== 206) throw await refused(answer);
      if (!(await placed(answer))) return await begin('');
      const reader = answer.body?.getReader();
      if (!reader) throw new Error('an answer without a body');
      for (;;) {
        beMorePatient();
        const { done, value } = await reader.read();
        if (done) return;
        cancelPatience();
        stop.check();
        if (value) await take(value);
      }
    } finally {
      cancelPatience();
      forget();
      request.abort();
    }
  };

  const renewLink = async (): Promise<void> => {
    try {
      link = await http.firmwareLink(token(), order);
    } catch (error) {
      const isFinal = error instanceof DeviceError && !isTokenRefusal(error) && !isRetryable(error);
      if (isFinal) throw new UpgradeFailure('download', wordsOf(error));
    }
  };

  while (kept.size < order.size) {
    let words = 'the server ended it early';
    fruitless++;
    try {
      await pull();
    } catch (error) {
      if (error instanceof UpgradeFailure) throw error;
      words = wordsOf(error);
      stop.check();
      if (error instanceof LinkRefused) await renewLink();
    }
    stop.check();
    if (kept.size >= order.size) return;
    if (fruitless >= tries) throw new UpgradeFailure('download', `after ${tries} tries without a byte: ${words}`);
    await stop.wait(backoffDelay(fruitless, backoff));
    stop.check();
  }
};
