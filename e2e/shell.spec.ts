import { accountCalls, applicationCalls, personalCalls, tenancyCalls } from '@device-center/contract';
import { PASSWORD, unique } from '../packages/server/test/hub.ts';
import { enter, expect, expectToast, logIn, setLanguage, test } from './support.ts';
import { wordsOf } from './texts.ts';

const words = wordsOf('en_US');

test.beforeEach(async ({ page }) => {
  await setLanguage(page, 'en_US');
});

// Spec 8.4, 8.5, 8.7
test("shows one dialog and clears the browser when the user's tenant is disabled", async ({ page, hub }) => {
  const tenancyId = await hub.create.tenancy();
  const user = await hub.create.user({ tenancyId, menus: [202, 302] });
  await logIn(page, hub.url, user.username, PASSWORD);
  await expect(page.getByText(words.application.emptyTitle)).toBeVisible();
  await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 });
  await page.getByRole('link', { name: 'Users' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCount(1);
  await expect(dialog).toContainText(words.common.tokenExpiredText);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  const reloaded = page.waitForEvent('load');
  await dialog.getByRole('button', { name: words.common.exit }).click();
  await reloaded;
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'language'))).toEqual([]);
  await page.locator('input[name=username]').fill(user.username);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await expect(page.getByRole('alert')).toContainText('The tenant is disabled');
});

// Spec 4.60
test('creates one tenant on a double click, confirms leaving an unsaved page, and returns to the filtered list', async ({
  page,
  hub,
}) => {
  await enter(page, hub, '/');
  await page.getByRole('link', { name: 'Tenants' }).click();
  const name = unique('Once');
  await page.getByRole('searchbox', { name: words.tenancy.tenancyName }).fill(name);
  await expect(page.getByText(words.common.noMatch)).toBeVisible();
  await expect(page.getByRole('button', { name: new RegExp(name) })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`tenancyName=${name}`));
  await page.getByRole('button', { name: words.tenancy.addTitle }).click();
  await expect(page.getByRole('heading', { name: words.tenancy.addTitle })).toBeVisible();

  await page.getByLabel(words.tenancy.tenancyName, { exact: true }).fill(name);
  await page.getByRole('link', { name: 'Roles' }).click();
  await expect(page.getByText(words.common.unsavedText)).toBeVisible();
  await page.getByRole('button', { name: words.common.stay }).click();
  await expect(page).toHaveURL(/addTenant/);

  await page.getByLabel(words.tenancy.phone, { exact: true }).fill('123');
  await expect(page.getByText('format error, fill in the phone number correctly')).toBeVisible();
  await page.getByRole('button', { name: words.common.submit }).click();
  await expect(page.getByText('The input cannot be empty, please re-enter').first()).toBeVisible();

  await page.getByLabel(words.tenancy.companyName, { exact: true }).fill('Once Ltd');
  await page.getByLabel(words.tenancy.companyAddress, { exact: true }).fill('Road 1');
  await page.getByLabel(words.tenancy.contactName, { exact: true }).fill('Ann Lee');
  await page.getByLabel(words.tenancy.phone, { exact: true }).fill('13800138000');
  await page.getByLabel(words.tenancy.email, { exact: true }).fill('once@example.com');
  await page.getByRole('button', { name: words.common.submit }).dblclick();
  await page.getByRole('dialog').getByRole('button', { name: words.common.ok }).click();
  await expect(page).toHaveURL(new RegExp(`tenantList.*tenancyName=${name}`));
  await expect(page.getByRole('row', { name: new RegExp(name) })).toHaveCount(1);
  const { total } = await hub.admin.ok(tenancyCalls.queryTenancyList, { tenancyName: name });
  expect(total).toBe(1);
});

