import type { Page, Response } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { expect, logIn, test } from './support.ts';

const KB = 1024;

/** What JavaScript and CSS weigh on the wire, as the browser received them. */
const weigh = (page: Page) => {
  const answers: Response[] = [];
  page.on('response', (response) => {
    if (/\.(js|css)$/.test(new URL(response.url()).pathname)) answers.push(response);
  });
  return async () => {
    let total = 0;
    for (const answer of answers) {
      const { responseBodySize } = await answer.request().sizes();
      // Not worth compressing below that.
      if (responseBodySize > KB / 2) expect(answer.headers()['content-encoding'], answer.url()).toBe('br');
      expect(answer.headers()['cache-control']).toContain('immutable');
      total += responseBodySize;
    }
    return Math.round(total / KB);
  };
};

test('the log-in page weighs at most 240 KB, with the first list page at most 400 KB', async ({ page, hub }) => {
  const weight = weigh(page);
  await page.goto(hub.url, { waitUntil: 'networkidle' });
  const login = await weight();
  await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
  await expect(page).toHaveURL(/tenantList/);
  await expect(page.getByRole('switch').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const list = await weight();
  test.info().annotations.push({ type: 'weight', description: `log-in ${login} KB, first list ${list} KB` });
  console.log(`log-in ${login} KB, first list ${list} KB`);
  expect(login).toBeLessThanOrEqual(240);
  expect(list).toBeLessThanOrEqual(400);
});
