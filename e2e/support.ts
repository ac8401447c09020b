import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { ADMIN_PASSWORD, type Hub, spawnHub } from '../packages/server/test/hub.ts';
import { requestsOf } from './requests.ts';
import { type SampleIds, seed } from './screens.ts';

export { expect } from '@playwright/test';

export const EXTERNAL_LINK = { name: { zh_CN: '监控', en_US: 'Monitoring' }, url: 'https://example.com/' };

export type Language = 'zh_CN' | 'en_US';

/** Tests that expect a 4xx answer make the browser write this line. */
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

/** A toast closes after two seconds, on a busy machine between two polls: the page records each toast. */
const noteToasts = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    globalThis.shownToasts = new Set();
    const note = () => {
      for (const toast of document.querySelectorAll('.ant-message-notice')) shownToasts.add(toast.textContent.trim());
    };
    new MutationObserver(note).observe(document, { childList: true, subtree: true });
  });

/** Expects a toast since the page was loaded; each toast satisfies one call. */
export const expectToast = (page: Page, text: string): Promise<void> =>
  expect.poll(() => page.evaluate((wanted) => shownToasts.delete(wanted), text), `the toast “${text}”`).toBe(true);

/** One hub for all tests of a worker, with sample data on request; any console message fails the test. */
export const test = base.extend<
  { problems: string[] },
  { purpose: string; hub: Hub; sample: SampleIds; window: BrowserContext }
>({
  /** Files with a purpose do not share their hub with other files. */
  purpose: ['', { scope: 'worker', option: true }],
  hub: [
    async ({ purpose: _named }, use) => {
      const hub = await spawnHub({ MENU_LINKS: JSON.stringify([EXTERNAL_LINK]) });
      await use(hub);
      await hub.close();
    },
    { scope: 'worker' },
  ],
  /**
   * One browser window for all tests of a worker. A page of the hub's site stays open in it, so that its process stays
   * too, with the console's scripts compiled: starting a process for each test takes as long as opening a page twice.
   */
  window: [
    async ({ browser, hub }, use, { project }) => {
      const { viewport, contextOptions } = project.use;
      const context = await browser.newContext({ ...contextOptions, viewport });
      const first = await context.newPage();
      await first.goto(`${hub.url}/favicon.svg`);
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ window }, use) => {
    const [first, ...others] = window.pages();
    for (const page of others) await page.close();
    await window.clearPermissions();
    await first?.evaluate(() => localStorage.clear());
    await use(window);
    window.removeAllListeners('page');
  },
  /** Opened by the permanent page, so that it runs in the same process. */
  page: async ({ context }, use) => {
    const [first] = context.pages();
    const opened = context.waitForEvent('page');
    await first?.evaluate(() => void open());
    const page = await opened;
    await use(page);
    await page.close();
  },
  sample: [async ({ hub }, use) => use(await seed(hub)), { scope: 'worker', timeout: 60_000 }],
  problems: [
    async ({ page }, use) => {
      const problems: string[] = [];
      watchConsole(page, problems);
      requestsOf(page);
      await use(problems);
      expect(problems, "the browser's console").toEqual([]);
    },
    { auto: true },
  ],
});

export const setLanguage = async (page: Page, language: Language): Promise<void> => {
  await page.addInitScript((chosen) => localStorage.setItem('language', chosen), language);
};

/** Logs in by the form of the login page, which redirects to home or to the wanted path. */
export const logIn = async (
  page: Page,
  url: string,
  username: string,
  password: string,
  wanted?: string,
): Promise<void> => {
  await noteToasts(page);
  await page.goto(wanted ? `${url}/?redirect=${encodeURIComponent(wanted)}` : url);
  await page.locator('input[name=username]').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  // The next address must not be opened while the log-in page is still navigating.
  await page.waitForFunction(() => localStorage.getItem('Authorization') !== null);
  await page.locator('input[name=password]').waitFor({ state: 'detached' });
};

type Stored = Record<string, string>;
/** The stored session of each hub and user. */
const sessions = new Map<string, Stored>();
let entries = 0;

/** Every user may open it, and it renders faster than the home page with its chart. */
const PATH_WITHOUT_CHART = '/person/personCenter';

export type Entering = { url: string; language?: Language; username?: string; password?: string };

/**
 * Opens an address as a user who is logged in. The first time in a worker the user logs in through the form; after
 * that the stored session is put into the page's storage before the console is loaded. A test that ends its session
 * must log in by itself.
 */
export const enter = async (page: Page, to: Entering, address: string): Promise<void> => {
  const { url, language = 'en_US', username = 'admin', password = ADMIN_PASSWORD } = to;
  const key = `${url} ${username}`;
  const session = sessions.get(key);
  await page.addInitScript(
    ([origin, mark, stored]) => {
      // Only once per page: changes that the test makes to the storage must survive a reload.
      if (location.origin !== origin || sessionStorage.getItem(mark)) return;
      sessionStorage.setItem(mark, 'done');
      for (const [name, value] of Object.entries(stored)) localStorage.setItem(name, value);
    },
    [new URL(url).origin, `entered-${++entries}`, { ...session, language }] as const,
  );
  if (session) await noteToasts(page);
  else {
    // The login page redirects to paths only; an address with a query is opened directly.
    const wanted = address.includes('?') ? PATH_WITHOUT_CHART : address;
    await logIn(page, url, username, password, wanted === '/' ? undefined : wanted);
    sessions.set(key, await page.evaluate(() => ({ ...localStorage })));
    if (wanted === address) return;
  }
  await page.goto(url + address);
};

export const expectNoSidewaysScroll = async (page: Page, where: string): Promise<void> => {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(excess, `${where} is wider than the window by`).toBeLessThanOrEqual(0);
};
