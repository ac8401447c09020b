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
 * Runs in the page, so it contains everything it needs. Resolves when the router has arrived, nothing in the page says
 * that it is busy, and two frames were drawn in which that did not change; then fonts and animations are awaited.
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
    // Between looks the page is left alone: a frame that is asked for is also drawn.
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
      // A spinner turns until its work is done: it has no end to wait for.
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      .map((animation) => animation.finished.catch(() => undefined)),
  );
};

/** Nothing that the page asked for is still to come, nothing is busy and nothing moves. */
export const settled = async (page: Page): Promise<void> => {
  const arrived = requestsOf(page);
  do await page.evaluate(rest, LIMIT_MS);
  while (await arrived());
};

/** As a link does, without loading the console again. */
export const openByLink = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/** Opens the address by a link and waits for the page to come to rest. */
export const follow = async (page: Page, address: string): Promise<void> => {
  await openByLink(page, address);
  await settled(page);
};
