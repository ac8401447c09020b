import type { Page, Request } from '@playwright/test';

/** Screens that show how it is when something is not there ask for it all the same. */
const isMissed = (screen: string, url: string): boolean => /issing$/.test(screen) && /nobody|99999999/.test(url);

/** Live data: an answer that never ends. */
const isStream = (request: Request): boolean => /\/stream(\?|$)/.test(request.url());

/** Notes every answer that refuses and every request that fails; `screen` names what is being looked at. */
export const watchRequests = (page: Page, problems: string[], screen: () => string): void => {
  page.on('response', (response) => {
    const url = response.url();
    const status = response.status();
    if (status < 400 || (status === 404 && isMissed(screen(), url))) return;
    problems.push(`${screen()}: ${status} ${response.request().method()} ${url}`);
  });
  page.on('requestfailed', (request) => {
    // Whoever leaves a page breaks off what it was still asking for.
    if (request.failure()?.errorText === 'net::ERR_ABORTED' || isStream(request)) return;
    problems.push(`${screen()}: ${request.failure()?.errorText} ${request.method()} ${request.url()}`);
  });
};
