import { bucketCalls, Menu, recordCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { client, createUserWithMenus, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

const REFUSED = '/productConfig/refusedList';

describe('rejected connections list', () => {
  let fleet: Fleet;
  /** Logs in with a wrong signature, and waits until the hub has stored the rejection. */
  const sendInvalidLogin = async (deviceId: string, productId = fleet.product.productId) => {
    await client().error(bucketCalls.loginDevice, {
      productId,
      deviceId,
      timestamp: Date.now(),
      nonce: unique('n'),
      signMethod: 'hmacsha256',
      signature: '0'.repeat(64),
    });
    const findRejections = () => fleet.operator.ok(recordCalls.queryRefusedLogins, { deviceId });
    await expect.poll(async () => (await findRejections()).total).toBeGreaterThan(0);
  };
  const rowOf = async (deviceId: string) => within((await screen.findByText(deviceId)).closest('tr') as HTMLElement);

  // Loading antd takes seconds, which must not count against the first test's timeout.
  beforeAll(() => import('./rejected-list-page.tsx'));
  beforeEach(async () => {
    fleet = await createFleet();
    saveSession(fleet.session);
  });

  it('shows a neutral empty state, and the next rejection without a reload', async () => {
    openConsole(REFUSED);
    expect(await screen.findByRole('heading', { name: 'No rejected connections' })).toBeTruthy();
    expect(await screen.findByText('Live')).toBeTruthy();
    const deviceId = unique('nobody');
    await sendInvalidLogin(deviceId);
    const row = await rowOf(deviceId);
    expect(row.getByText('SIGNATURE')).toBeTruthy();
    expect(screen.getByText('1 in total')).toBeTruthy();
  });

  it('groups rejections by device and cause, with count, remedy and link', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const unknownId = unique('nobody');
    await sendInvalidLogin(deviceId);
    await sendInvalidLogin(deviceId);
    await sendInvalidLogin(unknownId);
    await expect
      .poll(async () => (await fleet.operator.ok(recordCalls.queryRefusedLogins, { deviceId })).total)
      .toBe(2);
    openConsole(REFUSED);
    const row = await rowOf(deviceId);
    expect(row.getByText('2 times')).toBeTruthy();
    expect(row.getByText(/^Check productId, deviceId and the secret/)).toBeTruthy();
    expect(row.getByRole('link', { name: deviceName }).getAttribute('href')).toBe(`/detail/detailDevice/${deviceId}`);
    const stranger = await rowOf(unknownId);
    expect(stranger.getByText('No device has this ID')).toBeTruthy();
    expect(stranger.getByText('1 time')).toBeTruthy();
    const user = userEvent.setup();
    await user.click(screen.getByText('Individual attempts'));
    expect(await screen.findAllByText(deviceId)).toHaveLength(2);
  });

  it('shows reason, phase and remedy, and links to device and product', async () => {
    const { deviceId } = await fleet.registerDevice();
    await sendInvalidLogin(deviceId);
    openConsole(`${REFUSED}?view=each`);
    const row = await rowOf(deviceId);
    expect(row.getByText(/^Wrong signature, or unknown device or product/)).toBeTruthy();
    expect(row.getByText('SIGNATURE')).toBeTruthy();
    expect(row.getByText(/^Check productId, deviceId and the secret/)).toBeTruthy();
    expect(row.getByText('Log-in')).toBeTruthy();
    expect(row.getByText('127.0.0.1')).toBeTruthy();
    expect(row.getByRole('link', { name: deviceId }).getAttribute('href')).toBe(`/detail/detailDevice/${deviceId}`);
    const product = await row.findByRole('link', { name: fleet.product.productName });
    expect(product.getAttribute('href')).toBe(`/detail/detailProduct/${fleet.product.productId}`);
  });

  it('filters by id and product in the URL, and hides rejections of other tenants', async () => {
    const other = await fleet.createProduct();
    const [one, two] = [unique('one'), unique('two')];
    await sendInvalidLogin(one);
    await sendInvalidLogin(two, other.productId);
    const stranger = await createFleet();
    const foreignId = unique('foreign');
    await sendInvalidLogin(foreignId, stranger.product.productId);
    const user = userEvent.setup();
    const { router } = openConsole(REFUSED);
    expect(await screen.findByText(one)).toBeTruthy();
    expect(screen.getByText(two)).toBeTruthy();
    expect(screen.queryByText(foreignId)).toBeNull();

    await user.click(screen.getByPlaceholderText('Device ID'));
    await user.paste(two);
    await waitFor(() => expect(screen.queryByText(one)).toBeNull());
    expect(router.state.location.searchStr).toBe(`?deviceId=${two}`);
    await router.navigate({ to: REFUSED, search: { productId: fleet.product.productId, deviceId: two } });
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
  });

  it('opens from the device list, and only with its menu', async () => {
    const user = userEvent.setup();
    const { router, unmount } = openConsole('/productConfig/deviceList');
    await user.click(await screen.findByRole('link', { name: 'Rejected connections' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(REFUSED));
    unmount();
    saveSession((await createUserWithMenus([Menu.mockList], fleet.tenancyId)).session);
    openConsole(REFUSED);
    expect(await screen.findByText(/^(\d+, )*501(, \d+)*$/)).toBeTruthy();
    expect(screen.queryByPlaceholderText('Device ID')).toBeNull();
  });
});
