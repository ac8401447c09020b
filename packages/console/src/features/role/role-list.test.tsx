import { Menu, roleCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import dayjs from 'dayjs';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, recordRequests } from '../../../test/console.tsx';
import {
  admin,
  adminSession,
  type Client,
  createRole,
  createUser,
  createUserWithMenus,
  unique,
} from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

describe('role list', () => {
  let currentUser: Awaited<ReturnType<typeof createUserWithMenus>>;
  let usedRole: Awaited<ReturnType<typeof createRole>>;
  let operator: Client;

  beforeAll(async () => {
    currentUser = await createUserWithMenus([Menu.roleList, Menu.userList]);
    const { tenancyId } = currentUser;
    usedRole = await createRole(tenancyId, [Menu.roleList]);
    await createUser({ tenancyId, roleId: usedRole.roleId });
    operator = await admin();
  });
  beforeEach(() => saveSession(currentUser.session));

  it('filters by whole local days: start ≤ t < the day after the end', async () => {
    const today = dayjs().format('YYYY-MM-DD');
    const sent = recordRequests();
    openConsole(`/systemConfig/roleList?from=2026-11-03&to=${today}&tenancyId=${currentUser.tenancyId}`);
    await screen.findByText(usedRole.roleName);
    const input = sent.find(({ call }) => call === 'queryRoleList')?.input ?? {};
    expect(input).toMatchObject({
      startTime: dayjs('2026-11-03T00:00').toISOString(),
      endTime: dayjs(`${today}T00:00`).add(1, 'day').toISOString(),
      tenancyId: currentUser.tenancyId,
    });
    expect(input).not.toHaveProperty('from');
  });

  // Spec 2.5
  it('explains why a role with users cannot be deleted, with a link to them', async () => {
    const user = userEvent.setup();
    openConsole('/systemConfig/roleList');
    await user.click(await screen.findByRole('button', { name: `More actions: ${usedRole.roleName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const users = await screen.findByRole('link', { name: 'View users' });
    expect(users.getAttribute('href')).toBe(`/systemConfig/userList?roleId=${usedRole.roleId}`);
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    expect(await operator.ok(roleCalls.getRoleDetails, { roleId: usedRole.roleId })).toMatchObject({ userCount: 1 });
  });

  it('prefills a copy with another name', async () => {
    const user = userEvent.setup();
    openConsole('/systemConfig/roleList');
    await user.click(await screen.findByRole('button', { name: `More actions: ${usedRole.roleName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy role' }));
    expect(await screen.findByDisplayValue(`${usedRole.roleName}copy`)).toBeTruthy();
    expect(await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Roles' })).toHaveProperty('checked', true);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Users' }).checked).toBe(false);
  });

  it('continues from a new role to a new user with it, or to the list', async () => {
    const user = userEvent.setup();
    const createRoleInForm = async () => {
      const roleName = unique('r');
      const opened = openConsole('/add/addRole/0/0');
      await user.click(await screen.findByRole('checkbox', { name: 'Users' }));
      await fill(user, 'Role name', roleName);
      await user.click(screen.getByRole('button', { name: 'Submit' }));
      await screen.findByRole('button', { name: 'OK' });
      return { roleName, ...opened };
    };
    const given = await createRoleInForm();
    await user.click(await screen.findByRole('button', { name: 'Create user with this role' }));
    await waitFor(() => expect(given.router.state.location.pathname).toBe('/add/addUser/0/0'));
    expect(await screen.findByTitle(given.roleName)).toBeTruthy();
    given.unmount();

    const second = await createRoleInForm();
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(second.router.state.location.pathname).toBe('/systemConfig/roleList'));
  });

  it('does not offer a new user without permission', async () => {
    const { session } = await createUserWithMenus([Menu.roleList], currentUser.tenancyId);
    saveSession(session);
    const user = userEvent.setup();
    openConsole('/add/addRole/0/0');
    await user.click(await screen.findByRole('checkbox', { name: 'Roles' }));
    await fill(user, 'Role name', unique('r'));
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('button', { name: 'OK' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create user with this role' })).toBeNull();
  });

  it('does not allow editing or deleting the built-in role', async () => {
    saveSession(await adminSession());
    const { roleName, tenancyId } = await adminSession();
    const user = userEvent.setup();
    openConsole(`/systemConfig/roleList?tenancyId=${tenancyId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${roleName}` }));
    expect(await screen.findByRole('link', { name: 'View' })).toBeTruthy();
    expect(await screen.findByRole('menuitem', { name: 'Copy role' })).toBeTruthy();
    expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
  });
});
