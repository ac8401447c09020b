import { Menu } from '@device-center/contract';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import dayjs from 'dayjs';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole } from '../../test-console.tsx';

const role = {
  roleId: '7',
  roleName: 'Operators',
  tenancyId: '1',
  tenancyName: 'Platform',
  menus: [201],
  userCount: 2,
  builtin: 0,
  createTime: '2026-11-01T00:00:00.000Z',
  updateTime: '2026-11-01T00:00:00.000Z',
};
const roles = answer({ pageIndex: 1, pageSize: 10, total: 1, list: [role] });

describe('the role list', () => {
  beforeEach(() => logIn([2, Menu.roleList, Menu.userList]));

  it('asks for whole local days: start ≤ t < the day after the end', async () => {
    const received = fakeHub({ queryRoleList: roles });
    openConsole('/systemConfig/roleList?from=2026-11-03&to=2026-11-04&tenancyId=1');
    await screen.findByText('Operators');
    const asked = received.find(({ path }) => path.endsWith('/queryRoleList'))?.input;
    expect(asked?.get('startTime')).toBe(dayjs('2026-11-03T00:00').toISOString());
    expect(asked?.get('endTime')).toBe(dayjs('2026-11-05T00:00').toISOString());
    expect(asked?.get('tenancyId')).toBe('1');
    expect(asked?.has('from')).toBe(false);
  });

  it('explains why a role that users hold stays, and leads to them', async () => {
    const received = fakeHub({ queryRoleList: roles });
    const user = userEvent.setup();
    openConsole('/systemConfig/roleList');
    await user.click(await screen.findByRole('button', { name: 'More actions: Operators' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const users = await screen.findByRole('link', { name: 'Show these users' });
    expect(users.getAttribute('href')).toBe('/systemConfig/userList?roleId=7');
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(received.some(({ path }) => path.endsWith('/deleteRole'))).toBe(false);
  });

  it('opens a copy prefilled under another name', async () => {
    fakeHub({ queryRoleList: roles, getRoleDetails: answer(role), queryMenuListTree: answer([]) });
    const user = userEvent.setup();
    openConsole('/systemConfig/roleList');
    await user.click(await screen.findByRole('button', { name: 'More actions: Operators' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy role' }));
    expect(await screen.findByDisplayValue('Operatorscopy')).toBeTruthy();
  });

  it('lets nobody edit or delete the built-in role', async () => {
    fakeHub({
      queryRoleList: answer({ pageIndex: 1, pageSize: 10, total: 1, list: [{ ...role, builtin: 1 }] }),
    });
    const user = userEvent.setup();
    openConsole('/systemConfig/roleList');
    expect(await screen.findByRole('link', { name: 'View' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'More actions: Operators' }));
    expect(await screen.findByRole('menuitem', { name: 'Copy role' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  });
});
