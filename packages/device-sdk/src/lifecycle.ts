import { type BackoffOptions, backoffDelay, slowDelay } from './backoff.ts';
import { DeliveryError, DeviceError, isRateLimited, needsOperator } from './device-error.ts';
import type { Emitter } from './emitter.ts';
import { after } from './platform.ts';
import type { Steps } from './steps.ts';
import type { DeviceEvents } from './types.ts';

/** A connection that lasted this long resets the back-off. */
const STABLE_MS = 10_000;
/** About the length of the hub's rate-limit window for logins. */
const RATE_LIMIT_MS = 30_000;

/** Callers may ignore the promise: a rejection must not end the process. */
const newPromise = () => {
  const resolvers = Promise.withResolvers<void>();
  resolvers.promise.catch(() => undefined);
  return resolvers;
};

type LifecycleOptions = {
  steps: Steps;
  events: Emitter<DeviceEvents>;
  backoff: BackoffOptions;
  now: () => number;
};

/** Keeps a device online from start() to stop(): reconnects after every failure. */
export const createLifecycle = ({ steps, events, backoff, now }: LifecycleOptions) => {
  let wanted = false;
  let running: Promise<void> | null = null;
  let attempts = 0;
  let notBefore = 0;
  let skipDelay = false;
  let wake = (): void => undefined;
  let started = newPromise();

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = after(ms, resolve);
      wake = () => {
        cancel();
        resolve();
      };
    });

  const throwIfStopped = (): void => {
    if (!wanted) throw new DeliveryError('stopped');
  };

  const delayAfter = (failure: unknown): number => {
    if (needsOperator(failure)) return slowDelay(backoff);
    const delay = backoffDelay(attempts++, backoff);
    return isRateLimited(failure) ? Math.max(delay, RATE_LIMIT_MS * (0.5 + Math.random())) : delay;
  };

  /** Runs one connection until it closes; returns the delay before the next attempt. */
  const runConnection = async (): Promise<number> => {
    let failure: unknown = null;
    try {
      await steps.bringUp(throwIfStopped);
      throwIfStopped();
      started.resolve();
      const onlineAt = now();
      await steps.connection?.closed;
      if (now() - onlineAt > STABLE_MS) attempts = 0;
    } catch (error) {
      failure = error;
      steps.connection?.destroy();
      if (error instanceof DeviceError) events.emit('refused', { refusal: error });
    }
    return Math.max(delayAfter(failure), notBefore - now());
  };

  const run = async (): Promise<void> => {
    while (wanted) {
      const delay = await runConnection();
      if (!wanted) break;
      if (!skipDelay) {
        events.emit('waiting', { delay });
        await sleep(delay);
      }
      skipDelay = false;
    }
    running = null;
  };

  return {
    get wanted(): boolean {
      return wanted;
    },
    start: (): Promise<void> => {
      if (!wanted) {
        wanted = true;
        attempts = 0;
        notBefore = 0;
        started = newPromise();
        running = (running ?? Promise.resolve()).then(run);
      }
      return started.promise;
    },
    /** Stops reconnecting; the caller closes the current connection. */
    stopRetrying: (): void => {
      wanted = false;
      started.reject(new DeliveryError('stopped'));
      wake();
    },
    ended: async (): Promise<void> => {
      await running;
    },
    /** Skips the current back-off delay. */
    retryNow: (): void => {
      skipDelay = true;
      attempts = 0;
      notBefore = 0;
      wake();
    },
    waitUntil: (time: number): void => {
      notBefore = time;
    },
  };
};
