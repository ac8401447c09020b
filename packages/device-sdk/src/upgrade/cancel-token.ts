import { after } from '../platform.ts';

/** The work was cancelled; the canceller reports it, if anything. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** Cancels work, also while it waits. */
export const createCancelToken = () => {
  const listeners = new Set<() => void>();
  let cancelled = false;
  const onCancel = (listener: () => void): (() => void) => {
    if (cancelled) listener();
    else listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    cancel: (): void => {
      cancelled = true;
      for (const listener of listeners) listener();
      listeners.clear();
    },
    onCancel,
    throwIfCancelled: (): void => {
      if (cancelled) throw new CancelledError();
    },
    get cancelled(): boolean {
      return cancelled;
    },
    /** Resolves after the delay, or at once on cancel. */
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const end = (): void => {
          cancelTimer();
          removeListener();
          resolve();
        };
        let removeListener = (): void => undefined;
        const cancelTimer = after(ms, end);
        removeListener = onCancel(end);
      }),
  };
};

export type CancelToken = ReturnType<typeof createCancelToken>;
