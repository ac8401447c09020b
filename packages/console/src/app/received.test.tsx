import { Menu, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, pickChoice, recordRequests } from '../../test/console.tsx';
import { client, createApplication, createUserWithMenus } from '../../test/hub.ts';
import { createReceivedFixture } from '../../test/received.ts';
import { saveSession } from '../api/session.ts';

const TAG = 'From another platform';
const REASON =
  'Synchronised from another platform and managed there. Here you can only change its application, take it over or delete it.';
const WAIT = { timeout: 30_000 };

type Scene = Awaited<ReturnType<typeof createReceivedFixture>>;

const rowOf = async (name: string): Promise<HTMLElement> => {
  const row = (await screen.findByText(name, {}, WAIT)).closest('tr');
  if (!row) throw new Error(`${name} is in no row`);
  return row;
};

/** Expects the tag, whose tooltip gives the reason. */
const expectTag = async (user: UserEvent, place: HTMLElement) => {
  await user.hover(within(place).getByText(TAG));
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toBe(REASON));
};

/** Opens the menu. Returns each entry with 'open', or the reason why it is disabled. */
const openMenu = async (user: UserEvent, button: HTMLElement) => {
  await user.click(button);
  const items = await screen.findAllByRole('menuitem');
  return Object.fromEntries(
    items.map((item) => {
      const disabled = item.getAttribute('aria-disabled') === 'true';
      return [item.textContent, disabled ? item.getAttribute('title') || 'disabled' : 'open'];
    }),
  );
};

const expectLocked = (button: HTMLElement) => {
  expect(button).toHaveProperty('disabled', true);
  expect(button.title).toBe(REASON);
};

