import { Menu, personalCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { createHomeFixture, HOME } from '../../../test/home.ts';
import { client, createUserWithMenus } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { resetPreferences } from '../../ui/preferences.ts';

const GUIDED = [Menu.messageChart, Menu.productList, Menu.deviceList, Menu.mockList];

describe('home page of a tenant without devices', () => {
  beforeAll(async () => {
    await import('./home-page.tsx');
  });

  it('opens the guide instead of the chart, but not again once it is closed', async () => {
    resetPreferences();
    const { session } = await createUserWithMenus(GUIDED);
    saveSession(session);
    const user = userEvent.setup();
    const { router } = openConsole(HOME);
    const guide = await screen.findByRole('region', { name: 'Quick start' });
    expect(guide).toBeTruthy();
    expect(router.state.location.searchStr).toBe('?guide=1');
    expect(screen.queryByRole('region', { name: 'Messages per day' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'End guide' }));
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(router.state.location.searchStr).toBe('');
  });

  it('does not open the guide if it was closed before, or if the role cannot use it', async () => {
    resetPreferences();
    const before = await createUserWithMenus(GUIDED);
    await client(before.session.token).ok(personalCalls.savePreferences, { preferences: { guide: 'dismissed' } });
    saveSession(before.session);
    const { router, unmount } = openConsole(HOME);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.getAllByRole('button', { name: 'Quick start' })).toHaveLength(2);
    expect(router.state.location.searchStr).toBe('');
    unmount();

    saveSession((await createUserWithMenus([Menu.messageChart])).session);
    openConsole(HOME);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Quick start' })).toBeNull();
  });

  it('opens the guide by URL, above the chart if there are devices', async () => {
    const home = await createHomeFixture();
    await home.registerDevice();
    saveSession(await home.createViewer(Menu.productList, Menu.mockList));
    openConsole(`${HOME}?guide=1`);
    expect(await screen.findByRole('region', { name: 'Quick start' })).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('region', { name: 'Messages per day' })).toBeTruthy());
  });
});
