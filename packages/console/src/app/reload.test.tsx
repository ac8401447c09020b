import { Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { openConsole } from '../../test/console.tsx';
import { createUserWithMenus } from '../../test/hub.ts';
import { saveSession } from '../api/session.ts';
import { rememberLanguage } from '../i18n/language.ts';

describe('page reload', () => {
  const user = userEvent.setup();
  let reload: MockInstance<() => void>;
  let delays: unknown[];
  beforeEach(() => {
    reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined);
    const { setTimeout } = globalThis;
    delays = [];
    // The reload timer is recognized by its effect: its delay is recorded when its callback reloads the page.
    vi.stubGlobal('setTimeout', (work: () => void, ms?: number) =>
      setTimeout(() => {
        const before = reload.mock.calls.length;
        work();
        if (reload.mock.calls.length > before) delays.push(ms);
      }, ms),
    );
  });
  afterEach(() => {
    reload.mockRestore();
    rememberLanguage('en_US');
  });

  const expectReload = () => waitFor(() => expect(delays).toEqual([200]));

  // Spec 1.22, 3.169, 9.3
  it('reloads 200 ms after another language is chosen', async () => {
    openConsole('/');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Language' }), 'zh_CN');
    expect(localStorage.getItem('language')).toBe('zh_CN');
    await expectReload();
  });

  // Spec 9.4
  it('reloads the root page 200 ms after a logout', async () => {
    const { session, username } = await createUserWithMenus([Menu.applyList]);
    saveSession(session);
    const { router } = openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('button', { name: new RegExp(username) }));
    await user.click(await screen.findByRole('menuitem', { name: 'Log out' }));
    const [dialog] = await screen.findAllByRole('dialog', { name: /confirm exit/ });
    await user.click(within(dialog as HTMLElement).getByRole('button', { name: 'Log out' }));
    await expectReload();
    expect(router.state.location.pathname).toBe('/');
    // The account name and the language stay for the next login.
    expect(Object.keys(localStorage).sort()).toEqual(['language', 'username']);
  });
});
