/**
 * What Node and the browser both have, and nothing else: named here, so that the package compiles without the types of
 * either and cannot lean on one of them by accident.
 */
export type HttpAnswer = {
  status: number;
  headers: { get: (name: string) => string | null };
  json: () => Promise<unknown>;
  /** Only a download reads it piece by piece. */
  body?: { getReader: () => { read: () => Promise<{ done: boolean; value?: Uint8Array }> } } | null;
};
export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; signal?: never },
) => Promise<HttpAnswer>;

type Runtime = {
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

export const runtime = globalThis as unknown as Runtime;

/** A page and its workers cannot open a plain socket. */
export const inBrowser = (): boolean => runtime.document !== undefined || runtime.WorkerGlobalScope !== undefined;

/** Longer ones would fire at once: a timer counts in 31 bits. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Runs once after a time, unless cancelled. */
export const after = (ms: number, run: () => void): (() => void) => {
  const timer = runtime.setTimeout(run, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
  return () => runtime.clearTimeout(timer);
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** 22 letters and digits: no two log-ins of a device meet. */
export const randomNonce = (): string =>
  Array.from(runtime.crypto.getRandomValues(new Uint8Array(22)), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

export const toBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return runtime.btoa(binary);
};

export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(runtime.atob(text), (character) => character.charCodeAt(0));
