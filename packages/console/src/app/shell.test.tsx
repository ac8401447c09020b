import { Menu, personalCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import { fill, openConsole, recordRequests } from '../../test/console.tsx';
import {
  adminSession,
  client,
  createFirstLoginUser,
  createRole,
  createTenant,
  createUserWithMenus,
} from '../../test/hub.ts';
import { restartAtLogin } from '../api/feedback.ts';
import { endSession, saveSession } from '../api/session.ts';
import { pages } from './pages.ts';

describe('the shell', () => {
  // Spec 2.4, 2.58, 6.6
  it('opens the first page of a role and shows only its menus', async () => {
    const { session } = await createUserWithMenus([Menu.userList, Menu.auditLog]);
    saveSession(session);
    const { router } = openConsole('/home');
    const navigation = await screen.findByRole('navigation', { name: 'Main navigation' });
    expect(await within(navigation).findByText('Users')).toBeTruthy();
    expect(within(navigation).getByText('Audit log')).toBeTruthy();
    expect(within(navigation).queryByText('Roles')).toBeNull();
    expect(router.state.location.pathname).toBe('/systemConfig/userList');
  });

  // Spec 2.4
  it('opens the message chart first if the role may see it', async () => {
    const { session } = await createUserWithMenus([Menu.userList, Menu.messageChart]);
    saveSession(session);
    const { router } = openConsole('/home');
    await waitFor(() => expect(router.state.location.pathname).toBe('/message/messageChart'));
  });

  // Spec 2.55
  it('opens the sidebar at first, and then restores its state: 1 open, 0 closed', async () => {
    const user = userEvent.setup();
    saveSession((await createUserWithMenus([Menu.userList])).session);
    const { unmount } = openConsole('/systemConfig/userList');
    const open = await screen.findByRole('button', { name: 'Close sidebar' });
    expect(open.getAttribute('aria-expanded')).toBe('true');
    expect(localStorage.getItem('sidebarStatus')).toBeNull();
    await user.click(open);
    expect(localStorage.getItem('sidebarStatus')).toBe('0');
    unmount();
    openConsole('/systemConfig/userList');
    const closed = await screen.findByRole('button', { name: 'Open sidebar' });
    expect(closed.getAttribute('aria-expanded')).toBe('false');
    await user.click(closed);
    expect(localStorage.getItem('sidebarStatus')).toBe('1');
    expect(screen.getByRole('button', { name: 'Close sidebar' })).toBeTruthy();
  });

  it("shows the name of the platform's tenant in the selected language", async () => {
    // The name stored by a login in Chinese.
    saveSession({ ...(await adminSession()), tenancyName: '平台租户' });
    openConsole('/add/addApply/0/0');
    expect(await screen.findByText('Platform', { selector: '.dc-tenant' })).toBeTruthy();
    await waitFor(() => expect(localStorage.getItem('tenancyName')).toBe('Platform'));
    await waitFor(() => expect(screen.queryByText('平台租户')).toBeNull());
    expect(screen.getAllByText('Platform').length).toBeGreaterThan(1);
  });

  it('explains that the role has no pages, or not this one', async () => {
    const { session } = await createUserWithMenus([Menu.auditLog]);
    saveSession(session);
    // An older console that does not have the role's only page.
    const older = pages.filter(({ menus }) => !menus.includes(Menu.auditLog));
    const { unmount } = openConsole('/home', older);
    expect(await screen.findByText('Your role has no pages')).toBeTruthy();
    unmount();
    openConsole('/systemConfig/tenantList', older);
    expect(await screen.findByText('You do not have access to this page')).toBeTruthy();
    expect(screen.getByText('301')).toBeTruthy();
  });

  // Spec 8.4, 8.6, 8.7
  it('shows one blocking dialog for any number of 401s, and clears the storage on exit', async () => {
    saveSession({ ...(await adminSession()), token: 'not-a-token-of-this-hub' });
    const sent = recordRequests();
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    openConsole('/systemConfig/tenantList');
    const dialogs = await screen.findAllByRole('dialog');
    expect(dialogs).toHaveLength(1);
    expect(sent.length).toBeGreaterThan(1);
    const dialog = dialogs[0] as HTMLElement;
    const buttons = within(dialog).getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['Exit']);
    await userEvent.keyboard('{Escape}');
    await userEvent.click(document.querySelector('.ant-modal-wrap') as HTMLElement);
    expect(dialog.isConnected).toBe(true);
    expect(localStorage.getItem('Authorization')).toBe('not-a-token-of-this-hub');
    await userEvent.click(buttons[0] as HTMLElement);
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    expect(localStorage.length).toBe(0);
    reload.mockRestore();
  });

  it.each([
    [
      'the same user to the previous page',
      '/systemConfig/auditLog?pageSize=20',
      true,
      '/systemConfig/auditLog?pageSize=20',
    ],
    ['another user to the home page', '/systemConfig/auditLog?pageSize=20', false, '/systemConfig/auditLog'],
    ['no user to another site', '//example.com/systemConfig', true, '/systemConfig/auditLog'],
  ])('redirects %s after the session ended', async (_who, place, same, leadsTo) => {
    const [left, other] = [await createUserWithMenus([Menu.auditLog]), await createUserWithMenus([Menu.auditLog])];
    saveSession(left.session);
    history.replaceState(null, '', '/systemConfig/auditLog?pageSize=20');
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    restartAtLogin();
    await waitFor(() => expect(reload).toHaveBeenCalledOnce());
    reload.mockRestore();
    // Simulates a script that writes into the tab's session storage.
    const stored = sessionStorage.getItem('returnPlace') ?? '';
    sessionStorage.setItem('returnPlace', JSON.stringify({ ...JSON.parse(stored), path: place }));
    const { router } = openConsole('/');
    const { username, password } = same ? left : other;
    await fill(userEvent.setup(), 'Account', username);
    await fill(userEvent.setup(), 'Password', password);
    await userEvent.click(screen.getByRole('button', { name: 'Log in' }));
    await waitFor(() => expect(router.state.location.href).toBe(leadsTo));
    expect(sessionStorage.getItem('returnPlace')).toBeNull();
  });

  // Spec 2.46, 4.59
  it('requires changing the initial password before any other call', async () => {
    const { tenancyId } = await createTenant();
    const { roleId } = await createRole(tenancyId, [Menu.applyList]);
    const { password, session } = await createFirstLoginUser({ tenancyId, roleId });
    saveSession(session);
    const sent = recordRequests();
    const user = userEvent.setup();
    openConsole('/home');
    await fill(user, 'Current password', password);
    expect(sent).toEqual([]);
    await fill(user, 'New password', 'Better-pass1');
    await fill(user, 'Confirm new password', 'Better-pass1');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('No applications yet')).toBeTruthy();
    expect(localStorage.getItem('isFirst')).toBe('0');
    expect(await client(session.token).ok(personalCalls.getPersonalMessage, {})).toMatchObject({ isFirst: 0 });
  });

  // Spec 2.45
  it('redirects an unknown path to /404 and a logged-out visitor to the login', async () => {
    saveSession(await adminSession());
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
