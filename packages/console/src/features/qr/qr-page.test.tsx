import { Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConsole, problemAt } from '../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../test/fleet.ts';
import { createUserWithMenus } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const CONTENT = 'QR content';

describe('QR code page', () => {
  let fleet: Fleet;
  const pageOf = (deviceId: string, search = '') => `/detail/qrCode/${deviceId}${search}`;
  const pictureOf = (deviceName: string) => screen.findByRole('img', { name: `QR code of ${deviceName}` });
  const contentRegion = () => within(screen.getByRole('region', { name: 'Content of the code' }));
  const type = async (user: UserEvent, label: string, text: string) => {
    const field = await screen.findByLabelText(label);
    await user.clear(field);
    if (text === '') return;
    await user.click(field);
    await user.paste(text);
  };

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count towards the first test's timeout.
    await import('./qr-page.tsx');
    fleet = await createFleet();
  });
  beforeEach(() => saveSession(fleet.session));

  // Spec 1.18, 2.49
  it('draws a code of the device id, and of typed content', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(pageOf(deviceId));
    const picture = await pictureOf(deviceName);
    expect(contentRegion().getByText(deviceId)).toBeTruthy();
    expect(contentRegion().getByText(`${deviceId.length} bytes; this error level allows 2,331`)).toBeTruthy();
    expect(within(picture).getByText(deviceId)).toBeTruthy();
    const before = picture.querySelector('path')?.getAttribute('d');

    await type(user, CONTENT, '编号=');
    await user.click(screen.getByRole('button', { name: 'Insert device name' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>(CONTENT).value).toBe('编号={deviceName}');
    expect(contentRegion().getByText(`编号=${deviceName}`)).toBeTruthy();
    expect((await pictureOf(deviceName)).querySelector('path')?.getAttribute('d')).not.toBe(before);

    await user.click(screen.getByRole('switch', { name: 'Caption' }));
    expect(within(await pictureOf(deviceName)).queryByText(deviceId)).toBeNull();
  });

  // Spec 5.61
  it('requires content that fits the error level', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(pageOf(deviceId));
    await pictureOf(deviceName);
    await type(user, CONTENT, '');
    expect(problemAt(CONTENT)).toBe('The input cannot be empty, please re-enter');
    expect(screen.queryByRole('button', { name: 'Save as PNG' })).toBeNull();

    await type(user, CONTENT, '灯'.repeat(778));
    expect(problemAt(CONTENT)).toBe(
      'Too long: this error level allows 2,331 bytes. Shorten the content or select a lower level.',
    );
    expect(screen.queryByRole('img', { name: /^QR code of/ })).toBeNull();

    await type(user, CONTENT, 'x'.repeat(500));
    expect(problemAt(CONTENT)).toBe('');
    const side = screen.getByLabelText('Side');
    await user.clear(side);
    await user.type(side, '128');
    await user.tab();
    expect(problemAt(CONTENT)).toMatch(/^Too small: this content requires at least \d+ px\./);

    // A device without a MAC.
    await type(user, CONTENT, '{mac}');
    expect(problemAt(CONTENT)).toBe('The content is empty with the values of this device.');
  });

  it('switches to another device and keeps the settings', async () => {
    const [one, other] = [await fleet.registerDevice(), await fleet.registerDevice()];
    const user = userEvent.setup();
    const { router } = openConsole(pageOf(one.deviceId));
    await pictureOf(one.deviceName);
    await type(user, CONTENT, 'x-{deviceId}');
    const field = screen.getByRole('combobox', { name: 'Device ID' });
    await user.click(field);
    await user.paste(other.deviceId);
    await user.click(await screen.findByText(other.deviceName));
    expect(await pictureOf(other.deviceName)).toBeTruthy();
    expect(router.state.location.pathname).toBe(pageOf(other.deviceId));
    expect(contentRegion().getByText(`x-${other.deviceId}`)).toBeTruthy();
  });

  // Spec 5.60
  it("does not find another tenant's device and draws no code", async () => {
    const foreignDevice = await (await createFleet()).registerDevice();
    openConsole(pageOf(foreignDevice.deviceId));
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }));
    expect(await preview.findByText('Device does not exist')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
    expect(screen.queryByText(foreignDevice.deviceName)).toBeNull();
  });

  it('opens with the menu for mock devices, and not without both menus', async () => {
    const { deviceId, deviceName } = await fleet.registerDevice();
    saveSession((await createUserWithMenus([Menu.mockList], fleet.tenancyId)).session);
    const { unmount } = openConsole(pageOf(deviceId));
    expect(await pictureOf(deviceName)).toBeTruthy();
    unmount();
    saveSession((await createUserWithMenus([Menu.blackDeviceList], fleet.tenancyId)).session);
    openConsole(pageOf(deviceId));
    expect(await screen.findByText(/^(\d+, )*501(, \d+)*$/)).toBeTruthy();
    expect(screen.queryByLabelText(CONTENT)).toBeNull();
  });

  it('lays out labels of many devices, lists unknown ids, and prints', async () => {
    const devices = [await fleet.registerDevice(), await fleet.registerDevice(), await fleet.registerDevice()];
    const foreignDevice = await (await createFleet()).registerDevice();
    const ids = devices.map(({ deviceId }) => deviceId);
    const print = vi.fn();
    window.print = print;
    const user = userEvent.setup();
    const { router } = openConsole(pageOf(ids[0] ?? '', `?ids=${ids.join()},${foreignDevice.deviceId},no~id`));
    expect(await screen.findByText('3 labels')).toBeTruthy();
    expect(screen.getByText('2 IDs not found')).toBeTruthy();
    expect(screen.getByText(`${foreignDevice.deviceId}, no~id`)).toBeTruthy();
    const printed = () => [...document.querySelectorAll('body > .dc-print-sheet > li')];
    expect(printed().map((label) => label.querySelector('svg')?.getAttribute('aria-label'))).toEqual(
      devices.map(({ deviceName }) => `QR code of ${deviceName}`),
    );
    await user.click(screen.getByRole('button', { name: 'Print labels' }));
    expect(print).toHaveBeenCalledOnce();

    await type(user, 'Device IDs, one per line', `${ids[2]}\n${ids[1]}\n${ids[2]}`);
    expect(await screen.findByText('2 labels')).toBeTruthy();
    expect(router.state.location.search).toMatchObject({ ids: `${ids[2]},${ids[1]}` });
    expect(printed()).toHaveLength(2);
  });

  it('rejects more than a hundred ids without requests', async () => {
    const { deviceId } = await fleet.registerDevice();
    const user = userEvent.setup();
    openConsole(pageOf(deviceId, '?view=sheet'));
    expect(await screen.findByText('1 label')).toBeTruthy();
    const many = Array.from({ length: 101 }, (_none, index) => `many-${index}`);
    await type(user, 'Device IDs, one per line', many.join('\n'));
    await waitFor(() => expect(problemAt('Device IDs, one per line')).toBe('At most 100 at a time; there are 101.'));
    expect(screen.getByText('0 labels')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Print labels' })).toHaveProperty('disabled', true);
  });
});
