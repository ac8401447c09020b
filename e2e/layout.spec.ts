import type { Page } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { settled } from './settled.ts';
import { enter, expect, logIn, setLanguage, test } from './support.ts';
import { wordsOf } from './texts.ts';

const words = wordsOf('en_US');
/** The frame is the same around every page; this one has no chart to load. */
const LIGHT_PAGE = '/systemConfig/tenantList';
const sidebar = (page: Page) => page.getByRole('navigation', { name: words.shell.mainNavigation });

// Spec 2.52, 2.53
test('links the account menu to the personal center and confirms logging out', async ({ page, hub }) => {
  // Through the form: the session that ends here is no other test's.
  await setLanguage(page, 'en_US');
  await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
  const menu = page.getByRole('button', { name: words.shell.accountMenu.replace('{{name}}', 'admin') });
  await menu.click();
  await page.getByRole('menuitem', { name: words.shell.personCenter }).click();
  await expect(page).toHaveURL(/\/person\/personCenter$/);

  await menu.click();
  await page.getByRole('menuitem', { name: words.shell.logOut }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('confirm exit');
  await expect(dialog).toContainText('exit the current account?');
  await dialog.getByRole('button', { name: words.common.cancel }).click();
  await expect(dialog).toBeHidden();
  expect(await page.evaluate(() => localStorage.getItem('Authorization'))).not.toBeNull();

  await menu.click();
  await page.getByRole('menuitem', { name: words.shell.logOut }).click();
  const reloaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: words.shell.logOut }).click();
  await reloaded;
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toBeNull();
});

// Spec 2.54-2.56, 9.6, 9.7
test('shows a sidebar 13.125rem wide, and a drawer below 992 px', async ({ page, hub }) => {
  await enter(page, hub, LIGHT_PAGE);
  await settled(page);
  expect(await page.evaluate(() => localStorage.getItem('sidebarStatus'))).toBeNull();
  for (const [width, inPixels] of [
    [1920, 210],
    [3840, 420],
    // When 13.125rem would truncate its texts.
    [1440, 204],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await sidebar(page).boundingBox())?.width).toBe(inPixels);
  }
  await page.setViewportSize({ width: 992, height: 900 });
  await expect(sidebar(page)).toBeVisible();
  await expect(page.getByRole('button', { name: words.shell.closeSidebar })).toBeVisible();
  await page.setViewportSize({ width: 991, height: 900 });
  await expect(sidebar(page)).toBeHidden();
  await page.getByRole('button', { name: words.shell.openSidebar }).click();
  await expect(page.locator('.ant-drawer').getByRole('navigation')).toBeVisible();
});

// Spec 2.62
test('scales the root font size with the window, up to twice its base', async ({ page, hub }) => {
  await enter(page, hub, LIGHT_PAGE);
  await settled(page);
  const rootFont = () => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  for (const [width, size] of [
    [1920, '16px'],
    [1440, '12px'],
    [2880, '24px'],
    [3840, '32px'],
    [5760, '32px'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(rootFont, { message: `at ${width}` }).toBe(size);
  }
});

test('leaves the pager free of the bar of bulk actions, also on a phone', async ({ page, hub }) => {
  await hub.create.tenancy();
  await enter(page, hub, LIGHT_PAGE);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 500 });
    await page
      .getByRole('checkbox', { name: /^Select (?!all)/, disabled: false })
      .last()
      .check();
    await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
    const bar = await page.getByRole('toolbar').boundingBox();
    const pager = await page.locator('.ant-pagination').boundingBox();
    if (!bar || !pager) throw new Error('the bar or the pager has no place');
    expect(bar.y).toBeGreaterThanOrEqual(pager.y + pager.height);
    expect(bar.x).toBeGreaterThanOrEqual(0);
    expect(bar.x + bar.width).toBeLessThanOrEqual(width);
  }
  const disabled = page.getByRole('toolbar').getByRole('button').first();
  await disabled.evaluate((button) => button.setAttribute('disabled', ''));
  // The bar is #0d1b21: anything darker than a middle grey cannot be read on it.
  await expect
    .poll(() =>
      disabled.evaluate((button) =>
        Math.min(...(getComputedStyle(button).color.match(/\d+/g) ?? []).slice(0, 3).map(Number)),
      ),
    )
    .toBeGreaterThan(128);
});

// Spec 2.60
test('shows a progress bar at the top on each change of route', async ({ page, hub }) => {
  await enter(page, hub, LIGHT_PAGE);
  await settled(page);
  await page.evaluate(() => {
    const bar = document.querySelector('.dc-progress') as HTMLElement;
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => seen.push(bar.dataset.state ?? '')).observe(bar, { attributes: true });
  });
  const seen = () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0));
  for (const name of ['Users', 'Roles']) {
    await sidebar(page).getByRole('link', { name }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name);
    await expect.poll(async () => (await page.locator('.dc-progress').getAttribute('data-state')) ?? '').toBe('done');
    expect(await seen()).toEqual(['busy', 'done']);
  }
  expect((await page.locator('.dc-progress').boundingBox())?.y).toBe(0);
});

// Spec 2.61
test('refreshes the page on a click on its menu entry, without reloading the console', async ({ page, hub }) => {
  await enter(page, hub, LIGHT_PAGE);
  await settled(page);
  const entry = sidebar(page).getByRole('link', { name: 'Users' });
  await entry.click();
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toContainText('Users');
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await heading.evaluate((element) => element.setAttribute('data-before', ''));
  await entry.click();
  await expect(page.locator('h1[data-before]')).toHaveCount(0);
  await expect(heading).toContainText('Users');
  expect(await page.evaluate(() => 'stays' in window)).toBe(true);
});
