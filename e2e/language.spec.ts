import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { expect, logIn, test } from './support.ts';
import { wordsOf } from './texts.ts';

const zh = wordsOf('zh_CN');
const en = wordsOf('en_US');

// Spec 1.22, 2.51, 2.63, 9.3, 9.8
test('starts in Chinese; choosing English reloads, is stored, and survives a cleared storage', async ({
  page,
  hub,
}) => {
  await page.goto(hub.url);
  await expect(page).toHaveTitle(new RegExp(zh.common.productTitle));
  await expect(page.getByRole('button', { name: zh.account.logIn })).toBeVisible();

  const reloaded = page.waitForEvent('load');
  await page.getByRole('combobox').selectOption('en_US');
  await reloaded;
  await expect(page.getByRole('button', { name: en.account.logIn, exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  expect(await page.evaluate(() => localStorage.getItem('language'))).toBe('en_US');

  await page.evaluate(() => localStorage.clear());
  await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
  await page.goto(`${hub.url}/systemConfig/tenantList`);
  await expect(page.getByRole('heading', { name: en.tenancy.listTitle })).toBeVisible();
  await page.getByRole('button', { name: new RegExp(en.shell.language) }).click();
  const again = page.waitForEvent('load');
  await page.getByRole('menuitem', { name: '简体中文' }).click();
  await again;
  await expect(page.getByRole('heading', { name: zh.tenancy.listTitle })).toBeVisible();
  // Words that are not ours but of the parts we use.
  await page.goto(`${hub.url}/systemConfig/roleList`);
  await expect(page.getByPlaceholder('开始日期')).toBeVisible();
});
