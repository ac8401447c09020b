import { Menu } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole, refuse } from '../../test-console.tsx';
import { maskEmail, maskPhone } from './mask.ts';

const person = {
  userId: '5',
  username: 'bob.stone',
  name: 'Bob Stone',
  email: 'bob@example.com',
  phone: '13812345678',
  roleId: '7',
  roleName: 'Operators',
  tenancyId: '1',
  tenancyName: 'Platform',
  lastLoginTime: null,
  createTime: '2026-11-01T00:00:00.000Z',
  updateTime: '2026-11-01T00:00:00.000Z',
};
const own = { ...person, userId: '1', username: 'admin', name: 'Ann Lee', phone: '', email: '' };
const role = {
  roleId: '8',
  roleName: 'Auditors',
  tenancyId: '1',
  tenancyName: 'Platform',
  menus: [Menu.userList],
  userCount: 0,
  builtin: 0,
  createTime: '2026-11-01T00:00:00.000Z',
  updateTime: '2026-11-01T00:00:00.000Z',
};
const users = answer({ pageIndex: 1, pageSize: 10, total: 2, list: [person, own] });
const roles = answer({
  pageIndex: 1,
  pageSize: 20,
  total: 2,
  list: [role, { ...role, roleId: '9', roleName: 'Everything', menus: [Menu.outbox] }],
});

beforeEach(() => logIn([2, Menu.userList]));

describe('masking', () => {
  it('leaves enough to tell one from another', () => {
    expect(maskPhone('13812345678')).toBe('138****5678');
    expect(maskEmail('bob@example.com')).toBe('b****@example.com');
    expect(maskEmail('')).toBe('');
  });
});

describe('the user list', () => {
  it('shows no phone or e-mail whole', async () => {
    fakeHub({ queryUserList: users });
    openConsole('/systemConfig/userList');
    expect(await screen.findByText('138****5678')).toBeTruthy();
    expect(document.body.innerHTML).not.toContain('13812345678');
    expect(document.body.innerHTML).not.toContain('bob@example.com');
  });

  it('protects the own row', async () => {
    fakeHub({ queryUserList: users });
    openConsole('/systemConfig/userList');
    const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select Ann Lee' });
    expect(box.disabled).toBe(true);
    expect(screen.queryByLabelText('Role of Ann Lee')).toBeNull();
    expect(screen.getByLabelText('Role of Bob Stone')).toBeTruthy();
  });

  it("asks before a new role ends the user's sessions", async () => {
    const received = fakeHub({ queryUserList: users, queryRoleList: roles, setUserRole: answer(null) });
    const user = userEvent.setup();
    openConsole('/systemConfig/userList');
    await user.click(await screen.findByLabelText('Role of Bob Stone'));
    await user.click(await screen.findByTitle('Auditors'));
    expect(await screen.findAllByText('Give "Bob Stone" the role "Auditors"?')).toBeTruthy();
    expect(received.some(({ path }) => path.endsWith('/setUserRole'))).toBe(false);
    await user.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(received.some(({ path }) => path.endsWith('/setUserRole'))).toBe(true));
  });

  it('offers no role with menus that the caller lacks', async () => {
    fakeHub({ queryUserList: users, queryRoleList: roles });
    const user = userEvent.setup();
    openConsole('/systemConfig/userList');
    await user.click(await screen.findByLabelText('Role of Bob Stone'));
    const beyond = await screen.findByTitle('Everything');
    expect(beyond.getAttribute('aria-disabled')).toBe('true');
  });
});

describe('the user form', () => {
  it("puts the hub's refusals at their fields", async () => {
    fakeHub({
      queryUserList: users,
      queryRoleList: roles,
      addUser: refuse(409, 'USERNAME_TAKEN', 'This account exists already', [
        { field: 'username', message: 'This account exists already' },
      ]),
    });
    const user = userEvent.setup();
    openConsole('/add/addUser/0/0');
    await user.type(await screen.findByLabelText('Account'), 'bob.stone');
    await user.type(screen.getByLabelText('Name'), 'Bob Stone');
    await user.type(screen.getByLabelText('E-mail'), 'bob@example.com');
    await user.click(screen.getByLabelText('Role'));
    await user.click(await screen.findByTitle('Auditors'));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('dialog', { name: 'submit failed' })).toBeTruthy();
    await waitFor(() => expect(screen.getByLabelText('Account').getAttribute('aria-invalid')).toBe('true'));
  });
});
