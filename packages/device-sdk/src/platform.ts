/**
 * The globals that Node and browsers share. Declaring them here lets the package compile without the types of either,
 * so that it cannot depend on one of them by accident.
 */
export type HttpAnswer = {
  status: number;
  headers: { get: (name: string) => string | null };
  json: () => Promise<unknown>;
  /** Read in chunks by a download. */
  body?: { getReader: () => { read: () => Promise<{ done: boolean; value?: Uint8Array }> } } | null;
};
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: never },
) => Promise<HttpAnswer>;

type Platform = {
  fetch: Fetch;
  setTimeout: (run: () => void, ms: number) => unknown;
  clearTimeout: (timer: unknown) => void;
  AbortSignal: { timeout: (ms: number) => never };
  AbortController: new () => { signal: never; abort: () => void };
  crypto: { getRandomValues: (bytes: Uint8Array) => Uint8Array };
  btoa: (binary: string) => string;
  atob: (text: string) => string;
  document?: unknown;
  WorkerGlobalScope?: unknown;
};

export const platform = globalThis as unknown as Platform;

/** Browsers, including workers, cannot open TCP sockets. */
export const inBrowser = (): boolean => platform.document !== undefined || platform.WorkerGlobalScope !== undefined;

/** A timer's delay is a signed 32-bit integer; a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Runs a callback once after a delay; returns a function that cancels it. */
export const after = (ms: number, run: () => void): (() => void) => {
  const timer = platform.setTimeout(run, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
  return () => platform.clearTimeout(timer);
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 22 letters and digits: unique among the logins of a device. */
export const randomNonce = (): string =>
  Array.from(platform.crypto.getRandomValues(new Uint8Array(22)), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return platform.btoa(binary);
};

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(platform.atob(text), (character) => character.charCodeAt(0));
