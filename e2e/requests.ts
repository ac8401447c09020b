import type { Page, Request } from '@playwright/test';

/** Screens that show how it is when something is not there ask for it all the same. */
const isMissed = (screen: string, url: string): boolean => /issing$/.test(screen) && /nobody|99999999/.test(url);

/** Live data: an answer that never ends. */
const isStream = (request: Request): boolean => /\/stream(\?|$)/.test(request.url());

const DESTROYING = /\/(delete|remove|revoke|cancel|loginOut|end[A-Z]|reset)\w*(\?|$)/;
/** These do and undo: with `op` 1, and with 0. */
const SWITCHING = /\/(kickOut|markBlack)(\?|$)/;
const destroys = (request: Request): boolean =>
  DESTROYING.test(request.url()) ||
  (SWITCHING.test(request.url()) && /\bop\b\W{0,3}1/.test(`${request.url()} ${request.postData() ?? ''}`));

/** Notes every answer that refuses and every request that fails; `screen` names what is being looked at. */
export const watchRequests = (
  page: Page,
  problems: string[],
  screen: () => string,
  where: () => string = screen,
): void => {
  page.on('request', (request) => {
    if (destroys(request)) problems.push(`${where()}: destroys without a question: ${request.url()}`);
  });
  page.on('response', (response) => {
    const url = response.url();
    const status = response.status();
    if (status < 400 || (status === 404 && isMissed(screen(), url))) return;
    problems.push(`${where()}: ${status} ${response.request().method()} ${url}`);
  });
  page.on('requestfailed', (request) => {
    // Whoever leaves a page breaks off what it was still asking for.
    if (request.failure()?.errorText === 'net::ERR_ABORTED' || isStream(request)) return;
    problems.push(`${where()}: ${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
};

/** Waits until nothing that was asked for is still to come, and tells whether anything was; a live stream does not count. */
export const trackRequests = (page: Page): (() => Promise<boolean>) => {
  const pending = new Set<Request>();
  const done = (request: Request) => pending.delete(request);
  page.on('request', (request) => !isStream(request) && pending.add(request));
  page.on('requestfinished', done);
  page.on('requestfailed', done);
  page.on('framenavigated', () => pending.clear());
  return async () => {
    const isAwaited = pending.size > 0;
    for (let waited = 0; pending.size > 0 && waited < 200; waited++) await page.waitForTimeout(25);
    return isAwaited;
  };
};
