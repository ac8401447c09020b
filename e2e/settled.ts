import type { Page } from '@playwright/test';
import { requestsOf } from './requests.ts';

const LIMIT_MS = 30_000;

type Routed = {
  __TSR_ROUTER__?: {
    latestLocation: { href: string };
    state: { status: string; resolvedLocation?: { href: string } };
  };
};

/**
 * Runs in the page, so it contains all that it needs. Resolves when the router is idle, no element of the page is
 * marked busy, and that did not change for two frames; then waits for fonts and animations.
 */
const rest = async (limit: number): Promise<void> => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const busy = (): string => {
    const router = (window as unknown as Routed).__TSR_ROUTER__;
    if (router?.state.status !== 'idle') return 'the router';
    if (router.state.resolvedLocation?.href !== router.latestLocation.href)
      return `the way to ${router.latestLocation.href}`;
    if (!document.querySelector('main')) return 'main';
    return document.querySelector('.dc-skeleton, [aria-busy=true], .ant-spin-spinning')?.className ?? '';
  };
  const until = performance.now() + limit;
  for (let calm = 0; calm < 2; calm = busy() === '' ? calm + 1 : 0) {
    // Poll with a pause: every requested frame is also drawn.
    while (busy() !== '') {
      if (performance.now() > until) throw new Error(`the page does not come to rest: ${busy()}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await frame();
  }
  await document.fonts.ready;
  await Promise.all(
    document
      .getAnimations()
      // A spinner's animation is endless.
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map((animation) => animation.finished.catch(() => undefined)),
  );
};

/** Waits until no request is pending, no element is busy and no animation runs. */
export const settled = async (page: Page): Promise<void> => {
  const arrived = requestsOf(page);
  do await page.evaluate(rest, LIMIT_MS);
  while (await arrived());
};

/** Navigates as a link does, without reloading the console. */
export const openByLink = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/** Navigates by a link and waits until the page has settled. */
export const follow = async (page: Page, address: string): Promise<void> => {
  await openByLink(page, address);
  await settled(page);
};
