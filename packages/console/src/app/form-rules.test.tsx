import { fieldTexts, fill as fillIn, Menu } from '@device-center/contract';
import { type Refused, type Rule, rules } from '@device-center/contract/test/rule-table.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillCode, openConsole, problemOf } from '../../test/console.tsx';
import { adminSession, createUserWithMenus, findCodeFor, type LoginAnswer } from '../../test/hub.ts';
import { saveSession } from '../api/session.ts';

/** Maps the label of a field to its entry in the table of rules. */
type FormFields = Record<string, `${string}.${string} ${string}`>;

const tenant: FormFields = {
  'Tenant name': 'tenancy.addTenancy tenancyName',
  Company: 'tenancy.addTenancy companyName',
  'Company address': 'tenancy.addTenancy companyAddress',
  Contact: 'tenancy.addTenancy contactName',
  Phone: 'tenancy.addTenancy phone',
  'E-mail': 'tenancy.addTenancy email',
};
const role: FormFields = { 'Role name': 'role.addRole roleName' };
const user: FormFields = {
  Account: 'user.addUser username',
  Name: 'user.addUser name',
  'E-mail': 'user.addUser email',
  Phone: 'user.addUser phone',
};
const application: FormFields = { 'Application name': 'application.addApplication applicationName' };
const category: FormFields = {
  'Category name': 'category.addCategory categoryName',
  Description: 'category.addCategory description',
};
const product: FormFields = {
  'Product name': 'product.addDeviceProduct productName',
  Description: 'product.addDeviceProduct description',
};
const zone: FormFields = {
  'Zone name': 'zone.addZone zoneName',
  Address: 'zone.addZone address',
  'Route key': 'zone.addZone routeKey',
  'Connection address': 'zone.testZoneNode hostName',
  Port: 'zone.testZoneNode port',
  Account: 'zone.testZoneNode username',
  Password: 'zone.testZoneNode password',
};
const password: FormFields = {
  'Current password': 'personal.firstLoginUpdatePassword oldPassword',
  'New password': 'personal.firstLoginUpdatePassword newPassword',
};
const newPhone: FormFields = { 'New phone': 'personal.bindPhone phone' };
const newEmail: FormFields = { 'New e-mail': 'personal.bindEmail email' };
const logIn: FormFields = { Account: 'account.login username', Password: 'account.login password' };
const recovery: FormFields = { 'E-mail or phone': 'personal.checkCode info' };

const ruleAt = (rulePath: string): Rule => {
  const found = rules.find(({ places }) => places.some(({ call, field }) => `${call} ${field}` === rulePath));
  if (!found) throw new Error(`the table has no rule for ${rulePath}`);
  return found;
};

/** A single-line input cannot contain a line break. */
const isTypable = (value: unknown): value is string => typeof value === 'string' && !/[\r\n]/.test(value);

const MOST_PER_SENTENCE = 4;

const lengthOf = ({ value }: Refused): number => String(value).length;

/** A few values of each message, the longest included: the contract's own tests cover all of them. */
const sampleRejected = ({ refused }: Rule): Refused[] =>
  Object.values(Object.groupBy(refused, ({ says }) => says)).flatMap((alike = []) =>
    alike
      .filter(({ value }) => isTypable(value))
      .sort((one, other) => lengthOf(other) - lengthOf(one))
      .slice(0, MOST_PER_SENTENCE),
  );

/** Pastes the value, so that an input that truncates it is detected. Typing key by key takes too long. */
const enter = async (user: UserEvent, field: HTMLElement, value: string): Promise<void> => {
  await user.clear(field);
  if (value !== '') await user.paste(value);
  fireEvent.blur(field);
};

