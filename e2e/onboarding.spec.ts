import {
  accountCalls,
  applicationCalls,
  auditCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import type { Page } from '@playwright/test';
import { createClient } from '../packages/server/test/client.ts';
import { createEnvironment } from '../packages/server/test/environment.ts';
import { startHubProcess } from '../packages/server/test/hub-process.ts';
import { startMailbox } from '../packages/server/test/mailbox.ts';
import { LONG, languages } from './display-variant.ts';
import { follow } from './settled.ts';
import { expect, type Language, logIn, setLanguage, test } from './support.ts';
import { wordsOf } from './texts.ts';

const NEW_PASSWORD = 'First-Change1';
const USER_PASSWORD = 'User-Change2';
const RECOVERED_PASSWORD = 'Recovered-3';

/** What a test started ends with it, however it ends. */
const endings: (() => Promise<unknown>)[] = [];
test.afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const printedPassword = (output: string): string => /password {2}(\S+)/.exec(output)?.[1] ?? '';

const changeFirstPassword = async (page: Page, language: Language, oldPassword: string, newPassword: string) => {
  const { account, common } = wordsOf(language);
  await expect(page.getByText(account.firstTitle)).toBeVisible();
  await page.getByLabel(account.oldPassword, { exact: true }).fill(oldPassword);
  await page.getByLabel(common.newPassword, { exact: true }).fill(newPassword);
  await page.getByLabel(common.confirmPassword, { exact: true }).fill(newPassword);
  await page.getByRole('button', { name: account.changePassword }).click();
  await expect(page.getByText(account.firstTitle)).toBeHidden();
};

const logOut = async (page: Page, language: Language) => {
  const { shell } = wordsOf(language);
  await page.getByRole('button', { name: new RegExp(shell.accountMenu.replace('{{name}}', '.*')) }).click();
  await page.getByRole('menuitem', { name: shell.logOut }).click();
  await expect(page.getByText(shell.logOutText)).toBeVisible();
  // Log-out ends in a reload.
  const reloaded = page.waitForEvent('load');
  await page.getByRole('dialog').getByRole('button', { name: shell.logOut }).click();
  await reloaded;
  await expect(page).toHaveURL(/\/$/);
};

const choose = async (page: Page, label: string, typed: string) => {
  const box = page.getByRole('combobox', { name: label });
  await box.click();
  await box.fill(typed);
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option', { hasText: typed }).first().click();
};

const submitted = async (page: Page, language: Language) => {
  const { common } = wordsOf(language);
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(common.operationSucceeded);
  await dialog.getByRole('button', { name: common.ok }).click();
  await expect(dialog).toBeHidden();
};

// In the short form in one language; the other specs that fill in forms setLanguage the other.
for (const language of LONG ? languages : languages.slice(0, 1)) {
  // Spec 1.3, 1.4, 1.21, 2.1, 2.2, 2.46, 2.53, 9.4
  test(`leads from the first start to a user with two menus, in ${language}`, async ({ page, browser }) => {
    test.setTimeout(120_000);
    const words = wordsOf(language);
    const place = await createEnvironment();
    endings.push(place.dispose);
    const mailbox = await startMailbox();
    endings.push(mailbox.close);
    const hub = await startHubProcess({ ...place.env, SMTP_URL: mailbox.url });
    endings.push(hub.stop);
    await setLanguage(page, language);

    // First start → printed password → forced change.
    const first = printedPassword(hub.output());
    expect(first).toMatch(/^\w{8,20}$/);
    await logIn(page, hub.url, 'admin', first);
    await changeFirstPassword(page, language, first, NEW_PASSWORD);

    // A tenant.
    await follow(page, '/add/addTenant/0/0');
    await page.getByLabel(words.tenancy.tenancyName, { exact: true }).fill('Acme');
    await page.getByLabel(words.tenancy.companyName, { exact: true }).fill('Acme 有限公司');
    await page.getByLabel(words.tenancy.companyAddress, { exact: true }).fill('上海市 1 号楼');
    await page.getByLabel(words.tenancy.contactName, { exact: true }).fill('李雷');
    await page.getByLabel(words.tenancy.phone, { exact: true }).fill('13800138000');
    await page.getByLabel(words.tenancy.email, { exact: true }).fill('contact@acme.example');
    await page.getByRole('button', { name: words.common.submit }).click();
    await submitted(page, language);
    await expect(page.getByRole('row', { name: /Acme/ })).toBeVisible();

    // A role of it with two menus.
    await follow(page, '/add/addRole/0/0');
    await choose(page, words.role.tenant, 'Acme');
    await page.getByLabel(words.role.roleName, { exact: true }).fill('Operators');
    for (const menu of language === 'zh_CN' ? ['应用管理', '用户管理'] : ['Applications', 'Users'])
      await page.getByRole('checkbox', { name: menu }).check();
    await page.getByRole('button', { name: words.common.submit }).click();
    await submitted(page, language);

    // A user with that role.
    await follow(page, '/add/addUser/0/0');
    await page.getByLabel(words.user.username, { exact: true }).fill('hanmeimei');
    await page.getByLabel(words.user.name, { exact: true }).fill('韩梅梅');
    await page.getByLabel(words.user.email, { exact: true }).fill('han@acme.example');
    await choose(page, words.user.tenant, 'Acme');
    await choose(page, words.user.role, 'Operators');
    await page.getByRole('button', { name: words.common.submit }).click();
    await submitted(page, language);

    // The mail arrives in a real SMTP server; its password logs in and must be changed.
    const mailed = await mailbox.readPassword('han@acme.example');
    const colleague = await (await browser.newContext()).newPage();
    await setLanguage(colleague, language);
    await logIn(colleague, hub.url, 'hanmeimei', mailed);
    await changeFirstPassword(colleague, language, mailed, USER_PASSWORD);

    // Just those menus.
    const menu = colleague.getByRole('navigation', { name: words.shell.mainNavigation });
    await expect(menu.getByRole('link')).toHaveCount(2);
    await colleague.goto(`${hub.url}/systemConfig/roleList`);
    await expect(colleague.getByText(words.shell.forbiddenTitle)).toBeVisible();

    // The hub itself refuses: a forbidden call 403, another tenant's id 404.
    const token = (await colleague.evaluate(() => localStorage.getItem('Authorization'))) ?? '';
    const client = createClient(hub.url, token);
    const role = { roleName: 'Masters', menus: [201] };
    expect((await client.error(roleCalls.addRole, role)).statusCode).toBe(403);
    expect((await client.error(auditCalls.queryAuditLogList, {})).statusCode).toBe(403);
    expect((await client.error(tenancyCalls.queryTenancyList, {})).statusCode).toBe(403);
    expect((await client.error(userCalls.getUserDetails, { userId: '1' })).statusCode).toBe(404);
    expect((await client.error(applicationCalls.getApplicationDetails, { applicationId: 'x' })).statusCode).toBe(404);

    // Forgot password, with the mailed code.
    await logOut(colleague, language);
    await colleague.getByRole('link', { name: words.account.forgot }).click();
    await colleague.getByLabel(words.account.address).fill('han@acme.example');
    await colleague.getByRole('button', { name: words.account.sendCode }).click();
    const code = await mailbox.readCode('han@acme.example');
    await colleague.getByLabel(words.common.codeDigit.replace('{{index}}', '1')).click();
    await colleague.keyboard.type(code);
    await colleague.getByRole('button', { name: words.account.next }).click();
    await colleague.getByLabel(words.common.newPassword, { exact: true }).fill(RECOVERED_PASSWORD);
    await colleague.getByLabel(words.common.confirmPassword, { exact: true }).fill(RECOVERED_PASSWORD);
    await colleague.getByRole('button', { name: words.account.resetPassword }).click();
    await expect(colleague.getByText(words.account.doneTitle)).toBeVisible();
    // The count-down leads back by itself.
    await expect(colleague).toHaveURL(/\/$/, { timeout: 15_000 });
    expect(
      (await createClient(hub.url).error(accountCalls.login, { username: 'hanmeimei', password: USER_PASSWORD })).code,
    ).toBe('LOGIN_FAILED');
    await logIn(colleague, hub.url, 'hanmeimei', RECOVERED_PASSWORD);
    await expect(menu.getByRole('link')).toHaveCount(2);

    await logOut(page, language);
    expect(await page.evaluate(() => localStorage.getItem('Authorization'))).toBeNull();
    await colleague.context().close();
  });
}
