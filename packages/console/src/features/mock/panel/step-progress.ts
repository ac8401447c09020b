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
export const initialProgress: Progress = { login: idle, connect: idle, subscribe: idle };

const shownStepOf: Record<Step['step'], StepKey> = {
  login: 'login',
  bucket: 'connect',
  connect: 'connect',
  subscribe: 'subscribe',
  online: 'subscribe',
};
/** Device steps that complete a shown step. */
const COMPLETES: ReadonlySet<Step['step']> = new Set(['login', 'connect', 'online']);

/** Sets the state of a step and resets the later ones, which have to be repeated. */
const restartAt = (progress: Progress, key: StepKey, state: StepState): Progress => {
  const index = stepKeys.indexOf(key);
  const later = stepKeys.slice(index + 1).map((name) => [name, idle]);
  return { ...progress, ...Object.fromEntries(later), [key]: state };
};

/** Marks earlier steps as done: a device with a valid token skips the login. */
const withEarlierSteps = (progress: Progress, key: StepKey): Progress => {
  const earlier = stepKeys.slice(0, stepKeys.indexOf(key)).filter((name) => progress[name].kind !== 'done');
  return { ...progress, ...Object.fromEntries(earlier.map((name) => [name, { kind: 'done', at: null }])) };
};

export const stepStarted = (progress: Progress, { step }: DeviceEvents['trying']): Progress =>
  restartAt(withEarlierSteps(progress, shownStepOf[step]), shownStepOf[step], { kind: 'working' });

export const stepEnded = (progress: Progress, { step, ok, ...failure }: Step, at: number): Progress => {
  if (!ok) return restartAt(progress, shownStepOf[step], { kind: 'failed', at, failure });
  return COMPLETES.has(step) ? { ...progress, [shownStepOf[step]]: { kind: 'done', at } } : progress;
};

/** Reasons of the device SDK for intended disconnects. */
const ON_PURPOSE: ReadonlySet<string> = new Set(['stopped', 'reconnecting', 'logging in again']);

/** State after the connection ended. */
export const connectionLost = (
  progress: Progress,
  { reason, reasonCode }: DeviceEvents['offline'],
  at: number,
): Progress => {
  if (ON_PURPOSE.has(reason)) return restartAt(progress, 'connect', idle);
  return restartAt(progress, 'connect', { kind: 'failed', at, failure: { message: reason, reasonCode } });
};

export const isInProgress = (progress: Progress): boolean => stepKeys.some((key) => progress[key].kind === 'working');