/** Alternates accepted and rejected values, so that each one has to change the message at the field. */
const expectRule = async (user: UserEvent, field: HTMLElement, rule: Rule): Promise<void> => {
  const accepted = rule.accepted.filter(isTypable);
  await enter(user, field, accepted.at(-1) ?? '');
  for (const [index, { value, says, limit = {} }] of sampleRejected(rule).entries()) {
    const numbers = Object.entries(limit).map(([name, number]) => [name, String(number)]);
    const sentence = fillIn(fieldTexts[says].en_US, Object.fromEntries(numbers));
    await enter(user, field, String(value));
    await waitFor(() => expect(problemOf(field), `at ${JSON.stringify(value)}`).toBe(sentence));
    const good = accepted[index % accepted.length] ?? '';
    await enter(user, field, good);
    await waitFor(() => expect(problemOf(field), `at ${JSON.stringify(good)}`).toBe(''));
  }
};

const expectFormRules = async (form: FormFields): Promise<void> => {
  const user = userEvent.setup({ delay: null });
  for (const [label, rulePath] of Object.entries(form))
    await expectRule(user, await screen.findByLabelText(label), ruleAt(rulePath));
};

describe("forms enforce the contract's table of rules", () => {
  let currentUser: { session: LoginAnswer; email: string };
  beforeAll(async () => {
    currentUser = await createUserWithMenus([Menu.roleList, Menu.userList]);
  });

  // Spec 5.6, 5.8, 5.13-5.17, 5.19-5.24, 5.36, 5.37, 5.39-5.44, 5.47, 5.48, 5.50, 9.35, 9.36
  it.each([
    ['tenant', '/add/addTenant/0/0', tenant],
    ['role', '/add/addRole/0/0', role],
    ['user', '/add/addUser/0/0', user],
    ['application', '/add/addApply/0/0', application],
    ['category', '/add/addCategory', category],
    ['product', '/add/addProduct', product],
    ['zone', '/add/addAvaild', zone],
  ])('%s', async (_form, address, form) => {
    saveSession(await adminSession());
    openConsole(address);
    await expectFormRules(form);
  });

  // Spec 5.1, 5.2, 5.10, 9.37, 9.38
  it.each([
    ['password', '/person/updatePassword', password],
    ['phone', '/person/bindPhone', newPhone],
  ])('%s', async (_form, address, form) => {
    saveSession(currentUser.session);
    openConsole(address);
    await expectFormRules(form);
  });

  // Spec 1.21, 2.1, 5.5, 5.7, 9.39
  it.each([
    ['log-in', '/', logIn],
    ['recovery', '/validateAccount', recovery],
  ])('%s', async (_form, address, form) => {
    openConsole(address);
    await expectFormRules(form);
  });

  // Spec 8.35
  it("validates a role's menus in the tree", async () => {
    saveSession(currentUser.session);
    const user = userEvent.setup();
    openConsole('/add/addRole/0/0');
    await user.click(await screen.findByRole('button', { name: 'Select all' }));
    expect(screen.queryByText(fieldTexts.TOO_FEW.en_US)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Select none' }));
    expect(await screen.findByText(fieldTexts.TOO_FEW.en_US)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    await waitFor(() => expect(screen.queryByText(fieldTexts.TOO_FEW.en_US)).toBeNull());
  });

  // Spec 5.5
  it('validates a code by enabling the button, and the new e-mail address', async () => {
    saveSession(currentUser.session);
    const user = userEvent.setup();
    openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    const next = await screen.findByRole<HTMLButtonElement>('button', { name: 'Next' });
    const { accepted, refused } = ruleAt('personal.checkCode code');
    for (const { value } of refused.filter((one) => one.value !== '')) {
      await fillCode(user, String(value));
      expect(next.disabled, String(value)).toBe(true);
    }
    await fillCode(user, '1234567');
    expect(await screen.findByText(fieldTexts.CODE.en_US)).toBeTruthy();
    for (const value of [...accepted.map(String), await findCodeFor(currentUser.email)]) {
      await fillCode(user, value);
      expect(next.disabled, value).toBe(false);
    }
    await user.click(next);
    await expectFormRules(newEmail);
  });
});
