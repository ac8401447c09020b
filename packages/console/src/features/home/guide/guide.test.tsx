import { applicationCalls, controlCalls, deviceCalls, Menu, mockCalls, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { type Client, client, createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { resetPreferences, usePreferences } from '../../../ui/preferences.ts';

const ADDRESS = '/message/messageChart?guide=1';
const ALL_MENUS = [Menu.messageChart, Menu.productList, Menu.mockList, Menu.deviceList, Menu.applyList];
/** Connecting a device takes long on a busy machine. */
const CONNECT_TIMEOUT = { timeout: 30_000 };

const logInWith = async (menus: number[]) => {
  const { session } = await createUserWithMenus(menus);
  saveSession(session);
  return client(session.token);
};

const stepOf = (name: string): HTMLElement => {
  const steps = screen.getByRole('list', { name: 'Guide steps' });
  const row = within(steps)
    .getByRole('heading', { name: new RegExp(`^${name}`) })
    .closest('li');
  if (!row) throw new Error(`no step ${name}`);
  return row;
};

const waitForStep = (name: string, state: string) =>
  waitFor(
    () => expect(within(stepOf(name)).getByRole('heading').textContent).toBe(`${name}: ${state}`),
    CONNECT_TIMEOUT,
  );

const choose = async (name: RegExp) => {
  const choices = await screen.findByRole('list', { name: 'Choose a template' }, CONNECT_TIMEOUT);
  await userEvent.click(within(choices).getByRole('button', { name }));
};

const namesOf = async (own: Client) => {
  const products = await own.ok(productCalls.queryDeviceProductList, { pageSize: 50 });
  const mocks = await own.ok(mockCalls.queryMockDeviceList, { pageSize: 50 });
  const applications = await own.ok(applicationCalls.queryApplicationList, { pageSize: 50 });
  return {
    products: products.list.map(({ productName }) => productName).sort(),
    mocks: mocks.list.map(({ deviceName }) => deviceName).sort(),
    applications: applications.list.map(({ applicationName }) => applicationName).sort(),
  };
};

beforeEach(() => {
  sessionStorage.clear();
  resetPreferences();
});

describe('guide', () => {
  it('leads to an answered command, and removes everything it has created on request', async () => {
    const own = await logInWith(ALL_MENUS);
    openConsole(ADDRESS);
    await choose(/^Temperature sensor/);
    await waitForStep('First command', 'action required');
    expect(await namesOf(own)).toEqual({
      products: ['My-temperature-sensor'],
      mocks: ['My-temperature-sensor-1'],
      applications: ['My-application'],
    });
    const deviceId = (await own.ok(mockCalls.queryMockDeviceList, {})).list[0]?.deviceId ?? '';
    expect(await own.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ online: 1, mock: 1 });

    await userEvent.click(screen.getByRole('button', { name: /^Send command: Report interval/ }));
    await waitForStep('First command', 'done');
    expect(within(stepOf('First command')).getByText(/responded within [\d,]+ ms/)).toBeTruthy();
    const commands = await own.ok(controlCalls.getDeviceCommands, { deviceId });
    expect(commands.list).toMatchObject([
      { status: 'answered', code: 200, functionId: 'reportInterval', value: '{"properties":{"reportInterval":1}}' },
    ]);
    expect(usePreferences.getState().guide).toBe('done');

    await userEvent.click(screen.getByRole('button', { name: 'Keep running on the platform' }));
    expect(await screen.findByText(/^The platform keeps running the device/)).toBeTruthy();
    expect(await own.ok(mockCalls.getMockDeviceDetails, { deviceId })).toMatchObject({
      run: { runInHub: 1, mode: 1 },
    });

    await userEvent.click(screen.getByRole('button', { name: 'Delete created items' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete created items' }));
    expect(await screen.findByRole('list', { name: 'Choose a template' }, CONNECT_TIMEOUT)).toBeTruthy();
    expect(await namesOf(own)).toEqual({ products: [], mocks: [], applications: [] });
  }, 90_000);

  it('creates nothing twice on clicks or a reload, and numbers a taken name', async () => {
    const own = await logInWith(ALL_MENUS);
    const { applicationId } = await own.ok(applicationCalls.addApplication, { applicationName: 'Theirs' });
    await own.ok(productCalls.addDeviceProduct, {
      productName: 'My-switch',
      categoryId: 'std-socket',
      nodeType: 1,
      protocolId: 1,
      classId: 1,
      applicationId,
    });
    const { unmount } = openConsole(ADDRESS);
    const choices = await screen.findByRole('list', { name: 'Choose a template' }, CONNECT_TIMEOUT);
    const template = within(choices).getByRole('button', { name: /^Switch/ });
    template.click();
    template.click();
    await waitForStep('Mock device', 'running');
    unmount();

    openConsole(ADDRESS);
    await waitForStep('Mock device', 'done');
    await waitForStep('First command', 'action required');
    expect(await namesOf(own)).toEqual({
      products: ['My-switch', 'My-switch-2'],
      mocks: ['My-switch-2-1'],
      applications: ['Theirs'],
    });
  }, 90_000);

  it('closes at any time, and disconnects the device with the card', async () => {
    const own = await logInWith(ALL_MENUS);
    const { router } = openConsole(ADDRESS);
    await choose(/^Gateway with two child devices/);
    await waitForStep('First value', 'done');
    expect(within(stepOf('Online')).getByText(/Child devices online: 2 \/ 2/)).toBeTruthy();
    const deviceId = (await own.ok(mockCalls.queryMockDeviceList, {})).list[0]?.deviceId ?? '';
    const { children } = await own.ok(mockCalls.getMockDeviceDetails, { deviceId });
    expect(children.map(({ online }) => online)).toEqual([1, 1]);

    await userEvent.click(screen.getByRole('button', { name: 'End guide' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Quick start' })).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('guide');
    await waitFor(async () => {
      expect(await own.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ online: 2 });
    }, CONNECT_TIMEOUT);
    expect(usePreferences.getState().guide).toBe('dismissed');
  }, 90_000);

  it('shows a failed step, and continues from there', async () => {
    const own = await logInWith(ALL_MENUS);
    openConsole(ADDRESS);
    const sent = recordRequests();
    const { fetch } = globalThis;
    let failing = true;
    globalThis.fetch = ((url: string, init?: RequestInit) =>
      failing && url.endsWith('/create')
        ? Promise.reject(new TypeError('no network'))
        : fetch(url, init)) as typeof fetch;
    await choose(/^Temperature sensor/);
    await waitForStep('Mock device', 'failed');
    expect(within(stepOf('Mock device')).getByText(/NETWORK_ERROR/)).toBeTruthy();
    const byHand = within(stepOf('Mock device')).getByRole('link', { name: 'Do it manually' });
    expect(byHand.getAttribute('href')).toMatch(/^\/add\/addMock\?productId=/);
    failing = false;
    await userEvent.click(within(stepOf('Mock device')).getByRole('button', { name: 'Retry' }));
    await waitForStep('Mock device', 'done');
    expect(sent.filter(({ call }) => call === 'addDeviceProduct')).toHaveLength(1);
    expect((await namesOf(own)).mocks).toEqual(['My-temperature-sensor-1']);
  }, 60_000);

  it('lists the menus that the role lacks, and runs the permitted steps', async () => {
    await logInWith([Menu.messageChart, Menu.mockList]);
    const { unmount } = openConsole(ADDRESS);
    expect(await screen.findByText('Products (502)', {}, CONNECT_TIMEOUT)).toBeTruthy();
    expect(screen.getByText('Devices (501)')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Choose a template' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Create a mock device from an existing product' })).toBeTruthy();
    unmount();

    await logInWith([Menu.messageChart, Menu.productList]);
    openConsole(ADDRESS);
    await choose(/^Switch/);
    await waitForStep('Product', 'done');
    await waitForStep('Mock device', 'not permitted');
    expect(within(stepOf('Mock device')).getByText(/Mock devices \(1101\)/)).toBeTruthy();
  }, 60_000);

  it('requires an application if there is none and the role cannot create one', async () => {
    const own = await logInWith([Menu.messageChart, Menu.productList, Menu.mockList]);
    openConsole(ADDRESS);
    await choose(/^Switch/);
    await waitForStep('Product', 'not permitted');
    expect(within(stepOf('Product')).getByText(/Applications \(302\)/)).toBeTruthy();
    expect((await namesOf(own)).products).toEqual([]);
  }, 60_000);
});
