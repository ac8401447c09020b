import { test as base, expect, type Page } from '@playwright/test';
import { type Hub, startHub } from '../packages/server/test/hub.ts';
import { furnish, type SampleIds } from './screens.ts';

export { expect } from '@playwright/test';

export const EXTERNAL_LINK = { name: { zh_CN: '监控', en_US: 'Monitoring' }, url: 'https://example.com/' };

export type Language = 'zh_CN' | 'en_US';

/** A refused log-in or a forbidden call is meant to fail; the browser notes each in its console. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/;

export const watchConsole = (page: Page, problems: string[], where = () => ''): void => {
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || EXPECTED.test(message.text())) return;
    problems.push(`${where()} ${message.type()}: ${message.text()}`.trim());
  });
  page.on('pageerror', (error) => problems.push(`${where()} uncaught: ${error.message}`.trim()));
};

declare global {
  var shownToasts: Set<string>;
}

/** A toast goes after two seconds, which on a busy machine may pass between two looks: the page notes each down. */
const noteToasts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    globalThis.shownToasts = new Set();
    const note = () => {
      for (const toast of document.querySelectorAll('.ant-message-notice')) shownToasts.add(toast.textContent.trim());
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
  });

/** Since the page was loaded, and once for each that was shown. */
export const expectToast = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate((wanted) => shownToasts.delete(wanted), text), `the toast “${text}”`).toBe(true);

/** A hub per worker, furnished for whoever asks; and pages that fail their test when the browser's console speaks. */
export const test = base.extend<{ problems: string[] }, { purpose: string; hub: Hub; sample: SampleIds }>({
  /** Files that name one share no hub with the others. */
  purpose: ['', { scope: 'worker', option: true }],
  hub: [
    async ({ purpose: _named }, use) => {
      const hub = await startHub({ MENU_LINKS: JSON.stringify([EXTERNAL_LINK]) });
      await use(hub);
      await hub.close();
    },
    { scope: 'worker' },
  ],
  sample: [async ({ hub }, use) => use(await furnish(hub)), { scope: 'worker', timeout: 60_000 }],
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      watchConsole(page, problems);
      await use(problems);
      expect(problems, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

export const speak = async (page: Page, language: Language): Promise<void> => {
  await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
};

export const logIn = async (page: Page, url: string, username: string, password: string): Promise<void> => {
  await noteToasts(page);
  await page.goto(url);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  // Logged in and shown where it leads: an address opened earlier would meet the page that is just leaving.
  await page.waitForFunction(() => localStorage.getItem('Authorization') !== null);
  await page.locator('input[name=password]').waitFor({ state: 'detached' });
};

export const expectNoSidewaysScroll = async (page: Page, where: string): Promise<void> => {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess, `${where} is wider than the window by`).toBeLessThanOrEqual(0);
};
