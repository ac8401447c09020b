import { controlCalls, deviceCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { type Fleet, createFleet } from '../../../../test/fleet.ts';
import { saveSession } from '../../../api/session.ts';

const LIST = '/productConfig/deviceList';

describe('the device list', () => {
  let fleet: Fleet;
  const detailsOf = (deviceId: string) => fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId });
  const chooseAction = async (user: UserEvent, deviceName: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
    return within(await screen.findByRole('dialog'));
  };

  beforeAll(async () => {
    // antd takes seconds to load: not out of the first test's time.
    await import('./device-list-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => saveSession(fleet.session));

  it('offers to register where there is no device, and says what emptied a list that has filters', async () => {
    const other = await createFleet();
    saveSession(other.session);
    const { unmount } = openConsole(LIST);
    expect(await screen.findByRole('heading', { name: 'No devices yet' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Read the documentation' }).getAttribute('href')).toContain('/docs');
    unmount();

    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?mac=nothing-like-this&online=1`);
    expect(await screen.findByRole('heading', { name: 'No match' })).toBeTruthy();
    expect(screen.queryByRole('heading', { name: 'No devices yet' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Remove the filter Status: Online' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?mac=nothing-like-this'));
  });

  // Spec 2.11, 4.14
  it('counts by status under the other filters, and keeps all of them in the address', async () => {
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
    expect(await screen.findByText('No match')).toBeTruthy();
  });

  // Spec 4.24
  it('leads from a gateway to what is behind it, and back', async () => {
    const gateways = await fleet.createProduct({ nodeType: 2 });
    const gateway = await fleet.registerDevice({ productId: gateways.productId });
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?parentId=${gateway.deviceId}`);
    const crumbs = within(await screen.findByRole('navigation', { name: 'Where you are' }));
    expect(await crumbs.findByRole('link', { name: gateway.deviceName })).toBeTruthy();
    await user.click(crumbs.getByRole('link', { name: 'All devices' }));
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
    expect(await screen.findByRole('link', { name: gateway.deviceName })).toBeTruthy();
  });

  // Spec 4.22
  it('kicks for days, and shows for how long', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    const dialog = await chooseAction(user, deviceName, 'Kick offline');
    // It is offline: there is no connection to cut, only log-ins to refuse.
    expect(dialog.getByRole<HTMLInputElement>('radio', { name: /Only cut/ }).disabled).toBe(true);
    const days = dialog.getByRole('spinbutton', { name: 'Days during which log-in is refused' });
    await user.clear(days);
    await user.type(days, '3');
    await user.click(dialog.getByRole('button', { name: 'Kick offline' }));
    expect(await screen.findByText(/^Refused for 2 d 23 h$/)).toBeTruthy();
    const until = Date.parse((await detailsOf(deviceId)).kickedUntil) - Date.now();
    expect(Math.round(until / 86_400_000)).toBe(3);
  });

  // Spec 4.23
  it('releases a kicked device', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    await fleet.operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    expect(await screen.findByText(/^Refused for 23 h/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Release' }));
    await waitFor(() => expect(screen.queryByText(/^Refused for/)).toBeNull());
    expect((await detailsOf(deviceId)).kickedUntil).toBe('');
  });

  it('says beside the status why a device is offline, and sorts by name, firmware and status since', async () => {
    const product = await fleet.createProduct();
    const { deviceId } = await fleet.registerDevice({ productId: product.productId });
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(`${LIST}?searchValue=${deviceId}`);
    expect(await screen.findByText('Never connected')).toBeTruthy();
    for (const [header, sortField, modes] of [
      ['Device name / id', '3', ['1', '2']],
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

  it('says why an offline device cannot be restarted', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    const entry = await screen.findByRole('menuitem', { name: 'Restart (Device not online, not available)' });
    expect(entry.getAttribute('aria-disabled')).toBe('true');
  });

  it('deletes only after the id was typed', async () => {
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

  it('leads to the QR codes of one device, and of the chosen ones', async () => {
    const { productId } = await fleet.createProduct();
    const [one, other] = [await fleet.registerDevice({ productId }), await fleet.registerDevice({ productId })];
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?productId=${productId}`);
    await user.click(await screen.findByRole('button', { name: `More actions: ${one.deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'QR code' }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/qrCode/${one.deviceId}`));

    await router.navigate({ to: LIST, search: { productId } as never });
    for (const { deviceName } of [one, other])
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    const bar = within(await screen.findByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'QR codes' }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/^\/detail\/qrCode\//));
    const { ids } = router.state.location.search as { ids?: string };
    expect(ids?.split(',').sort()).toEqual([one.deviceId, other.deviceId].sort());
  });

  it('shows whoever came or went since a time, as long as that is asked for', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    const sent = recordRequests();
    const since = '2026-01-01T00:00:00.000Z';
    // Nothing takes the file where there is no browser: the window would go to its address.
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const { router } = openConsole(`${LIST}?searchValue=${deviceId}&presenceSince=${since}`);
    // It never came.
    expect(await screen.findByRole('heading', { name: 'No match' })).toBeTruthy();
    for (const call of ['queryDeviceList', 'countDevices'])
      expect(sent.find((request) => request.call === call)?.input).toMatchObject({ presenceSince: since });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() =>
      expect(sent.find(({ call }) => call === 'exportDeviceList')?.input).toMatchObject({ presenceSince: since }),
    );
    await waitFor(() => expect(saved).toHaveBeenCalledOnce());
    saved.mockRestore();
    const [chip] = screen.getAllByRole('button', { name: /^Remove the filter Came or went since: 202/ });
    await user.click(chip as HTMLElement);
    expect(await screen.findByRole('link', { name: deviceName })).toBeTruthy();
    expect(router.state.location.searchStr).toBe(`?searchValue=${deviceId}`);
    expect(screen.queryByRole('button', { name: /Came or went since/ })).toBeNull();
  });

  it('takes a time that is none as if it were not there', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    openConsole(`${LIST}?searchValue=${deviceId}&presenceSince=yesterday`);
    expect(await screen.findByRole('link', { name: deviceName })).toBeTruthy();
  });

  // Spec 4.19
  it('blacklists one with a reason', async () => {
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
