import type { Page } from '@playwright/test';

/** A menu opens and a hint leaves within this time; what is further off, like the next look at the hub, is not waited for. */
const SOON_MS = 400;
/** Something on the page may go on for ever in small steps. */
const LIMIT_MS = 3_000;
/** A page that has nothing at all to draw may be told only after seconds that it is idle. */
const IDLE_MS = 100;

type Watched = { timersDue: Set<number> };

/** Lets every page that is opened from now on know which of its timers are due soon. */
export const watchTimers = (page: Page): Promise<unknown> =>
  page.addInitScript((soon) => {
    const { setTimeout: set, clearTimeout: clear } = window;
    const due = new Set<number>();
    (window as unknown as Watched).timersDue = due;
    window.setTimeout = ((run: TimerHandler, after = 0, ...rest: unknown[]) => {
      if (typeof run !== 'function' || after > soon) return set(run, after, ...rest);
      const timer = set(() => {
        due.delete(timer);
        run(...rest);
      }, after);
      due.add(timer);
      return timer;
    }) as typeof window.setTimeout;
    window.clearTimeout = (timer) => {
      if (typeof timer === 'number') due.delete(timer);
      clear(timer);
    };
  }, SOON_MS);

/** The page has done what it meant to do, and has nothing to draw just now. */
export const nothingDue = async (page: Page): Promise<void> => {
  const waited = page.evaluate(
    async ([limit, longest]) => {
      const { timersDue } = window as unknown as Watched;
      const idle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: longest }));
      const until = performance.now() + limit;
      do await idle();
      while (timersDue.size > 0 && performance.now() < until);
    },
    [LIMIT_MS, IDLE_MS] as const,
  );
  await waited.catch(async (error: Error) => {
    if (!/context was destroyed|navigation/i.test(error.message)) throw error;
    // A new language loads the page anew.
    await page.waitForLoadState();
  });
};
