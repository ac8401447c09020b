import type { Log } from './log.ts';

const EVERY_MS = 1_000;
/** What NTP does to a clock that is right is far below this. */
const MOVED_MS = 5_000;

/** Says in the log when somebody sets the machine's clock: sessions, tokens and records go by it. */
export const watchClock = (log: Log): void => {
  let apart = Date.now() - performance.now();
  const look = (): void => {
    const now = Date.now() - performance.now();
    const movedMs = Math.round(now - apart);
    if (Math.abs(movedMs) < MOVED_MS) return;
    apart = now;
    log.warn({ movedMs }, "this machine's clock was moved; times of records around now are not to be relied on");
  };
  setInterval(look, EVERY_MS).unref();
};
