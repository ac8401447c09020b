import { Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openConsole } from '../../test/console.tsx';
import { createUserWithMenus } from '../../test/hub.ts';
import { saveSession } from '../api/session.ts';

/** The first page of a run also loads all its dependencies. */
const patient = { timeout: 30_000 };

const openHelp = async (menus: number[], address: string) => {
  const { session } = await createUserWithMenus(menus);
  saveSession(session);
  const { router } = openConsole(address);
  await userEvent.click(await screen.findByRole('button', { name: 'Help' }, patient));
  return { router, help: await screen.findByRole('menu') };
};

describe('the help menu', () => {
  it('opens the getting-started guide from any page', async () => {
    const { router, help } = await openHelp(
      [Menu.messageChart, Menu.mockList, Menu.auditLog],
      '/systemConfig/auditLog',
    );
    await userEvent.click(within(help).getByText('Quick start'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/message/messageChart'));
    expect(router.state.location.href).toContain('guide=1');
    expect(await screen.findByRole('heading', { name: 'Quick start' }, patient)).toBeTruthy();
  }, 60_000);

  it('offers only the API description and the palette to a role without mock devices', async () => {
    const { help } = await openHelp([Menu.messageChart], '/home');
    expect(within(help).queryByText('Quick start')).toBeNull();
    const link = within(help).getByRole('link', { name: /^API documentation/ });
    expect(link.getAttribute('href')).toBe('/docs?language=en_US');
    expect(link.getAttribute('target')).toBe('_blank');
    await userEvent.click(within(help).getByText('Search or jump'));
    expect(await screen.findByRole('combobox', { name: 'Search or jump to' }, patient)).toBeTruthy();
  }, 60_000);
});
