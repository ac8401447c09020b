const FIRST_MS = 1_000;
const MAX_MS = 300_000;

/**
 * Time until which the next attempt is rejected: the delay doubles with each failure after the first `free`; 0 if none.
 */
export const blockedUntil = (failures: number, free: number, now: number): number =>
  failures < free ? 0 : now + Math.min(FIRST_MS * 2 ** (failures - free), MAX_MS);
