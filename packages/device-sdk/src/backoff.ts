export type BackoffOptions = {
  /** Milliseconds: the first wait is at most this. */
  first: number;
  max: number;
  /** The wait where somebody must act first, as with a blacklist. */
  slow: number;
};

export const defaultBackoff: BackoffOptions = { first: 1_000, max: 120_000, slow: 300_000 };

/** Exponential with full jitter: after a hub's restart a fleet comes back spread over the whole wait. */
export const backoffDelay = (attempt: number, { first, max }: BackoffOptions, random = Math.random): number =>
  random() * Math.min(max, first * 2 ** Math.min(attempt, 30));

export const slowDelay = ({ slow }: BackoffOptions, random = Math.random): number => slow * (0.8 + 0.4 * random());
