import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../platform/app-error.ts';
import { isDataFault } from './errors.ts';

/**
 * Waiting does not help: a row that is needed does not parse or open, or what is asked can be kept by no database.
 * Everything else may pass: a database that is away, full or busy, and also a damaged file, which is restored from a
 * backup while the sender still has what was not acknowledged.
 */
export const isPermanentError = (error: unknown): boolean =>
  isDataFault(error) || (error instanceof AppError && error.code === 'DATA_CORRUPTED');

type RetryOptions = {
  /** The first wait; each is twice the one before, up to the last. */
  firstMs: number;
  lastMs: number;
  /** Told of each failure that is waited for. */
  waits: (error: unknown) => void;
  giveUp?: (error: unknown) => boolean;
};

/** Does the work again until it is done: somebody waits for it who is acknowledged only then. Throws what is given up. */
export const retryWithBackoff = async <Result>(
  work: () => Promise<Result>,
  { firstMs, lastMs, waits, giveUp = isPermanentError }: RetryOptions,
): Promise<Result> => {
  for (let wait = firstMs; ; wait = Math.min(wait * 2, lastMs)) {
    try {
      return await work();
    } catch (error) {
      if (giveUp(error)) throw error;
      waits(error);
      await pause(wait);
    }
  }
};
