const FIRST_MS = 1_000;
const MAX_MS = 300_000;

/** Until when the next try is rejected after `failures`, of which the first `free` cost nothing: 0 for not at all. */
export const blockedUntil = (failures: number, free: number, now: number): number =>
  failures < free ? 0 : now + Math.min(FIRST_MS * 2 ** (failures - free), MAX_MS);
