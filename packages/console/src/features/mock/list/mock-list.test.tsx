import { deviceCalls, Menu, mockCalls } from '@device-center/contract';
import { createMock } from '@device-center/virtual-device';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { adminSession, client, createUserWithMenus, type LoginAnswer, unique } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { startTexts } from '../../../i18n/start.ts';

const LIST = '/deviceMock/mockList';

describe('the mock device list', () => {
  let fleet: Fleet;
  let session: LoginAnswer;
  let gateways: { productId: string; productName: string };
  let childProducts: { productId: string; productName: string };
  const running: ReturnType<typeof createMock>[] = [];

  const create = async (more: { productId?: string; children?: number } = {}) => {
    const deviceName = unique('mock');
    const created = await fleet.operator.ok(mockCalls.createMockDevice, {
      deviceName,
      productId: more.productId ?? fleet.product.productId,
      children: Array.from({ length: more.children ?? 0 }, (_, place) => ({
        deviceName: `child-${place}`,
        productId: childProducts.productId,
      })),
    });
    return { ...created, deviceName };
  };
  /** Starts a mock device, as its page would. */
  const run = async (deviceId: string) => {
    const details = await fleet.operator.ok(mockCalls.getMockDeviceDetails, { deviceId });
    const mock = createMock({ details, hubUrl: inject('hubUrl') });
    running.push(mock);
    await mock.device.start();
    return mock;
  };
  const cardOf = async (deviceName: string): Promise<HTMLElement> =>
    (await screen.findByText(deviceName)).closest('li') as HTMLElement;
  const chooseAction = async (user: UserEvent, deviceName: string, action: string) => {
    await user.click(await screen.findByRole('button', { name: `More actions: ${deviceName}` }));
    await user.click(await screen.findByRole('menuitem', { name: action }));
  };

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count towards the first test's timeout.
    await import('./mock-list-page.tsx');
    fleet = await createFleet();
    ({ session } = await createUserWithMenus([Menu.mockList], fleet.tenancyId));
    gateways = await fleet.createProduct({ nodeType: 2 });
    childProducts = await fleet.createProduct({ nodeType: 3 });
  });
  beforeEach(() => saveSession(session));
  afterAll(() => Promise.all(running.map((mock) => mock.stop())));

  it('explains the empty list and offers the guide to users with all permissions', async () => {
    const user = userEvent.setup();
    const limitedUser = await createUserWithMenus([Menu.mockList]);
    saveSession(limitedUser.session);
    const { router, unmount } = openConsole(LIST);
    expect(await screen.findByText('No mock devices yet')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Quick start' })).toBeNull();
    const [, create] = screen.getAllByRole('button', { name: 'Create mock device' });
    await user.click(create as HTMLElement);
    await waitFor(() => expect(router.state.location.pathname).toBe('/add/addMock'));
    unmount();

    const fullUser = await createUserWithMenus([Menu.mockList, Menu.productList, Menu.messageChart]);
    saveSession(fullUser.session);
    const second = openConsole(LIST);
    await user.click(await screen.findByRole('button', { name: 'Quick start' }));
    await waitFor(() => expect(second.router.state.location.href).toBe('/message/messageChart?guide=1'));
  });

  // Spec 2.18
  it('shows product, children and application of a mock device, with links', async () => {
    const { deviceId, deviceName } = await create({ productId: gateways.productId, children: 3 });
    const user = userEvent.setup();
    const { router } = openConsole(`${LIST}?searchValue=${deviceId}`);
    const card = within(await cardOf(deviceName));
    expect(card.getByText('Offline')).toBeTruthy();
    expect(card.getByText('Never online')).toBeTruthy();
    expect(card.getByText('Console page only')).toBeTruthy();
    expect(card.getByText(gateways.productName)).toBeTruthy();
    expect(card.getByRole('button', { name: `Copy ${gateways.productName} ${gateways.productId}` })).toBeTruthy();
    expect(card.getByText('Gateway')).toBeTruthy();
    expect(card.getByText('3/10')).toBeTruthy();
    expect(card.getByText(fleet.application.applicationName)).toBeTruthy();
    // Its children are not listed separately.
    expect(screen.queryByText('child-0')).toBeNull();
    expect(card.getByRole('link', { name: `Open console: ${deviceName}` }).getAttribute('href')).toBe(
      `/detail/detailMock/${deviceId}`,
    );
    await chooseAction(user, deviceName, 'QR code');
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/qrCode/${deviceId}`));
    router.history.back();
    await chooseAction(user, deviceName, 'View device');
    await waitFor(() => expect(router.state.location.pathname).toBe(`/detail/detailDevice/${deviceId}`));
  });

  it('keeps filters in the URL and lists them for an empty result', async () => {
    const single = await create();
    const gateway = await create({ productId: gateways.productId });
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(`${LIST}?nodeType=2`);
    expect(await screen.findByText(gateway.deviceName)).toBeTruthy();
    expect(screen.queryByText(single.deviceName)).toBeNull();
    await user.click(screen.getByPlaceholderText('Device name or ID'));
    await user.paste(gateway.deviceName);
    await waitFor(() => expect(router.state.location.search).toMatchObject({ searchValue: gateway.deviceName }));
    await user.click(within(screen.getByRole('radiogroup', { name: 'Status' })).getByText('Online'));
    expect(await screen.findByRole('heading', { name: 'No matches' })).toBeTruthy();
    expect(sent.filter(({ call }) => call === 'queryMockDeviceList').at(-1)?.input).toMatchObject({
      searchValue: gateway.deviceName,
      nodeType: '2',
      online: '1',
    });
    await user.click(screen.getByRole('button', { name: 'Remove filter Status: Online' }));
    expect(await screen.findByText(gateway.deviceName)).toBeTruthy();
  });

  it('pages, sorts by creation, and shows the same rows as a table', async () => {
    const own = await createFleet();
    saveSession((await createUserWithMenus([Menu.mockList], own.tenancyId)).session);
    const names = [unique('page'), unique('page'), unique('page')];
    for (const deviceName of names)
      await own.operator.ok(mockCalls.createMockDevice, { deviceName, productId: own.product.productId });
    const user = userEvent.setup();
    const { router, unmount } = openConsole(`${LIST}?pageSize=2`);
    const shown = () => screen.getAllByRole('link', { name: /^page\w+$/ }).map((link) => link.textContent);
    await screen.findByText(names[2] ?? '');
    expect(shown()).toEqual([names[2], names[1]]);
    await user.click(screen.getByText('2', { selector: '.ant-pagination-item a' }));
    await waitFor(() => expect(shown()).toEqual([names[0]]));
    await user.click(screen.getByText('Table'));
    expect(await screen.findByRole('columnheader', { name: 'Device name / ID' })).toBeTruthy();
    expect(router.state.location.searchStr).toContain('view=table');
    expect(shown()).toEqual([names[0]]);
    unmount();

    openConsole(`${LIST}?sortField=1&sortMode=1`);
    await screen.findByText(names[2] ?? '');
    expect(shown()).toEqual(names);
    expect(screen.getByText('Oldest first')).toBeTruthy();
  });

  it('updates the presence of a device without refetching the list', async () => {
    const { deviceId, deviceName } = await create();
    const sent = recordRequests();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    const card = within(await cardOf(deviceName));
    expect(card.getByText('Offline')).toBeTruthy();
    expect(await screen.findByText('Live')).toBeTruthy();
    const initialCount = sent.filter(({ call }) => call === 'queryMockDeviceList').length;
    const mock = await run(deviceId);
    expect(await card.findByText('Online')).toBeTruthy();
    await mock.stop();
    expect(await card.findByText('Offline')).toBeTruthy();
    expect(sent.filter(({ call }) => call === 'queryMockDeviceList')).toHaveLength(initialCount);
  });

  it('lists what is deleted with a gateway, and deletes it', async () => {
    const { deviceId, deviceName, children } = await create({ productId: gateways.productId, children: 2 });
    const user = userEvent.setup();
    openConsole(LIST);
    await cardOf(deviceName);
    await chooseAction(user, deviceName, 'Delete');
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('2 child devices and all their records')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(await cardOf(deviceName)).toBeTruthy();
    await chooseAction(user, deviceName, 'Delete');
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Delete succeeded')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText(deviceName)).toBeNull());
    for (const deletedId of [deviceId, ...children])
      expect(await fleet.operator.error(deviceCalls.getDeviceDetails, { deviceId: deletedId })).toMatchObject({
        code: 'DEVICE_NOT_FOUND',
      });
  });

  it('shows the number of deleted messages to users who may read them', async () => {
    const { deviceId, deviceName } = await create();
    const mock = await run(deviceId);
    await mock.stop();
    const { session: reader } = await createUserWithMenus([Menu.mockList, Menu.deviceList], fleet.tenancyId);
    saveSession(reader);
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    await chooseAction(user, deviceName, 'Delete');
    expect(await screen.findByText(/^[1-9]\d* message records and all values, logs and connections$/)).toBeTruthy();
  });

  it('reports that another user has already deleted the device', async () => {
    const { deviceId, deviceName } = await create();
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${deviceId}`);
    await chooseAction(user, deviceName, 'Delete');
    await fleet.operator.ok(mockCalls.deleteMockDevice, { deviceId });
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    expect((await dialog.findByRole('alert')).textContent).toBe('Device does not exist');
    await user.click(dialog.getByText('Close'));
    await waitFor(() => expect(screen.queryByText(deviceName)).toBeNull());
  });

  it('lists a child of a deleted gateway with only a delete action', async () => {
    const { deviceId, children } = await create({ productId: gateways.productId, children: 1 });
    const [orphanId = ''] = children;
    // The device list deletes a gateway without its children.
    await fleet.operator.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    const user = userEvent.setup();
    openConsole(`${LIST}?searchValue=${orphanId}`);
    const card = within(await cardOf('child-0'));
    expect(card.getByText('Gateway deleted')).toBeTruthy();
    expect(card.queryByRole('link')).toBeNull();
    await user.click(card.getByRole('button', { name: 'Delete: child-0' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByText('child-0')).toBeNull());
  });

  it('shows tenants and a tenant filter to a platform operator', async () => {
    const { deviceId } = await create();
    saveSession(await adminSession());
    const sent = recordRequests();
    openConsole(`${LIST}?tenancyId=${fleet.tenancyId}&searchValue=${deviceId}`);
    expect(await screen.findByRole('combobox', { name: 'Tenant' })).toBeTruthy();
    const { tenancyName } = await fleet.operator.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect((await screen.findAllByText(tenancyName)).length).toBeGreaterThan(0);
    expect(sent.find(({ call }) => call === 'queryMockDeviceList')?.input.tenancyId).toBe(fleet.tenancyId);
  });

  it('is forbidden for a role without the menu', async () => {
    const { session: otherSession } = await createUserWithMenus([Menu.deviceList]);
    saveSession(otherSession);
    const sent = recordRequests();
    openConsole(LIST);
    expect(await screen.findByText(/^(\d+, )*1101(, \d+)*$/)).toBeTruthy();
    expect(sent.filter(({ call }) => call === 'queryMockDeviceList')).toEqual([]);
    expect((await client(otherSession.token).error(mockCalls.queryMockDeviceList, {})).statusCode).toBe(403);
  });

  it('shows Chinese texts', async () => {
    const { deviceId, deviceName } = await create();
    localStorage.setItem('language', 'zh_CN');
    await startTexts();
    try {
      const user = userEvent.setup();
      openConsole(`${LIST}?searchValue=${deviceId}`);
      expect(within(await cardOf(deviceName)).getByText('离线')).toBeTruthy();
      await user.click(await screen.findByRole('button', { name: `更多操作: ${deviceName}` }));
      await user.click(await screen.findByRole('menuitem', { name: '删除' }));
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }));
      expect(await screen.findByText('删除成功')).toBeTruthy();
    } finally {
      localStorage.setItem('language', 'en_US');
      await startTexts();
    }
  });
});
