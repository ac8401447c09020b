import { Menu, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, pickChoice, recordRequests } from '../../test/console.tsx';
import { client, createApplication, createUserWithMenus } from '../../test/hub.ts';
import { createReceivedFixture } from '../../test/received.ts';
import { saveSession } from '../api/session.ts';

const TAG = 'From another hub';
const REASON =
  'Received from another hub: it is changed where it comes from. Here only its application can be changed, or it can be deleted or taken over.';
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

describe('what was received from another hub', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createReceivedFixture([Menu.deviceList, Menu.productList, Menu.applyList, Menu.categoryList]);
  });
  beforeEach(() => saveSession(scene.session));

  it('is marked in the list of products, as a row and as a card', async () => {
    const user = userEvent.setup();
    openConsole('/productConfig/productList');
    await expectTag(user, await rowOf(scene.product.productName));
    await user.click(screen.getByText('Cards'));
    await waitFor(() => expect(screen.queryByRole('table')).toBeNull());
    expect(await screen.findByText(TAG)).toBeTruthy();
  });

  it('has a product page that says so, without what the hub would refuse', async () => {
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

  it('offers on the page of a product to delete it, and no new secret', async () => {
    const user = userEvent.setup();
    openConsole(`/detail/detailProduct/${scene.product.productId}`);
    const more = await screen.findByRole('button', { name: `More actions: ${scene.product.productName}` }, WAIT);
    expect(await openMenu(user, more)).toEqual({ 'Reset the secret': REASON, Delete: 'open' });
  });

  it('has an application that can be chosen, and nothing else', async () => {
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

  it('leaves nothing to edit of a product for whoever sees no applications', async () => {
    saveSession((await createUserWithMenus([Menu.productList], scene.tenancyId)).session);
    openConsole('/productConfig/productList');
    const row = await rowOf(scene.product.productName);
    expectLocked(within(row).getByRole('button', { name: 'Edit' }));
  });

  it('is marked in the list of devices, and what the hub would refuse is not offered', async () => {
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

  it('has a device page that says so, and whose zone and log level are not its reader’s', async () => {
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
    expect(screen.getByRole('heading', { name: 'It connects to another hub' })).toBeTruthy();
    expect(screen.queryByText(/Put product key, device id and secret/)).toBeNull();
    expect(screen.queryByText('Own secret')).toBeNull();
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

  it('is taken over after a confirmation, and can be changed then', async () => {
    const { product, device, session } = await createReceivedFixture([Menu.deviceList, Menu.productList]);
    saveSession(session);
    const user = userEvent.setup();
    const { router } = openConsole(`/detail/detailDevice/${device.deviceId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${device.deviceName}` }, WAIT));
    await user.click(await screen.findByRole('menuitem', { name: 'Take over' }));
    let dialog = within(await screen.findByRole('dialog', { name: `Take over "${device.deviceName}"?` }));
    await user.click(dialog.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(screen.queryByText(TAG)).toBeNull(), WAIT);
    expect(await screen.findByText(/Put product key, device id and secret/)).toBeTruthy();

    await router.navigate({ to: `/detail/detailProduct/${product.productId}` });
    await user.click(await screen.findByRole('button', { name: 'Take over' }, WAIT));
    dialog = within(await screen.findByRole('dialog', { name: `Take over "${product.productName}"?` }));
    await user.click(dialog.getByRole('button', { name: 'Take over' }));
    await waitFor(() => expect(screen.queryByText(TAG)).toBeNull(), WAIT);
    expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
    const more = screen.getByRole('button', { name: `More actions: ${product.productName}` });
    expect(await openMenu(user, more)).toEqual({ 'Reset the secret': 'open', Delete: 'open' });
  });
});
