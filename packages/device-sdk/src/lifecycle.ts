import { type BackoffOptions, backoffDelay, slowDelay } from './backoff.ts';
import { DeliveryError, DeviceError, isRateLimited, needsOperator } from './device-error.ts';
import type { Emitter } from './emitter.ts';
import { after } from './runtime.ts';
import type { Steps } from './steps.ts';
import type { DeviceEvents } from './types.ts';

/** A connection that held so long was a good one: the next loss is met quickly again. */
const STABLE_MS = 10_000;
/** About as long as the hub counts log-ins. */
const TOO_OFTEN_MS = 30_000;

/** Nobody has to wait for it. */
const newPromise = () => {
  const made = Promise.withResolvers<void>();
  made.promise.catch(() => undefined);
  return made;
};

type LifecycleOptions = {
  steps: Steps;
  events: Emitter<DeviceEvents>;
  backoff: BackoffOptions;
  now: () => number;
};

/** Keeps a device online from start() to stop(), whatever happens in between. */
export const createLifecycle = ({ steps, events, backoff, now }: LifecycleOptions) => {
  let wanted = false;
  let running: Promise<void> | null = null;
  let attempts = 0;
  let notBefore = 0;
  let hurried = false;
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

  const stayWanted = (): void => {
    if (!wanted) throw new DeliveryError('stopped');
  };

  const delayAfter = (failure: unknown): number => {
    if (needsOperator(failure)) return slowDelay(backoff);
    const delay = backoffDelay(attempts++, backoff);
    return isRateLimited(failure) ? Math.max(delay, TOO_OFTEN_MS * (0.5 + Math.random())) : delay;
  };

  /** One life of a connection; answers how long to wait for the next. */
  const live = async (): Promise<number> => {
    let failure: unknown = null;
    try {
      await steps.bringUp(stayWanted);
      stayWanted();
      started.resolve();
      const onlineAt = now();
      await steps.link?.closed;
      if (now() - onlineAt > STABLE_MS) attempts = 0;
    } catch (error) {
      failure = error;
      steps.link?.destroy();
      if (error instanceof DeviceError) events.emit('refused', { refusal: error });
    }
    return Math.max(delayAfter(failure), notBefore - now());
  };

  const run = async (): Promise<void> => {
    while (wanted) {
      const delay = await live();
      if (!wanted) break;
      if (!hurried) {
        events.emit('waiting', { delay });
        await sleep(delay);
      }
      hurried = false;
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
    /** No more tries; the present connection is the caller's to end. */
    giveUp: (): void => {
      wanted = false;
      started.reject(new DeliveryError('stopped'));
      wake();
    },
    ended: async (): Promise<void> => {
      await running;
    },
    /** At once, without the wait. */
    hurry: (): void => {
      hurried = true;
      attempts = 0;
      notBefore = 0;
      wake();
    },
    holdUntil: (time: number): void => {
      notBefore = time;
    },
  };
};
