import type { Log } from './log.ts';

const EVERY_MS = 1_000;
/** Far above the corrections that NTP makes to a correct clock. */
const MOVED_MS = 5_000;

/** Logs when the machine's clock is set: sessions, tokens and records depend on it. */
export const watchClock = (log: Log): void => {
  let offset = Date.now() - performance.now();
  const check = (): void => {
    const now = Date.now() - performance.now();
    const movedMs = Math.round(now - offset);
    if (Math.abs(movedMs) < MOVED_MS) return;
    offset = now;
    log.warn({ movedMs }, 'machine clock was set; recent record times are unreliable');
  };
  setInterval(check, EVERY_MS).unref();
};
