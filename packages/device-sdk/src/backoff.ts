export type BackoffOptions = {
  /** Upper bound of the first delay, in milliseconds. */
  first: number;
  max: number;
  /** Delay, in milliseconds, after an error that only an operator can resolve, such as a blacklisted device. */
  slow: number;
};

export const defaultBackoff: BackoffOptions = { first: 1_000, max: 120_000, slow: 300_000 };

/** Exponential back-off with full jitter: spreads a fleet's reconnects over the whole delay after a hub restart. */
export const backoffDelay = (attempt: number, { first, max }: BackoffOptions, random = Math.random): number =>
  random() * Math.min(max, first * 2 ** Math.min(attempt, 30));

export const slowDelay = ({ slow }: BackoffOptions, random = Math.random): number => slow * (0.8 + 0.4 * random());
