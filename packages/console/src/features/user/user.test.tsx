import { accountCalls, Menu, personalCalls, userCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt } from '../../../test/console.tsx';
import {
  admin,
  type Client,
  client,
  createRole,
  createTenant,
  createUser,
  createUserWithMenus,
  unique,
  uniqueEmail,
  uniquePhone,
} from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { maskEmail, maskPhone } from './mask.ts';

describe('masking', () => {
  it('leaves enough to distinguish values', () => {
    expect(maskPhone('13812345678')).toBe('138****5678');
    expect(maskEmail('bob@example.com')).toBe('b****@example.com');
    expect(maskEmail('')).toBe('');
  });
});

describe('users of a tenant', () => {
  type Person = Awaited<ReturnType<typeof createUser>>;
  type Role = Awaited<ReturnType<typeof createRole>>;
  let currentUser: Person;
  let otherUser: Person;
  let auditors: Role;
  let forbiddenRole: Role;
  let operator: Client;

  beforeAll(async () => {
    const { tenancyId } = await createTenant();
    currentUser = await createUserWithMenus([Menu.userList, Menu.auditLog], tenancyId);
    auditors = await createRole(tenancyId, [Menu.auditLog]);
    forbiddenRole = await createRole(tenancyId, [Menu.applyList]);
    const { roleId } = await createRole(tenancyId, [Menu.userList]);
    otherUser = await createUser({ tenancyId, roleId, phone: uniquePhone() });
    operator = await admin();
  });

  beforeEach(() => saveSession(currentUser.session));

  // Spec 2.6
  it('are listed with masked phone and e-mail', async () => {
    openConsole('/systemConfig/userList');
    expect(await screen.findByText(maskPhone(otherUser.phone))).toBeTruthy();
    expect(document.body.innerHTML).not.toContain(otherUser.phone);
    expect(document.body.innerHTML).not.toContain(otherUser.email);
  });

  it('cannot change their own row', async () => {
    openConsole('/systemConfig/userList');
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: `Select ${currentUser.name}` });
    expect(box.disabled).toBe(true);
    expect(screen.queryByLabelText(`Role of ${currentUser.name}`)).toBeNull();
    expect(screen.getByLabelText(`Role of ${otherUser.name}`)).toBeTruthy();
  });

  it('are not offered a role with menus that the caller lacks', async () => {
    const user = userEvent.setup();
    openConsole('/systemConfig/userList');
    await user.click(await screen.findByLabelText(`Role of ${otherUser.name}`));
    expect((await screen.findByTitle(forbiddenRole.roleName)).getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByTitle(auditors.roleName).getAttribute('aria-disabled')).not.toBe('true');
  });

  // Spec 6.5, 7.36
  it('get a new role after a confirmation, because it ends their sessions', async () => {
    const roleOfBob = async () => (await operator.ok(userCalls.getUserDetails, { userId: otherUser.userId })).roleId;
    const { error, ok } = client(otherUser.session.token);
    const before = await roleOfBob();
    const user = userEvent.setup();
    openConsole('/systemConfig/userList');
    await user.click(await screen.findByLabelText(`Role of ${otherUser.name}`));
    await user.click(await screen.findByTitle(auditors.roleName));
    expect(
      await screen.findAllByText(`Change the role of "${otherUser.name}" to "${auditors.roleName}"?`),
    ).toBeTruthy();
    expect(await roleOfBob()).toBe(before);
    expect(await ok(personalCalls.getPersonalMessage, {})).toMatchObject({ userId: otherUser.userId });
    await user.click(screen.getByRole('button', { name: 'Change role' }));
    await waitFor(async () => expect(await roleOfBob()).toBe(auditors.roleId));
    expect(await error(personalCalls.getPersonalMessage, {})).toMatchObject({ statusCode: 401 });
  });

  // Spec 1.4, 2.27
  it("are created by a form that shows the hub's errors at their fields", async () => {
    const user = userEvent.setup();
    openConsole('/add/addUser/0/0');
    await fill(user, 'Account', otherUser.username);
    await fill(user, 'Name', unique('P'));
    await fill(user, 'E-mail', uniqueEmail());
    await user.click(screen.getByLabelText('Role'));
    await user.click(await screen.findByTitle(auditors.roleName));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('dialog', { name: 'submit failed' })).toBeTruthy();
    await waitFor(() => expect(problemAt('Account')).toBe('This account already exists'));
  });

  /** The hub of these tests has no mail server. */
  const shownPassword = async (title: string): Promise<string> => {
    const dialog = await screen.findByRole('dialog', { name: title });
    expect(dialog.textContent).toContain('the password was not sent');
    expect(within(dialog).getByRole('button', { name: 'Copy password' })).toBeTruthy();
    const [, password] = within(dialog).getAllByText(/^\S+$/, { selector: 'code' });
    return password?.textContent ?? '';
  };
  const logIn = (username: string, password: string) => client().ok(accountCalls.login, { username, password });

  it('have a password that is shown once if it is not mailed, also after a reset', async () => {
    const user = userEvent.setup();
    const username = unique('user');
    const { router } = openConsole('/add/addUser/0/0');
    await fill(user, 'Account', username);
    await fill(user, 'Name', unique('P'));
    await fill(user, 'E-mail', uniqueEmail());
    await user.click(screen.getByLabelText('Role'));
    await user.click(await screen.findByTitle(auditors.roleName));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    const { userId, isFirst } = await logIn(username, await shownPassword('User created'));
    expect(isFirst).toBe(1);
    await user.click(screen.getByRole('button', { name: 'I have stored the password' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/systemConfig/userList'));

    await router.navigate({ to: `/add/addUser/${userId}/2` });
    await user.click(await screen.findByRole('button', { name: 'Reset password' }));
    const question = await screen.findByRole('dialog', { name: /^Reset the password of/ });
    await user.click(within(question).getByRole('button', { name: 'Reset password' }));
    await logIn(username, await shownPassword('Password reset'));
  });
});
