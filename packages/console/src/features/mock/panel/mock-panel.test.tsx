import {
  controlCalls,
  deviceCalls,
  Menu,
  mockCalls,
  type NodeTypeId,
  productCalls,
  recordCalls,
} from '@device-center/contract';
import { createMock } from '@device-center/virtual-device';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import {
  admin,
  type Client,
  createApplication,
  createUserWithMenus,
  type LoginAnswer,
  unique,
} from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';

/** Login, loading of a library and handshake, on a busy machine. */
const ONLINE = { timeout: 30_000 };

describe('control panel of a mock device', () => {
  let session: LoginAnswer;
  let tenancyId: string;
  let operator: Client;
  let applicationId: string;

  const createProduct = async (nodeType: NodeTypeId, categoryId = 'std-lighting') => {
    const fields = { protocolId: 1, classId: 1, tenancyId, applicationId, categoryId } as const;
    return (await operator.ok(productCalls.addDeviceProduct, { productName: unique('prod'), nodeType, ...fields }))
      .productId;
  };

  const newMock = async () => {
    const deviceName = unique('lamp');
    const productId = await createProduct(1);
    const { deviceId } = await operator.ok(mockCalls.createMockDevice, { deviceName, productId });
    return { deviceId, deviceName, page: `/detail/detailMock/${deviceId}` };
  };

  const isOnline = async (deviceId: string) =>
    (await operator.ok(deviceCalls.getDeviceDetails, { deviceId })).online === 1;

  const stepOf = (name: RegExp) => screen.getByRole('heading', { level: 2, name }).closest('li') as HTMLElement;
  const log = () => within(screen.getByRole('region', { name: 'Messages' }));
  const lineWith = (words: RegExp) => log().findByRole('button', { name: words }, ONLINE);

  beforeAll(async () => {
    operator = await admin();
    ({ session, tenancyId } = await createUserWithMenus([Menu.mockList]));
    ({ applicationId } = await createApplication(tenancyId));
  });
  beforeEach(() => {
    saveSession(session);
    // happy-dom has no layout, and a virtual list without height renders no line.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  });
  afterEach(() => vi.restoreAllMocks());

  // Spec 9.29
  it('does not connect by itself, and explains why steps are disabled', async () => {
    const { page, deviceId, deviceName } = await newMock();
    openConsole(page);
    expect(await screen.findByRole('heading', { level: 1, name: deviceName }, ONLINE)).toBeTruthy();
    for (const name of [/Log in/, /Connect/, /Subscribe/]) expect(stepOf(name).textContent).toContain('Not started');
    for (const name of ['Log in again', 'Reconnect']) {
      const button = screen.getByRole('button', { name });
      expect([button.hasAttribute('disabled'), button.title]).toEqual([true, 'Go online first']);
    }
    const facts = document.querySelector('.dc-session-facts')?.textContent;
    expect(facts).toMatch(/Next message number10000.*tenantId3.*version1\.0\.1.*signMethodmd5/);
    const { list } = await operator.ok(recordCalls.deviceConnectRecord, { deviceId });
    expect(list).toEqual([]);
  });

  // Spec 1.16, 2.44, 4.54-4.56
  it('goes online in three steps, stores it in the URL, logs messages, and goes offline', async () => {
    const { page, deviceId } = await newMock();
    const user = userEvent.setup();
    const { router } = openConsole(page);
    await user.click(await screen.findByRole('button', { name: 'Go online' }, ONLINE));
    expect(await screen.findByText('Online, run by this page', {}, ONLINE)).toBeTruthy();
    expect(router.state.location.searchStr).toBe('?start=1');
    for (const name of [/Log in/, /Connect/, /Subscribe/])
      expect(stepOf(name).textContent).toMatch(/Success\d\d:\d\d:\d\d/);
    await expect.poll(() => isOnline(deviceId), ONLINE).toBe(true);

    const sent = { deviceId, functionId: 'power', functionValue: 'true' };
    expect(await operator.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({ output: { power: true } });
    expect(await lineWith(/Down.*Properties.*power.*request/)).toBeTruthy();
    await user.click(await lineWith(/Up.*Properties.*power.*response.*200/));
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByRole('region', { name: 'Full envelope' }).textContent).toMatch(/"signature": "[0-9a-f]{32}"/);
    await user.click(drawer.getByRole('button', { name: 'Close' }));

    await user.click(screen.getByRole('button', { name: 'Go offline' }));
    await expect.poll(() => isOnline(deviceId), ONLINE).toBe(false);
    expect(await screen.findByText('Offline', {}, ONLINE)).toBeTruthy();
    expect(router.state.location.searchStr).toBe('');
    const { list } = await operator.ok(recordCalls.deviceConnectRecord, { deviceId });
    expect(list.map(({ reason }) => reason)).toEqual(['byDevice', '']);
  });

  it('goes online automatically with start=1, and offline when the page closes', async () => {
    const { page, deviceId } = await newMock();
    const { unmount } = openConsole(`${page}?start=1`);
    await expect.poll(() => isOnline(deviceId), ONLINE).toBe(true);
    unmount();
    await expect.poll(() => isOnline(deviceId), ONLINE).toBe(false);
  });

  // Spec 4.54, 8.27
  it('shows why a login was rejected, counts down to the next attempt, and retries on request', async () => {
    const { page, deviceId } = await newMock();
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 1 });
    openConsole(`${page}?start=1`);
    await waitFor(() => expect(stepOf(/Log in/).textContent).toContain('40301 BLACKLISTED'), ONLINE);
    expect(stepOf(/Log in/).textContent).toContain('The device is on the blacklist');
    expect(await screen.findByText(/Next attempt in 0:0\d:\d\d/)).toBeTruthy();
    const user = userEvent.setup();
    await operator.ok(controlCalls.markBlack, { idList: [deviceId], op: 0 });
    await user.click(screen.getByRole('button', { name: 'Retry now' }));
    expect(await screen.findByText('Online, run by this page', {}, ONLINE)).toBeTruthy();
  });

  // Spec 4.57, 4.58
  it('logs in again and reconnects on request', async () => {
    const { page, deviceId } = await newMock();
    const user = userEvent.setup();
    openConsole(`${page}?start=1`);
    await screen.findByText('Online, run by this page', {}, ONLINE);
    const sessionOf = () =>
      document.querySelector('.dc-session-facts')?.textContent?.match(/Session ID(\S+?)Token/)?.[1];
    const connections = async () => (await operator.ok(recordCalls.deviceConnectRecord, { deviceId, status: 1 })).total;
    await expect.poll(connections, ONLINE).toBe(1);
    const first = sessionOf();
    await user.click(screen.getByRole('button', { name: 'Refresh token' }));
    expect(await screen.findByText('Token refreshed', {}, ONLINE)).toBeTruthy();
    expect(sessionOf()).toBe(first);

    await user.click(screen.getByRole('button', { name: 'Reconnect' }));
    await expect.poll(connections, ONLINE).toBe(2);
    await screen.findByText('Online, run by this page', {}, ONLINE);
    expect(sessionOf()).toBe(first);

    await user.click(screen.getByRole('button', { name: 'Log in again' }));
    await expect.poll(connections, ONLINE).toBe(3);
    await screen.findByText('Online, run by this page', {}, ONLINE);
    expect(first).toBeTruthy();
    expect(sessionOf()).not.toBe(first);
  });

  it('goes offline when another client takes the device over, and takes it back on request', async () => {
    const { page, deviceId } = await newMock();
    const user = userEvent.setup();
    const { router } = openConsole(`${page}?start=1`);
    await screen.findByText('Online, run by this page', {}, ONLINE);
    const details = await operator.ok(mockCalls.getMockDeviceDetails, { deviceId });
    const other = createMock({ hubUrl: inject('hubUrl'), transport: 'ws', details });
    const lost = new Promise((resolve) => other.device.on('offline', resolve));
    // reconnect() does not retry; otherwise the two devices would replace each other forever.
    await other.device.reconnect();
    expect(await screen.findByText('This device came online elsewhere.', {}, ONLINE)).toBeTruthy();
    await waitFor(() => expect(router.state.location.searchStr).toBe(''));
    expect(other.device.online).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Take over again' }));
    expect(await screen.findByText('Online, run by this page', {}, ONLINE)).toBeTruthy();
    await lost;
    await other.stop();
  });

  it('removes all data when the device is deleted', async () => {
    const { page, deviceId, deviceName } = await newMock();
    openConsole(`${page}?start=1`);
    await screen.findByText('Online, run by this page', {}, ONLINE);
    await operator.ok(mockCalls.deleteMockDevice, { deviceId });
    expect((await screen.findByRole('alert', {}, ONLINE)).textContent).toContain('Device does not exist');
    expect(screen.queryByRole('heading', { level: 1, name: deviceName })).toBeNull();
  });

  it("does not find another tenant's device", async () => {
    const { page } = await newMock();
    const otherUser = await createUserWithMenus([Menu.mockList]);
    saveSession(otherUser.session);
    openConsole(page);
    expect((await screen.findByRole('alert')).textContent).toContain('Device does not exist');
  });
});
