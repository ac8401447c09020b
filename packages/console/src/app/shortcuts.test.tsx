import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../test/console.tsx';
import { createFleet, type Fleet } from '../../test/fleet.ts';
import { saveSession } from '../api/session.ts';

const PATIENCE = { timeout: 30_000 };
const DEVICES = '/productConfig/deviceList';
const PRODUCTS = '/productConfig/productList';

describe('keyboard shortcuts', () => {
  let fleet: Fleet;
  let names: string[];
  beforeAll(async () => {
    fleet = await createFleet();
    names = [(await fleet.registerDevice()).deviceName, (await fleet.registerDevice()).deviceName];
  });
  beforeEach(() => saveSession(fleet.session));

  const open = async (address: string, name: string) => {
    const view = openConsole(address);
    await screen.findByText(name, {}, PATIENCE);
    return { ...view, path: () => view.router.state.location.pathname };
  };
  const rowOf = (name = '') => screen.getByText(name).closest('tr');

  it('opens pages of the role with g and a letter, and no others', async () => {
    const user = userEvent.setup();
    const { path } = await open(DEVICES, names[0] ?? '');
    await user.keyboard('gp');
    await waitFor(() => expect(path()).toBe(PRODUCTS));
    await screen.findByText(fleet.product.productName, {}, PATIENCE);
    await user.keyboard('gt');
    await user.keyboard('gd');
    await waitFor(() => expect(path()).toBe(DEVICES));
  });

  it('moves through the rows of a list with j and k, and opens one with Enter', async () => {
    const user = userEvent.setup();
    const { path } = await open(DEVICES, names[0] ?? '');
    // The newest device is listed first.
    await user.keyboard('jj');
    expect(document.activeElement).toBe(rowOf(names[0]));
    await user.keyboard('k');
    expect(document.activeElement).toBe(rowOf(names[1]));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(path()).toMatch(/^\/detail\/detailDevice\//));
    expect(await screen.findByRole('heading', { level: 1, name: names[1] ?? '' }, PATIENCE)).toBeTruthy();
  });

  it('focuses the search field with /, where keys are text', async () => {
    const user = userEvent.setup();
    const { path } = await open(DEVICES, names[0] ?? '');
    await user.keyboard('/');
    const field = screen.getByRole('searchbox');
    expect(document.activeElement).toBe(field);
    await user.keyboard('gp?');
    expect(field).toHaveProperty('value', 'gp?');
    expect(path()).toBe(DEVICES);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('shows the help with ?, with only the pages of the role', async () => {
    const user = userEvent.setup();
    await open(DEVICES, names[0] ?? '');
    await user.keyboard('?');
    const help = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }, PATIENCE));
    expect(help.getByText('Products')).toBeTruthy();
    expect(help.queryByText('Tenants')).toBeNull();
    // Shortcuts are disabled while the dialog is open.
    await user.keyboard('j');
    expect(document.activeElement?.matches('tr')).toBe(false);
  });

  it('opens a palette with the permitted actions, which neither shows nor searches paths', async () => {
    const user = userEvent.setup();
    await open(DEVICES, names[0] ?? '');
    await user.keyboard('{Control>}k{/Control}');
    const field = await screen.findByRole('combobox', { name: 'Search or jump to' }, PATIENCE);
    const list = within(screen.getByRole('dialog'));
    expect(list.queryByText(/productConfig/)).toBeNull();
    await user.type(field, 'create prod');
    expect(list.getByRole('option', { name: 'Create product' })).toBeTruthy();
    await user.clear(field);
    await user.type(field, 'create tenant');
    expect(list.queryByRole('option', { name: 'Create tenant' })).toBeNull();
    await user.clear(field);
    await user.type(field, 'productConfig');
    expect(list.queryByRole('option', { name: 'Products' })).toBeNull();
  });
});
