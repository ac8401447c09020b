import { Menu, personalCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { HOME, createHomeFixture } from '../../../test/home.ts';
import { client, createUserWithMenus } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { resetPreferences } from '../../ui/preferences.ts';

const GUIDED = [Menu.messageChart, Menu.productList, Menu.deviceList, Menu.mockList];

describe('the home page of a tenant without devices', () => {
  beforeAll(async () => {
    await import('./home-page.tsx');
  });

  it('opens the first steps by itself in place of the chart, and no more once they are closed', async () => {
    resetPreferences();
    const { session } = await createUserWithMenus(GUIDED);
    saveSession(session);
    const user = userEvent.setup();
    const { router } = openConsole(HOME);
    const guide = await screen.findByRole('region', { name: 'First five minutes' });
    expect(guide).toBeTruthy();
    expect(router.state.location.searchStr).toBe('?guide=1');
    expect(screen.queryByRole('region', { name: 'Messages a day' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'End the guide' }));
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(router.state.location.searchStr).toBe('');
  });

  it('does not press it on those who have closed it before, nor on those who could not follow it', async () => {
    resetPreferences();
    const before = await createUserWithMenus(GUIDED);
    await client(before.session.token).ok(personalCalls.savePreferences, { preferences: { guide: 'dismissed' } });
    saveSession(before.session);
    const { router, unmount } = openConsole(HOME);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'First five minutes' })).toHaveLength(2);
    expect(router.state.location.searchStr).toBe('');
    unmount();

    saveSession((await createUserWithMenus([Menu.messageChart])).session);
    openConsole(HOME);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'First five minutes' })).toBeNull();
  });

  it('opens whenever the address asks for it, above the chart where there are devices', async () => {
    const home = await createHomeFixture();
    await home.registerDevice();
    saveSession(await home.watcher(Menu.productList, Menu.mockList));
    openConsole(`${HOME}?guide=1`);
    expect(await screen.findByRole('region', { name: 'First five minutes' })).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('region', { name: 'Messages a day' })).toBeTruthy());
  });
});
