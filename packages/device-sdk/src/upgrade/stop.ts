import { after } from '../runtime.ts';

/** Somebody has ended it; whoever did tells what is to be told. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Ends work from outside, also while it waits. */
export const createCancelToken = () => {
  const listeners = new Set<() => void>();
  let stopped = false;
  const onStop = (listener: () => void): (() => void) => {
    if (stopped) listener();
    else listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    stop: (): void => {
      stopped = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    onStop,
    check: (): void => {
      if (stopped) throw new Stopped();
    },
    get stopped(): boolean {
      return stopped;
    },
    /** Until the time is over, or it is stopped. */
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => {
          cancel();
          forget();
          resolve();
        };
        let forget = (): void => undefined;
        const cancel = after(ms, end);
        forget = onStop(end);
      }),
  };
};

export type Stop = ReturnType<typeof createCancelToken>;
