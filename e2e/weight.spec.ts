import type { Page, Response } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { expect, test as shared, watchConsole } from './support.ts';

const KB = 1024;

/**
 * What JavaScript and CSS weigh on the wire, each file once, as a browser receives them that has never been here.
 * Nothing is left out: what the page fetches in idle time for its tabs and dialogs counts too.
 */
const weigh = (page: Page, named = /./) => {
  const answers = new Map<string, Response>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/\.(js|css)$/.test(pathname) && named.test(pathname) && !answers.has(pathname)) answers.set(pathname, response);
  });
  return async () => {
    let total = 0;
    for (const [file, answer] of answers) {
      const { responseBodySize } = await answer.request().sizes();
      // From the cache it is below zero, since the headers are taken off: it would lighten the sum.
      expect(responseBodySize, file).toBeGreaterThan(0);
      // Not worth compressing below that.
      if (responseBodySize > KB / 2) expect(answer.headers()['content-encoding'], file).toBe('br');
      expect(answer.headers()['cache-control']).toContain('immutable');
      total += responseBodySize;
    }
    return Math.round(total / KB);
  };
};

const enter = async (page: Page): Promise<void> => {
  await page.locator('input[name=username]').fill('admin');
  await page.locator('input[name=password]').fill(ADMIN_PASSWORD);
  await page.locator('button[type=submit]').click();
};

const report = (text: string): void => {
  test.info().annotations.push({ type: 'weight', description: text });
  console.log(text);
};

/** The page of a browser that has nothing in its cache. */
const test = shared.extend<{ fresh: Page }>({
  fresh: async ({ browser }, use) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const problems: string[] = [];
    watchConsole(page, problems);
    await use(page);
    expect(problems, "the browser's console").toEqual([]);
    await context.close();
  },
});

test('loads at most 240 KB for the login page, and 400 KB with the first list page', async ({ fresh: page, hub }) => {
  const weight = weigh(page);
  await page.goto(`${hub.url}/?redirect=/systemConfig/tenantList`, { waitUntil: 'networkidle' });
  const login = await weight();
  await enter(page);
  await expect(page).toHaveURL(/tenantList/);
  await expect(page.getByRole('switch').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const list = await weight();
  report(`log-in ${login} KB, first list ${list} KB`);
  expect(login).toBeLessThanOrEqual(240);
  expect(list).toBeLessThanOrEqual(400);
});

test('loads at most 200 KB for the chart of the home page', async ({ fresh: page, hub }) => {
  // With a device there is a chart, and without one the first steps stand in its place.
  const productId = await hub.create.product('1');
  await hub.create.device({ productId, applicationId: await hub.create.application('1') });
  const whole = weigh(page);
  const chart = weigh(page, /chart/);
  await page.goto(hub.url);
  await enter(page);
  await expect(page).toHaveURL(/messageChart/);
  await expect(page.locator('canvas').first()).toBeVisible();
  const [total, lazy] = [await whole(), await chart()];
  report(`home ${total - lazy} KB, chart ${lazy} KB`);
  expect(lazy).toBeGreaterThan(0);
  expect(lazy).toBeLessThanOrEqual(200);
});
