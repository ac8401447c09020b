import type { Page, Request } from '@playwright/test';

/** Screens of missing objects cause 404 responses on purpose. */
const isMissed = (screen: string, url: string): boolean => /issing$/.test(screen) && /nobody|99999999/.test(url);

/** The live data stream, which never ends, and the health poll every two seconds. */
const isStream = (request: Request): boolean => /\/stream(\?|$)|\/health\/live$/.test(request.url());

const DESTROYING = /\/(delete|remove|revoke|cancel|loginOut|end[A-Z]|reset)\w*(\?|$)/;
/** Calls that both set and reset, by `op` 1 and 0. */
const SWITCHING = /\/(kickOut|markBlack)(\?|$)/;
const destroys = (request: Request): boolean =>
  DESTROYING.test(request.url()) ||
  (SWITCHING.test(request.url()) && /\bop\b\W{0,3}1/.test(`${request.url()} ${request.postData() ?? ''}`));

/** Records every error response and failed request; `screen` names the current screen. */
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
    // Leaving a page aborts its pending requests.
    if (request.failure()?.errorText === 'net::ERR_ABORTED' || isStream(request)) return;
    problems.push(`${where()}: ${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
};

const LIMIT_MS = 30_000;

/** Waits for the responses of all requests except streams. Returns whether there was one to wait for. */
const trackRequests = (page: Page): (() => Promise<boolean>) => {
  const pending = new Set<Request>();
  let wake = (): void => undefined;
  const done = (request: Request) => {
    pending.delete(request);
    if (pending.size === 0) wake();
  };
  page.on('request', (request) => {
    // A new document: forget the requests of the previous one.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear();
    if (!isStream(request)) pending.add(request);
  });
  page.on('requestfinished', done);
  page.on('requestfailed', done);
  return async () => {
    if (pending.size === 0) return false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const say = () => reject(new Error(`no answer yet: ${[...pending].map((one) => one.url()).join(' ')}`));
      timer = setTimeout(say, LIMIT_MS);
    });
    const answered = new Promise<void>((resolve) => {
      wake = resolve;
    });
    await Promise.race([answered, late]).finally(() => clearTimeout(timer));
    return true;
  };
};

const trackers = new WeakMap<Page, () => Promise<boolean>>();

/** The page's tracker. It sees the requests that are sent after the first call for this page. */
export const requestsOf = (page: Page): (() => Promise<boolean>) => {
  const known = trackers.get(page) ?? trackRequests(page);
  trackers.set(page, known);
  return known;
};
