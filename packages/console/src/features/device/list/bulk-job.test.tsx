import { deviceCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { saveSession } from '../../../api/session.ts';
import { dismissJob } from './bulk-job.ts';

describe('bulk job', () => {
  let fleet: Fleet;
  const isBlack = async (deviceId: string) =>
    (await fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId })).blacklisted === 1;

  const choose = async (user: UserEvent, devices: readonly { deviceName: string }[]) => {
    for (const { deviceName } of devices)
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    return within(await screen.findByRole('toolbar', { name: `${devices.length} selected` }));
  };
  const findDialog = async (title: string) => {
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(title)).toBeTruthy();
    return dialog;
  };
  const createDevices = async () => {
    const { productId } = await fleet.createProduct();
    const devices = [];
    for (let left = 3; left > 0; left--) devices.push(await fleet.registerDevice({ productId }));
    return { productId, devices };
  };

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count against the first test's timeout.
    await import('./device-list-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => {
    saveSession(fleet.session);
    dismissJob();
  });

  it('isolates the failing device, shows its error, and retries it', async () => {
    const { productId, devices } = await createDevices();
    const [deleted, ...others] = devices;
    const user = userEvent.setup();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await fleet.operator.ok(deviceCalls.deleteDevices, { deviceIds: [deleted?.deviceId ?? ''] });
    await user.click(bar.getByRole('button', { name: 'Blacklist' }));
    const confirmation = await findDialog('Add 3 devices to the blacklist?');
    await user.click(confirmation.getByRole('button', { name: 'Blacklist' }));

    expect(await screen.findByText('2 succeeded, 1 failed')).toBeTruthy();
    const failures = within(screen.getByRole('region', { name: '1 failed' }));
    expect(failures.getByText(deleted?.deviceName ?? '')).toBeTruthy();
    expect(failures.getByText('Device does not exist')).toBeTruthy();
    for (const { deviceId } of others) expect(await isBlack(deviceId)).toBe(true);
    expect(screen.queryByRole('toolbar')).toBeNull();

    await fleet.registerDevice({ productId, deviceId: deleted?.deviceId ?? '' });
    await user.click(screen.getByRole('button', { name: 'Retry 1' }));
    expect(await screen.findByText('1 succeeded, 0 failed')).toBeTruthy();
    expect(await isBlack(deleted?.deviceId ?? '')).toBe(true);
  });

  // Spec 4.18
  it('restarts each device separately, and lists the offline ones', async () => {
    const { productId, devices } = await createDevices();
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await user.click(bar.getByRole('button', { name: 'Restart' }));
    const confirmation = await findDialog('Restart 3 devices?');
    expect(confirmation.getByText(/^3 of them are offline/)).toBeTruthy();
    await user.click(confirmation.getByRole('radio', { name: 'Restart and clear local settings' }));
    await user.click(confirmation.getByRole('button', { name: 'Restart' }));
    expect(await screen.findByText('0 succeeded, 3 failed')).toBeTruthy();
    expect(screen.getAllByText('Device not online, not available')).toHaveLength(3);
    const inputs = sent.filter(({ call }) => call === 'reboot').map(({ input }) => input);
    expect(inputs.map(({ deviceId }) => deviceId).sort()).toEqual(devices.map(({ deviceId }) => deviceId).sort());
    expect(inputs.every(({ type }) => type === '2')).toBe(true);
  });

  it('deletes only after the number is typed, and disappears when it is closed', async () => {
    const { productId, devices } = await createDevices();
    const user = userEvent.setup();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    const confirmation = await findDialog('Delete 3 devices?');
    await user.type(confirmation.getByLabelText('Type "3" to confirm'), '3');
    await user.click(confirmation.getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('3 succeeded, 0 failed')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Retry/ })).toBeNull();
    await user.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    await waitFor(() => expect(screen.queryByText('3 succeeded, 0 failed')).toBeNull());
    for (const { deviceId } of devices)
      expect(await fleet.operator.error(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({
        code: 'DEVICE_NOT_FOUND',
      });
  });
});
