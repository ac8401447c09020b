/** Frame times of a page. */
import type { Page } from '@playwright/test';

const LONG_TASK_MS = 50;

declare global {
  interface Window {
    frameTimes: number[];
    holds: number[];
    /** Changes with each measurement, so that the previous one stops. */
    watch: { observer: PerformanceObserver } | null;
  }
}

/** Starts to record frame times and long tasks of the page. */
export const watch = (page: Page) =>
  page.evaluate(() => {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.holds.push(entry.duration);
    });
    const mine = { observer };
    Object.assign(window, { frameTimes: [], holds: [], watch: mine });
    let last = performance.now();
    const frame = (now: number) => {
      if (window.watch !== mine) return;
      window.frameTimes.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    observer.observe({ type: 'longtask' });
  });

export const stopWatching = (page: Page) =>
  page.evaluate(() => {
    window.watch?.observer.disconnect();
    window.watch = null;
    return { frames: window.frameTimes.slice(1).sort((one, other) => one - other), holds: window.holds };
  });

export type Watched = Awaited<ReturnType<typeof stopWatching>>;

/** Percentile of the values. */
export const at = (sorted: number[], share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

export const show = (where: string, { frames, holds }: Watched): void => {
  const numbers = [at(frames, 0.5), at(frames, 0.99), at(frames, 1)].map((ms) => ms.toFixed(0).padStart(4));
  console.log(
    `${where.padEnd(22)} ${String(frames.length).padStart(5)} frames  median ${numbers[0]} ms  99 of 100 ${numbers[1]} ms  longest ${numbers[2]} ms  holds over ${LONG_TASK_MS} ms: ${holds.length}, longest ${Math.max(0, ...holds).toFixed(0)} ms`,
  );
};
