import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../platform/app-error.ts';
import { isDataFault } from './errors.ts';

/**
 * A retry cannot succeed: a required row does not parse or decrypt, or the data can never be stored. Everything else is
 * temporary: an unavailable, full or busy database, and also a corrupted file, which is restored from a backup while
 * the sender keeps what was not acknowledged.
 */
export const isPermanentError = (error: unknown): boolean =>
  isDataFault(error) || (error instanceof AppError && error.code === 'DATA_CORRUPTED');

type RetryOptions = {
  /** Each delay is twice the one before, up to `maxDelayMs`. */
  initialDelayMs: number;
  maxDelayMs: number;
  /** Called before each retry. */
  onRetry: (error: unknown) => void;
  shouldStop?: (error: unknown) => boolean;
};

/** Retries until `work` succeeds: the message is acknowledged only then. Rethrows permanent errors. */
export const retryWithBackoff = async <Result>(
  work: () => Promise<Result>,
  { initialDelayMs, maxDelayMs, onRetry, shouldStop = isPermanentError }: RetryOptions,
): Promise<Result> => {
  for (let delay = initialDelayMs; ; delay = Math.min(delay * 2, maxDelayMs)) {
    try {
      return await work();
    } catch (error) {
      if (shouldStop(error)) throw error;
      onRetry(error);
      await sleep(delay);
    }
  }
};
