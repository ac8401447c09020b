import { controlCalls, deviceCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { saveSession } from '../../../api/session.ts';

const LIST = '/productConfig/deviceList';

describe('device list', () => {
  let fleet: Fleet;
  const detailsOf = (deviceId: string) => fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId });
  const chooseAction = async (user: UserEvent, deviceName: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
    return within(await screen.findByRole('dialog'));
  };

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count against the first test's timeout.
    await import('./device-list-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => saveSession(fleet.session));

  it('offers registration without devices, and shows the filters of an empty result', async () => {
    const other = await createFleet();
    saveSession(other.session);
    const { unmount } = openConsole(LIST);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Read documentation' }).getAttribute('href')).toContain('/docs');
    unmount();

    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?mac=nothing-like-this&online=1`);
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'No devices yet' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Remove filter Status: Online' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?mac=nothing-like-this'));
  });

  // Spec 2.11, 4.14
  it('counts devices by status under the other filters, and keeps all filters in the URL', async () => {
    const product = await fleet.createProduct();
    const own = await fleet.registerDevice({ productId: product.productId });
    const foreign = await fleet.registerDevice();
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(`${LIST}?productId=${product.productId}`);
    expect(await screen.findByRole('link', { name: own.deviceName })).toBeTruthy();
    expect(screen.queryByText(foreign.deviceName)).toBeNull();
    const status = within(screen.getByRole('radiogroup', { name: 'Status' }));
    await waitFor(() =>
      expect(status.getAllByText(/All|Online|Offline/).map((word) => word.textContent)).toEqual([
        'All1',
        'Online0',
        'Offline1',
      ]),
    );
    await user.click(status.getByText('Offline'));
    await waitFor(() => expect(router.state.location.searchStr).toBe(`?productId=${product.productId}&online=2`));
    await user.click(screen.getByText('More filters'));
    await user.click(screen.getByPlaceholderText('Device name'));
    await user.paste('other');
    await waitFor(() =>
      expect(sent.filter(({ call }) => call === 'queryDeviceList').at(-1)?.input).toMatchObject({
        productId: product.productId,
        online: '2',
        deviceName: 'other',
      }),
    );
    expect(router.state.location.searchStr).toContain('deviceName=other');
    expect(await screen.findByText('No matches')).toBeTruthy();
  });

  // Spec 4.24
  it('opens the child devices of a gateway, and leads back', async () => {
    const gateways = await fleet.createProduct({ nodeType: 2 });
    const gateway = await fleet.registerDevice({ productId: gateways.productId });
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?parentId=${gateway.deviceId}`);
    const crumbs = within(await screen.findByRole('navigation', { name: 'Location' }));
    expect(await crumbs.findByRole('link', { name: gateway.deviceName })).toBeTruthy();
    await user.click(crumbs.getByRole('link', { name: 'All devices' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
    expect(await screen.findByRole('link', { name: gateway.deviceName })).toBeTruthy();
  });

  // Spec 4.22
  it('kicks a device for days, and shows the remaining time', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    const dialog = await chooseAction(user, deviceName, 'Kick offline');
    // The device is offline: there is no connection to end, only logins to reject.
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Disconnect only/ }).disabled).toBe(true);
    const days = dialog.getByRole('spinbutton', { name: 'Login restriction in days' });
    await user.clear(days);
    await user.type(days, '3');
    await user.click(dialog.getByRole('button', { name: 'Kick offline' }));
    expect(await screen.findByText(/^Login restricted for 2 d 23 h$/)).toBeTruthy();
    const until = Date.parse((await detailsOf(deviceId)).kickedUntil) - Date.now();
    expect(Math.round(until / 86_400_000)).toBe(3);
  });

  // Spec 4.23
  it('releases a kicked device', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    await fleet.operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    expect(await screen.findByText(/^Login restricted for 23 h/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Release' }));
    await waitFor(() => expect(screen.queryByText(/^Login restricted for/)).toBeNull());
    expect((await detailsOf(deviceId)).kickedUntil).toBe('');
  });

  it('shows the offline reason next to the status, and sorts by name, firmware and time', async () => {
    const product = await fleet.createProduct();
    const { deviceId } = await fleet.registerDevice({ productId: product.productId });
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(`${LIST}?searchValue=${deviceId}`);
    expect(await screen.findByText('Never connected')).toBeTruthy();
    for (const [header, sortField, modes] of [
      ['Device name / ID', '3', ['1', '2']],
      ['Firmware', '5', ['2', '1']],
      ['Status since', '4', ['2', '1']],
    ] as const)
      for (const sortMode of modes) {
        await user.click(screen.getByText(header, { selector: 'th *' }));
        await waitFor(() => expect(router.state.location.search).toMatchObject({ sortField, sortMode }));
        const input = expect.objectContaining({ sortField, sortMode });
        await waitFor(() => expect(sent).toContainEqual({ call: 'queryDeviceList', input }));
      }
  });

  it('explains why an offline device cannot be restarted', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    const entry = await screen.findByRole('menuitem', { name: 'Restart (Device not online, not available)' });
    expect(entry.getAttribute('aria-disabled')).toBe('true');
  });

  it('deletes a device only after its id is typed', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    const dialog = await chooseAction(user, deviceName, 'Delete');
    const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.disabled).toBe(true);
    await user.type(dialog.getByLabelText(`Type "${deviceId}" to confirm`), deviceId);
    await user.click(button);
    await waitFor(() => expect(screen.queryByText(deviceName)).toBeNull());
    expect(await fleet.operator.error(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
      code: 'DEVICE_NOT_FOUND',
    });
  });

  it('opens the QR codes of one device, and of selected ones', async () => {
    const { productId } = await fleet.createProduct();
    const [one, other] = [await fleet.registerDevice({ productId }), await fleet.registerDevice({ productId })];
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?productId=${productId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${one.deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'QR code' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/qrCode/${one.deviceId}`));

    await router.navigate({ to: LIST, search: { productId } });
    for (const { deviceName } of [one, other])
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    const bar = within(await screen.findByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'QR codes' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/qrCode\//));
    const { ids } = router.state.location.search as { ids?: string };
    expect(ids?.split(',').sort()).toEqual([one.deviceId, other.deviceId].sort());
  });

  it('filters by presence changes since a time, until the filter is removed', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    const sent = recordRequests();
    const since = '2026-01-01T00:00:00.000Z';
    // Outside a browser nothing saves the file: the click would navigate to its address.
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { router } = openConsole(`${LIST}?searchValue=${deviceId}&presenceSince=${since}`);
    // The device has never connected.
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    for (const call of ['queryDeviceList', 'countDevices'])
      expect(sent.find((request) => request.call === call)?.input).toMatchObject({ presenceSince: since });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() =>
      expect(sent.find(({ call }) => call === 'exportDeviceList')?.input).toMatchObject({ presenceSince: since }),
    );
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    saved.mockRestore();
    const [chip] = screen.getAllByRole('button', { name: /^Remove filter Status changed after: 202/ });
    await user.click(chip as HTMLElement);
    expect(await screen.findByRole('link', { name: deviceName })).toBeTruthy();
    expect(router.state.location.searchStr).toBe(`?searchValue=${deviceId}`);
    expect(screen.queryByRole('button', { name: /Status changed after/ })).toBeNull();
  });

  it('ignores an invalid time in the URL', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    openConsole(`${LIST}?searchValue=${deviceId}&presenceSince=yesterday`);
    expect(await screen.findByRole('link', { name: deviceName })).toBeTruthy();
  });

  // Spec 4.19
  it('blacklists a device with a reason', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    const dialog = await chooseAction(user, deviceName, 'Blacklist');
    await user.type(dialog.getByLabelText('Reason'), 'lost');
    await user.click(dialog.getByRole('button', { name: 'Blacklist' }));
    expect(await screen.findByText('Blacklisted')).toBeTruthy();
    const { list } = await fleet.operator.ok(controlCalls.blackList, { deviceId });
    expect(list).toMatchObject([{ deviceId, blackReason: 'lost' }]);
  });
});
