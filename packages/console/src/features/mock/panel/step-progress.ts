import type { DeviceEvents, Step } from '@device-center/virtual-device';

/** The three steps shown to the operator; the device itself has five. */
export const stepKeys = ['login', 'connect', 'subscribe'] as const;
export type StepKey = (typeof stepKeys)[number];

/** Why a step failed: an error code, an error message or the end of a connection. */
export type Failure = { code?: number; word?: string; message?: string; reasonCode?: number };
export type StepState =
  | { kind: 'idle' }
  | { kind: 'working' }
  /** `at` is null if the step was skipped because its result is still valid. */
  | { kind: 'done'; at: number | null }
  | { kind: 'failed'; at: number; failure: Failure };
export type Progress = Record<StepKey, StepState>;

const idle: StepState = { kind: 'idle' };
export const nothingYet: Progress = { login: idle, connect: idle, subscribe: idle };

const placeOf: Record<Step['step'], StepKey> = {
  login: 'login',
  bucket: 'connect',
  connect: 'connect',
  subscribe: 'subscribe',
  online: 'subscribe',
};
/** Device steps that complete a shown step. */
const COMPLETES: ReadonlySet<Step['step']> = new Set(['login', 'connect', 'online']);

/** Sets the state of a step and resets the later ones, which have to be repeated. */
const from = (progress: Progress, key: StepKey, state: StepState): Progress => {
  const place = stepKeys.indexOf(key);
  const later = stepKeys.slice(place + 1).map((name) => [name, idle]);
  return { ...progress, ...Object.fromEntries(later), [key]: state };
};

/** Marks earlier steps as done: a device with a valid token skips the login. */
const withEarlier = (progress: Progress, key: StepKey): Progress => {
  const earlier = stepKeys.slice(0, stepKeys.indexOf(key)).filter((name) => progress[name].kind !== 'done');
  return { ...progress, ...Object.fromEntries(earlier.map((name) => [name, { kind: 'done', at: null }])) };
};

export const began = (progress: Progress, { step }: DeviceEvents['trying']): Progress =>
  from(withEarlier(progress, placeOf[step]), placeOf[step], { kind: 'working' });

export const ended = (progress: Progress, { step, ok, ...failure }: Step, at: number): Progress => {
  if (!ok) return from(progress, placeOf[step], { kind: 'failed', at, failure });
  return COMPLETES.has(step) ? { ...progress, [placeOf[step]]: { kind: 'done', at } } : progress;
};

/** Reasons of the device SDK for intended disconnects. */
const ON_PURPOSE: ReadonlySet<string> = new Set(['stopped', 'reconnecting', 'logging in again']);

/** State after the connection ended. */
export const lost = (progress: Progress, { reason, reasonCode }: DeviceEvents['offline'], at: number): Progress => {
  if (ON_PURPOSE.has(reason)) return from(progress, 'connect', idle);
  return from(progress, 'connect', { kind: 'failed', at, failure: { message: reason, reasonCode } });
};

export const isUnderWay = (progress: Progress): boolean => stepKeys.some((key) => progress[key].kind === 'working');
