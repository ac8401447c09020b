import { applicationCalls, controlCalls, deviceCalls, Menu, mockCalls, productCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { type Client, client, createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { resetPreferences, usePreferences } from '../../../ui/preferences.ts';

const ADDRESS = '/message/messageChart?guide=1';
const everything = [Menu.messageChart, Menu.productList, Menu.mockList, Menu.deviceList, Menu.applyList];
/** A device that comes online takes its time on a busy machine. */
const patient = { timeout: 30_000 };

const enter = async (menus: number[]) => {
  const { session } = await createUserWithMenus(menus);
  saveSession(session);
  return client(session.token);
};

const stepOf = (name: string): HTMLElement => {
  const steps = screen.getByRole('list', { name: 'Steps of the guide' });
  const row = within(steps)
    .getByRole('heading', { name: new RegExp(`^${name}`) })
    .closest('li');
  if (!row) throw new Error(`no step ${name}`);
  return row;
};

const untilStep = (name: string, state: string) =>
  waitFor(() => expect(within(stepOf(name)).getByRole('heading').textContent).toBe(`${name}: ${state}`), patient);

const choose = async (name: RegExp) => {
  const choices = await screen.findByRole('list', { name: 'Pick a template' }, patient);
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

describe('the first five minutes', () => {
  it('lead from nothing to an answered command, and leave nothing behind when they are to', async () => {
    const own = await enter(everything);
    openConsole(ADDRESS);
    await choose(/^Temperature sensor/);
    await untilStep('First command', 'your turn');
    expect(await namesOf(own)).toEqual({
      products: ['My-temperature-sensor'],
      mocks: ['My-temperature-sensor-1'],
      applications: ['My-application'],
    });
    const deviceId = (await own.ok(mockCalls.queryMockDeviceList, {})).list[0]?.deviceId ?? '';
    expect(await own.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ online: 1, mock: 1 });

    await userEvent.click(screen.getByRole('button', { name: /^Send a command: Report interval/ }));
    await untilStep('First command', 'done');
    expect(within(stepOf('First command')).getByText(/answered within [\d,]+ ms/)).toBeTruthy();
    const commands = await own.ok(controlCalls.getDeviceCommands, { deviceId });
    expect(commands.list).toMatchObject([
      { status: 'answered', code: 200, functionId: 'reportInterval', value: '{"properties":{"reportInterval":1}}' },
    ]);
    expect(usePreferences.getState().guide).toBe('done');

    await userEvent.click(screen.getByRole('button', { name: 'Keep it running in the hub' }));
    expect(await screen.findByText(/^The hub goes on with it/)).toBeTruthy();
    expect(await own.ok(mockCalls.getMockDeviceDetails, { deviceId })).toMatchObject({
      run: { runInHub: 1, mode: 1 },
    });

    await userEvent.click(screen.getByRole('button', { name: 'Remove everything that was made' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove everything that was made' }));
    expect(await screen.findByRole('list', { name: 'Pick a template' }, patient)).toBeTruthy();
    expect(await namesOf(own)).toEqual({ products: [], mocks: [], applications: [] });
  }, 90_000);

  it('make nothing twice: not by clicks, not by a reload, and a taken name gets a number', async () => {
    const own = await enter(everything);
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
    const choices = await screen.findByRole('list', { name: 'Pick a template' }, patient);
    const template = within(choices).getByRole('button', { name: /^Switch/ });
    template.click();
    template.click();
    await untilStep('Mock device', 'running');
    unmount();

    openConsole(ADDRESS);
    await untilStep('Mock device', 'done');
    await untilStep('First command', 'your turn');
    expect(await namesOf(own)).toEqual({
      products: ['My-switch', 'My-switch-2'],
      mocks: ['My-switch-2-1'],
      applications: ['Theirs'],
    });
  }, 90_000);

  it('end at any time, and the device leaves with the card', async () => {
    const own = await enter(everything);
    const { router } = openConsole(ADDRESS);
    await choose(/^Gateway with two children/);
    await untilStep('First value', 'done');
    expect(within(stepOf('Online')).getByText(/Children online 2 \/ 2/)).toBeTruthy();
    const deviceId = (await own.ok(mockCalls.queryMockDeviceList, {})).list[0]?.deviceId ?? '';
    const { children } = await own.ok(mockCalls.getMockDeviceDetails, { deviceId });
    expect(children.map(({ online }) => online)).toEqual([1, 1]);

    await userEvent.click(screen.getByRole('button', { name: 'End the guide' }));
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'First five minutes' })).toBeNull());
    expect(router.state.location.search).not.toHaveProperty('guide');
    await waitFor(async () => {
      expect(await own.ok(deviceCalls.getDeviceDetails, { deviceId })).toMatchObject({ online: 2 });
    }, patient);
    expect(usePreferences.getState().guide).toBe('dismissed');
  }, 90_000);

  it('say what failed, and go on from there', async () => {
    const own = await enter(everything);
    openConsole(ADDRESS);
    const sent = recordRequests();
    const { fetch } = globalThis;
    let closed = true;
    globalThis.fetch = ((url: string, init?: RequestInit) =>
      closed && url.endsWith('/create') ? Promise.reject(new TypeError('no network')) : fetch(url, init)) as never;
    await choose(/^Temperature sensor/);
    await untilStep('Mock device', 'failed');
    expect(within(stepOf('Mock device')).getByText(/NETWORK_ERROR/)).toBeTruthy();
    const byHand = within(stepOf('Mock device')).getByRole('link', { name: 'Do it by hand' });
    expect(byHand.getAttribute('href')).toMatch(/^\/add\/addMock\?productId=/);
    closed = false;
    await userEvent.click(within(stepOf('Mock device')).getByRole('button', { name: 'Retry' }));
    await untilStep('Mock device', 'done');
    expect(sent.filter(({ call }) => call === 'addDeviceProduct')).toHaveLength(1);
    expect((await namesOf(own)).mocks).toEqual(['My-temperature-sensor-1']);
  }, 60_000);

  it('name the menus that a role lacks, and go as far as it may', async () => {
    await enter([Menu.messageChart, Menu.mockList]);
    const { unmount } = openConsole(ADDRESS);
    expect(await screen.findByText('Products (502)', {}, patient)).toBeTruthy();
    expect(screen.getByText('Devices (501)')).toBeTruthy();
    expect(screen.queryByRole('list', { name: 'Pick a template' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Create a mock device of an existing product' })).toBeTruthy();
    unmount();

    await enter([Menu.messageChart, Menu.productList]);
    openConsole(ADDRESS);
    await choose(/^Switch/);
    await untilStep('Product', 'done');
    await untilStep('Mock device', 'not permitted');
    expect(within(stepOf('Mock device')).getByText(/Mock devices \(1101\)/)).toBeTruthy();
  }, 60_000);

  it('ask for an application where there is none and none may be made', async () => {
    const own = await enter([Menu.messageChart, Menu.productList, Menu.mockList]);
    openConsole(ADDRESS);
    await choose(/^Switch/);
    await untilStep('Product', 'not permitted');
    expect(within(stepOf('Product')).getByText(/Applications \(302\)/)).toBeTruthy();
    expect((await namesOf(own)).products).toEqual([]);
  }, 60_000);
});
