import { Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { endSession } from '../api/session.ts';
import { answer, fakeHub, logIn, openConsole, refuse } from '../test-console.tsx';

const emptyPage = answer({ pageIndex: 1, pageSize: 10, total: 0, list: [] });
const menus = answer([
  { menuId: 2, parentId: 0, name: 'System', path: '/systemConfig', icon: 'settings', order: 1, external: 0 },
  {
    menuId: 301,
    parentId: 2,
    name: 'Tenants',
    path: '/systemConfig/tenantList',
    icon: 'building',
    order: 2,
    external: 0,
  },
  { menuId: 201, parentId: 2, name: 'Roles', path: '/systemConfig/roleList', icon: 'shield', order: 3, external: 0 },
]);

describe('the shell', () => {
  it('leads a role to its first page, with only its own menus', async () => {
    logIn([2, Menu.tenantList]);
    fakeHub({ queryMenuList: menus, queryTenancyList: emptyPage });
    const { router } = openConsole('/home');
    const navigation = await screen.findByRole('navigation', { name: 'Main navigation' });
    expect(await within(navigation).findByText('Tenants')).toBeTruthy();
    expect(within(navigation).queryByText('Roles')).toBeNull();
    expect(router.state.location.pathname).toBe('/systemConfig/tenantList');
  });

  it('says so when the role has no pages, or not this one', async () => {
    logIn([]);
    fakeHub({ queryMenuList: menus });
    const { unmount } = openConsole('/home');
    expect(await screen.findByText('Your role has no pages')).toBeTruthy();
    unmount();
    openConsole('/systemConfig/tenantList');
    expect(await screen.findByText('You may not see this page')).toBeTruthy();
    expect(screen.getByText('301')).toBeTruthy();
  });

  it('shows one blocking dialog for any number of 401s, and forgets everything on exit', async () => {
    logIn([2, Menu.tenantList]);
    const expired = refuse(401, 'TOKEN_INVALID', 'Token expired, please log in again');
    fakeHub({ queryMenuList: expired, queryTenancyList: expired, getPreferences: expired });
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    openConsole('/systemConfig/tenantList');
    const dialogs = await screen.findAllByRole('dialog');
    expect(dialogs).toHaveLength(1);
    await userEvent.click(within(dialogs[0] as HTMLElement).getByRole('button', { name: 'Exit' }));
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(localStorage.length).toBe(0);
  });

  it('forces the initial password to be changed before anything else is asked of the hub', async () => {
    logIn([2, Menu.tenantList], 1);
    const received = fakeHub({
      firstLoginUpdatePassword: answer(null),
      queryTenancyList: emptyPage,
      queryMenuList: menus,
    });
    const user = userEvent.setup();
    openConsole('/home');
    await user.type(await screen.findByLabelText('Old password'), 'initial-1');
    expect(received).toEqual([]);
    await user.type(screen.getByLabelText('New password'), 'Better-pass1');
    await user.type(screen.getByLabelText('Confirm the new password'), 'Better-pass1');
    await user.click(screen.getByRole('button', { name: 'Change the password' }));
    await waitFor(() => expect(localStorage.getItem('isFirst')).toBe('0'));
    expect(await screen.findByText('No tenants yet')).toBeTruthy();
  });

  it('sends an unknown path to /404 and a signed-out visitor to the log-in', async () => {
    logIn([]);
    fakeHub({ queryMenuList: menus });
    const { router, unmount } = openConsole('/no/such');
    await waitFor(() => expect(router.state.location.pathname).toBe('/404'));
    unmount();
    endSession();
    const signedOut = openConsole('/systemConfig/tenantList?enabled=0');
    await waitFor(() => expect(signedOut.router.state.location.pathname).toBe('/'));
    expect(signedOut.router.state.location.search).toEqual({ redirect: '/systemConfig/tenantList?enabled=0' });
    expect(await screen.findByLabelText('Password')).toBeTruthy();
  });
});