// Spec 2.7, 6.9, 6.11, 8.12, 8.24
test('keeps a tenant with links and names them, and deletes one without', async ({ page, hub }) => {
  const linked = await hub.create.tenancy();
  await hub.create.application(linked);
  const { tenancyName } = await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId: linked });
  const filtered = `/systemConfig/tenantList?tenancyName=${encodeURIComponent(tenancyName)}`;
  await enter(page, hub, filtered);
  await page.getByRole('checkbox', { name: new RegExp(tenancyName) }).check();
  await page.getByRole('button', { name: words.common.delete }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('The tenant has linked applications/users, delete them first');
  await dialog.getByRole('link').first().click();
  await expect(page).toHaveURL(new RegExp(`applyList.*tenancyId=${linked}`));

  const { list } = await hub.admin.ok(applicationCalls.queryApplicationList, { tenancyId: linked });
  await hub.admin.ok(applicationCalls.deleteApplication, { applicationIds: list.map((row) => row.applicationId) });
  // A load, not a link: the list in the page's cache still counts the application that was deleted behind its back.
  await page.goto(hub.url + filtered);
  await page.getByRole('checkbox', { name: new RegExp(tenancyName) }).check();
  await page.getByRole('button', { name: words.common.delete }).click();
  await page.getByRole('dialog').getByRole('button', { name: words.common.delete }).click();
  await expectToast(page, 'Delete succeeded');
  expect((await hub.admin.error(tenancyCalls.getTenancyDetails, { tenancyId: linked })).statusCode).toBe(404);
});

// Spec 2.50, 2.55
test('remembers sidebar and theme, navigates by the palette, and reports an unknown path', async ({ page, hub }) => {
  await enter(page, hub, '/');
  await page.getByRole('button', { name: words.shell.closeSidebar }).click();
  expect(await page.evaluate(() => localStorage.getItem('sidebarStatus'))).toBe('0');
  await page.reload();
  await expect(page.getByRole('button', { name: words.shell.openSidebar })).toBeVisible();

  await page.getByRole('button', { name: new RegExp(words.shell.theme) }).click();
  const saved = page.waitForResponse((response) => response.url().endsWith('savePreferences'));
  await page.getByRole('menuitem', { name: words.shell.themeDark }).click();
  await saved;
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const { preferences } = await hub.admin.ok(personalCalls.getPreferences, {});
  expect(preferences.theme).toBe('dark');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: words.shell.paletteTitle }).fill('audit');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/auditLog/);

  await page.goto(`${hub.url}/no/such/page`);
  await expect(page).toHaveURL(/\/404/);
  await hub.admin.ok(personalCalls.savePreferences, { preferences: {} }, { as: 'json' });
});

// Spec 2.57
test('shows the sidebar on a phone as a drawer that closes on navigation', async ({ page, hub }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await enter(page, hub, '/');
  await page.getByRole('button', { name: words.shell.openSidebar }).click();
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveURL(/userList/);
  await expect(page.getByRole('navigation', { name: words.shell.mainNavigation })).toBeHidden();
});

test('throttles password guessing visibly, without revealing accounts', async ({ page, hub }) => {
  const account = unique('ghost');
  await page.goto(hub.url);
  for (let guess = 0; guess < 5; guess++)
    await hub.anonymous.error(accountCalls.login, { username: account, password: `Guess-${guess}` });
  await page.locator('input[name=username]').fill(account);
  await page.locator('input[name=password]').fill('Guess-6');
  // On a busy machine the first wait, of a second, may be over when the page guesses; each further one is twice as long.
  await expect(async () => {
    await page.locator('button[type=submit]').click({ timeout: 1_000 });
    await expect(page.getByRole('alert')).toContainText(/Too many failed logins/, { timeout: 1_000 });
  }).toPass();
  await expect(page.locator('button[type=submit]')).toBeDisabled();
});

test('reports that a page is older than the hub', async ({ page, hub }) => {
  await enter(page, hub, '/systemConfig/tenantList');
  await expect(page.getByRole('heading', { name: words.tenancy.listTitle })).toBeVisible();
  await expect(page.getByText(words.shell.newBuild)).toBeHidden();
  // The hub's next build, as this page would see it.
  await page.route(`${hub.url}/`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-another.js');
    await route.fulfill({ response: answer, body });
  });
  await page.goto(`${hub.url}/systemConfig/userList`);
  await expect(page.getByText(words.shell.newBuild)).toBeVisible();
});
