import type { Page } from '@playwright/test';

/** Timers within this time are waited for (opening menus, closing tooltips), later ones (the next poll) are not. */
const SOON_MS = 400;
/** A page may set short timers for ever: stop waiting after this time. */
const LIMIT_MS = 3_000;
/** The browser may report idleness of a page without animations only after seconds: use this timeout. */
const IDLE_MS = 100;

type Watched = { timersDue: Set<number> };

/** Makes every page that is opened from now on track its short timers. */
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

/** Waits until the page has no short timer pending and is idle. */
export const waitForShortTimers = async (page: Page): Promise<void> => {
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
    // A change of the language reloads the page.
    await page.waitForLoadState();
  });
};