describe('entities received from another platform', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createReceivedFixture([Menu.deviceList, Menu.productList, Menu.applyList, Menu.categoryList]);
  });
  beforeEach(() => saveSession(scene.session));

  it('tags a product in the list, as a row and as a card', async () => {
    const user = userEvent.setup();
    openConsole('/productConfig/productList');
    await expectTag(user, await rowOf(scene.product.productName));
    await user.click(screen.getByText('Cards'));
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    expect(await screen.findByText(TAG)).toBeTruthy();
  });

  it('tags the product page and disables the actions that the hub would reject', async () => {
    const user = userEvent.setup();
    openConsole(`/detail/detailProduct/${scene.product.productId}`);
    const heading = await screen.findByRole('heading', { level: 1, name: scene.product.productName });
    await expectTag(user, heading.closest('header') as HTMLElement);
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveProperty('disabled', false);

    await user.click(screen.getByRole('tab', { name: 'Function model' }));
    for (const name of ['Import', 'Add standard functions', 'Add function'])
      expectLocked(await screen.findByRole('button', { name }, WAIT));
    expect(await screen.findByRole('button', { name: 'View: Power' })).toBeTruthy();

    await user.click(screen.getByRole('tab', { name: 'Versions' }));
    const menu = await openMenu(
      user,
      (await within(await screen.findByRole('table')).findAllByRole('button', { name: /^More actions: / })).at(
        -1,
      ) as HTMLElement,
    );
    expect(Object.values(menu)).toEqual(['open', REASON]);
  });

  it('allows deleting a product, but not resetting its secret', async () => {
    const user = userEvent.setup();
    openConsole(`/detail/detailProduct/${scene.product.productId}`);
    const more = await screen.findByRole('button', { name: `More actions: ${scene.product.productName}` }, WAIT);
    expect(await openMenu(user, more)).toEqual({ 'Reset secret': REASON, Delete: 'open' });
  });

  it('allows changing only the application of a product', async () => {
    const { product, tenancyId } = scene;
    const other = await createApplication(tenancyId);
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`/add/addProduct?productId=${product.productId}`);
    expect(await screen.findByText(REASON)).toBeTruthy();
    expect(screen.queryByLabelText('Product name')).toBeNull();
    expect(screen.queryByRole('switch')).toBeNull();
    await pickChoice(user, 'Default application', other.applicationName);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent.some(({ call }) => call === 'updateDeviceProduct')).toBe(true), WAIT);
    const reader = client(scene.session.token);
    await waitFor(async () => {
      const { applicationId } = await reader.ok(productCalls.getDeviceProductDetails, product);
      expect(applicationId).toBe(other.applicationId);
    }, WAIT);
  });

  it('disables editing a product without permission for applications', async () => {
    saveSession((await createUserWithMenus([Menu.productList], scene.tenancyId)).session);
    openConsole('/productConfig/productList');
    const row = await rowOf(scene.product.productName);
    expectLocked(within(row).getByRole('button', { name: 'Edit' }));
  });

  it('tags a device in the list and disables the actions that the hub would reject', async () => {
    const user = userEvent.setup();
    openConsole('/productConfig/deviceList');
    const row = await rowOf(scene.device.deviceName);
    await expectTag(user, row);
    expect(await openMenu(user, within(row).getByRole('button', { name: /^More actions: / }))).toMatchObject({
      'Kick offline': REASON,
      Blacklist: REASON,
      Delete: 'open',
    });
    await user.keyboard('{Escape}');
    await user.click(within(row).getByRole('checkbox'));
    const bar = await screen.findByRole('toolbar', { name: /selected/ });
    expectLocked(within(bar).getByRole('button', { name: 'Blacklist' }));
  });

  it('tags the device page and locks zone and log level', async () => {
    const user = userEvent.setup();
    openConsole(`/detail/detailDevice/${scene.device.deviceId}`);
    const heading = await screen.findByRole('heading', { level: 1, name: scene.device.deviceName });
    const header = heading.closest('header') as HTMLElement;
    await expectTag(user, header);
    expectLocked(within(header).getByRole('button', { name: 'Edit' }));
    expect(await openMenu(user, within(header).getByRole('button', { name: /^More actions: / }))).toMatchObject({
      'Kick offline': REASON,
      Blacklist: REASON,
      'Reset secret': REASON,
      'Take over': 'open',
      Delete: 'open',
    });
    expect(screen.getByRole('heading', { name: 'This device connects to another platform' })).toBeTruthy();
    expect(screen.queryByText(/Write the product key, device ID and secret/)).toBeNull();
    expect(screen.queryByText('Device secret')).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('tab', { name: 'Configuration' }));
    await waitFor(
      () => expect(screen.getAllByText(REASON, { selector: '.dc-config-control *' })).toHaveLength(3),
      WAIT,
    );
    expect(screen.getByLabelText('Application')).toHaveProperty('disabled', false);
    for (const label of ['Availability zone', 'Log level'])
      expect(screen.getByLabelText(label)).toHaveProperty('disabled', true);
  });

  it('takes an entity over after a confirmation, so that it can be changed', async () => {
    const { product, device, session } = await createReceivedFixture([Menu.deviceList, Menu.productList]);
    saveSession(session);
    const user = userEvent.setup();
    const { router } = openConsole(`/detail/detailDevice/${device.deviceId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${device.deviceName}` }, WAIT));
    await user.click(await screen.findByRole('menuitem', { name: 'Take over' }));
    let dialog = within(await screen.findByRole('dialog', { name: `Take over "${device.deviceName}"?` }));
    await user.click(dialog.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(screen.queryByText(TAG)).toBeNull(), WAIT);
    expect(await screen.findByText(/Write the product key, device ID and secret/)).toBeTruthy();

    await router.navigate({ to: `/detail/detailProduct/${product.productId}` });
    await user.click(await screen.findByRole('button', { name: 'Take over' }, WAIT));
    dialog = within(await screen.findByRole('dialog', { name: `Take over "${product.productName}"?` }));
    await user.click(dialog.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(screen.queryByText(TAG)).toBeNull(), WAIT);
    expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
    const more = screen.getByRole('button', { name: `More actions: ${product.productName}` });
    expect(await openMenu(user, more)).toEqual({ 'Reset secret': 'open', Delete: 'open' });
  });
});
