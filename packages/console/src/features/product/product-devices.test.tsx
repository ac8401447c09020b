import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../test/fleet.ts';
import { saveSession } from '../../api/session.ts';

describe('devices of a product', () => {
  let fleet: Fleet;
  let productId: string;
  let devices: { deviceId: string; deviceName: string }[];

  beforeAll(async () => {
    fleet = await createFleet();
    ({ productId } = await fleet.createProduct());
    devices = [await fleet.registerDevice({ productId }), await fleet.registerDevice({ productId })];
    await fleet.registerDevice();
    saveSession(fleet.session);
  });

  it('are summarized on the first tab with a link', async () => {
    saveSession(fleet.session);
    openConsole(`/detail/detailProduct/${productId}`);
    const online = within(await screen.findByRole('region', { name: 'Online' }));
    expect(await online.findByText('0%')).toBeTruthy();
    const link = online.getByRole('link', { name: '0 of 2 devices online' });
    expect(link.getAttribute('href')).toContain('tab=devices');
    expect(within(screen.getByRole('region', { name: 'Firmware versions' })).getByText('Not reported')).toBeTruthy();
    const trend = within(screen.getByRole('region', { name: 'Devices' }));
    expect(trend.getByText('+2 in 30 days')).toBeTruthy();
    expect(trend.getByRole('img', { name: /^Number of devices from \d{4}-.*: 0 to 2$/ })).toBeTruthy();
  });

  it('are filtered by the URL as in the device list; clearing filters keeps the tab', async () => {
    saveSession(fleet.session);
    const [one, other] = devices;
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(`/detail/detailProduct/${productId}?tab=devices&searchValue=${one?.deviceId}`);
    expect(await screen.findByRole('link', { name: one?.deviceName ?? '' })).toBeTruthy();
    expect(screen.queryByText(other?.deviceName ?? '')).toBeNull();
    expect(sent.find(({ call }) => call === 'queryDeviceList')?.input).toMatchObject({
      productId,
      searchValue: one?.deviceId,
    });
    expect(screen.queryByLabelText('Product')).toBeNull();
    await user.click(within(await screen.findByRole('radiogroup', { name: 'Status' })).getByText('Online'));
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    const [clear] = screen.getAllByRole('button', { name: 'Clear filters' });
    await user.click(clear as HTMLElement);
    expect(await screen.findByRole('link', { name: other?.deviceName ?? '' })).toBeTruthy();
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab: 'devices' }));
    expect(router.state.location.search).not.toHaveProperty('searchValue');
  });
});
