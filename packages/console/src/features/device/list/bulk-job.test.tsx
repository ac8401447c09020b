import { deviceCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { type Fleet, createFleet } from '../../../../test/fleet.ts';
import { saveSession } from '../../../api/session.ts';
import { dismissJob } from './bulk-job.ts';

describe('what is done to many devices', () => {
  let fleet: Fleet;
  const isBlack = async (deviceId: string) =>
    (await fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId })).blacklisted === 1;

  const choose = async (user: UserEvent, devices: readonly { deviceName: string }[]) => {
    for (const { deviceName } of devices)
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    return within(await screen.findByRole('toolbar', { name: `${devices.length} selected` }));
  };
  const questionOf = async (title: string) => {
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(title)).toBeTruthy();
    return dialog;
  };
  const someDevices = async () => {
    const { productId } = await fleet.createProduct();
    const devices = [];
    for (let left = 3; left > 0; left--) devices.push(await fleet.registerDevice({ productId }));
    return { productId, devices };
  };

  beforeAll(async () => {
    // antd takes seconds to load: not out of the first test's time.
    await import('./device-list-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => {
    saveSession(fleet.session);
    dismissJob();
  });

  it('finds the one that fails among them, names it with the reason, and tries it again', async () => {
    const { productId, devices } = await someDevices();
    const [gone, ...others] = devices;
    const user = userEvent.setup();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await fleet.operator.ok(deviceCalls.deleteDevices, { deviceIds: [gone?.deviceId ?? ''] });
    await user.click(bar.getByRole('button', { name: 'Blacklist' }));
    const question = await questionOf('Put 3 devices on the blacklist?');
    await user.click(question.getByRole('button', { name: 'Blacklist' }));

    expect(await screen.findByText('2 succeeded, 1 failed')).toBeTruthy();
    const failures = within(screen.getByRole('region', { name: 'Failed: 1' }));
    expect(failures.getByText(gone?.deviceName ?? '')).toBeTruthy();
    expect(failures.getByText('Device does not exist')).toBeTruthy();
    for (const { deviceId } of others) expect(await isBlack(deviceId)).toBe(true);
    expect(screen.queryByRole('toolbar')).toBeNull();

    await fleet.registerDevice({ productId, deviceId: gone?.deviceId ?? '' });
    await user.click(screen.getByRole('button', { name: 'Retry 1' }));
    expect(await screen.findByText('1 succeeded, 0 failed')).toBeTruthy();
    expect(await isBlack(gone?.deviceId ?? '')).toBe(true);
  });

  // Spec 4.18
  it('restarts each by itself, and lists those that are not online', async () => {
    const { productId, devices } = await someDevices();
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await user.click(bar.getByRole('button', { name: 'Restart' }));
    const question = await questionOf('Restart 3 devices?');
    expect(question.getByText(/^3 of them are offline/)).toBeTruthy();
    await user.click(question.getByRole('radio', { name: 'Restart and forget local settings' }));
    await user.click(question.getByRole('button', { name: 'Restart' }));
    expect(await screen.findByText('0 succeeded, 3 failed')).toBeTruthy();
    expect(screen.getAllByText('Device not online, not available')).toHaveLength(3);
    const asked = sent.filter(({ call }) => call === 'reboot').map(({ input }) => input);
    expect(asked.map(({ deviceId }) => deviceId).sort()).toEqual(devices.map(({ deviceId }) => deviceId).sort());
    expect(asked.every(({ type }) => type === '2')).toBe(true);
  });

  it('deletes only after the number was typed, and leaves nothing behind when it is closed', async () => {
    const { productId, devices } = await someDevices();
    const user = userEvent.setup();
    openConsole(`/productConfig/deviceList?productId=${productId}`);
    const bar = await choose(user, devices);
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    const question = await questionOf('Delete 3 devices?');
    await user.type(question.getByLabelText('Type "3" to confirm'), '3');
    await user.click(question.getByRole('button', { name: 'Delete' }));
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
