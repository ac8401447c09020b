import { Menu, tenancyCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openConsole, recordRequests } from '../../../test/console.tsx';
import { createHomeFixture, HOME, type HomeFixture } from '../../../test/home.ts';
import { adminSession, createUserWithMenus, type LoginAnswer } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const figure = async (name: string): Promise<string[]> => {
  const heading = await screen.findByRole('heading', { name });
  const card = heading.closest('li') as HTMLElement;
  await waitFor(() => expect(card.getAttribute('aria-busy')).toBe('false'));
  return [...card.querySelectorAll('p')].map(({ textContent }) => textContent);
};
const card = async (name: string) => within(await screen.findByRole('region', { name }));
const hrefOf = (link: HTMLElement): string => decodeURIComponent(link.getAttribute('href') ?? '');

describe('home page', () => {
  let home: HomeFixture;
  let session: LoginAnswer;

  beforeAll(async () => {
    // Loading antd takes seconds, which must not count against the first test's timeout.
    await import('./home-page.tsx');
    home = await createHomeFixture();
    session = await home.createViewer(Menu.deviceList);
    const { device } = await home.createSdkDevice();
    await device.start();
    await device.report({ power: true });
    await home.registerDevice();
    const disconnected = await home.createSdkDevice();
    await disconnected.device.start();
    await disconnected.device.stop();
    await home.sendInvalidLogin('nobody-here');
  });
  beforeEach(() => saveSession(session));
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => home.stop());

  // Spec 1.19, 2.3
  it('shows four figures of the own tenant, each with its change today', async () => {
    openConsole(HOME);
    expect(await figure('Devices')).toEqual(['3', '+3 today']);
    expect(await figure('Devices ever connected')).toEqual(['2', '+2 today']);
    expect(await figure('Devices online')).toEqual(['1', '+1 today']);
    const [messages, change] = await figure('Messages sent by devices');
    expect(Number(messages)).toBeGreaterThan(0);
    expect(change).toBe(`+${messages} today`);
  });

  it("ignores another tenant's id in the URL", async () => {
    const otherUser = await createUserWithMenus([Menu.messageChart]);
    saveSession(otherUser.session);
    const sent = recordRequests();
    openConsole(`${HOME}?tenancyId=${home.tenancyId}`);
    expect(await figure('Devices')).toEqual(['0', 'No change today']);
    expect(sent.find(({ call }) => call === 'getSystemDeviceCurrentCount')?.input).not.toHaveProperty('tenancyId');
    expect(screen.queryByRole('combobox', { name: 'Tenant' })).toBeNull();
  });

  it('shows platform operators all tenants, or the selected one', async () => {
    await (await createHomeFixture()).registerDevice();
    saveSession(await adminSession());
    const { tenancyName } = await home.operator.ok(tenancyCalls.getTenancyDetails, { tenancyId: home.tenancyId });
    const user = userEvent.setup();
    const { router } = openConsole(HOME);
    const [all] = await figure('Devices');
    expect(Number(all)).toBeGreaterThan(3);
    await user.click(await screen.findByRole('combobox', { name: 'Tenant' }));
    await user.paste(tenancyName);
    await user.click(await screen.findByTitle(tenancyName));
    await waitFor(() => expect(router.state.location.searchStr).toBe(`?tenancyId=${home.tenancyId}`));
    await waitFor(async () => expect(await figure('Devices')).toEqual(['3', '+3 today']));
    const products = await card('Devices by product');
    expect(hrefOf(await products.findByRole('link', { name: home.product.productName }))).toContain(
      `productId=${home.product.productId}&tenancyId=${home.tenancyId}`,
    );
  });

  // Spec 9.42
  it('keeps the state of the chart in the URL, and shows its time zone', async () => {
    const user = userEvent.setup();
    const sent = recordRequests();
    const { router } = openConsole(HOME);
    const chart = await card('Messages per day');
    expect(await chart.findByRole('img', { name: /^Bar chart: Messages per day, \d{4}-.* in total/ })).toBeTruthy();
    expect(chart.getByText('Today is not over yet')).toBeTruthy();
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(chart.getByText(new RegExp(`^Time zone: ${timeZone}`))).toBeTruthy();
    expect(sent.find(({ call }) => call === 'getDayDeviceMessageCount')?.input).toMatchObject({ timezone: timeZone });
    await user.click(chart.getByText('Connections'));
    await user.click((await card('Connections per day')).getByText('12 months'));
    await waitFor(() => expect(router.state.location.searchStr).toBe('?scope=12&what=accesses'));
    await user.click((await card('Connections per month')).getByText('Table'));
    const table = within(await screen.findByRole('table', { name: 'Connections per month' }));
    expect(table.getAllByRole('rowheader')).toHaveLength(12);
    expect(table.getAllByRole('row')[1]?.textContent).toBe(`${new Date().toLocaleDateString('sv').slice(0, 7)}2`);
    expect(router.state.location.searchStr).toBe('?scope=12&what=accesses&view=table');
  });

  it('downloads the figures as a CSV file for spreadsheets', async () => {
    const user = userEvent.setup();
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:test';
    });
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    openConsole(`${HOME}?what=accesses`);
    await user.click(await (await card('Connections per day')).findByRole('button', { name: 'Download CSV' }));
    expect((saved.mock.instances[0] as HTMLAnchorElement).download).toMatch(/^accesses-\d{4}-\d\d-\d\d-.*\.csv$/);
    const bytes = new Uint8Array((await blobs[0]?.arrayBuffer()) ?? []);
    expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = new TextDecoder().decode(bytes).trim().split('\r\n');
    expect(lines[0]).toBe('Day,Connections');
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe(`${new Date().toLocaleDateString('sv')},2`);
  });

  it('lists what needs attention, with links', async () => {
    openConsole(HOME);
    const attention = await card('Needs attention');
    const offline = await attention.findByRole('link', { name: 'device went offline' });
    expect(offline.closest('li')?.textContent).toMatch(/^1device went offline.*still offline/);
    const [path, query] = hrefOf(offline).split('?');
    expect(path).toBe('/productConfig/deviceList');
    const params = new URLSearchParams(query);
    expect(params.get('online')).toBe('2');
    expect(new Date(params.get('presenceSince') ?? '').toLocaleTimeString('sv')).toBe('00:00:00');
    expect(hrefOf(attention.getByRole('link', { name: /^rejected connections?$/ }))).toBe('/productConfig/refusedList');
  });

  it('shows devices by product and by state', async () => {
    openConsole(HOME);
    const products = await card('Devices by product');
    const product = await products.findByRole('link', { name: home.product.productName });
    expect(product.closest('li')?.textContent).toContain('1 of 3 online');
    const bar = product.closest('li')?.querySelector<HTMLElement>('.dc-bar > i');
    expect(bar?.style.width).toMatch(/^33\.3\d*%$/);
    const states = await card('Devices by state');
    const texts = (await states.findAllByRole('listitem')).map(({ textContent }) => textContent);
    expect(texts).toEqual(['Online133%', 'Offline133%', 'Never connected133%', 'Blacklisted00%', 'Kicked offline00%']);
    expect(hrefOf(states.getByRole('link', { name: 'Online' }))).toBe('/productConfig/deviceList?online=1');
    expect(states.queryByRole('link', { name: 'Never connected' })).toBeNull();
  });

  it('shows the whole page without links to a role with only this page', async () => {
    saveSession(await home.createViewer());
    openConsole(HOME);
    const main = within(await screen.findByRole('main'));
    expect(await (await card('Needs attention')).findByText('device went offline')).toBeTruthy();
    expect(await (await card('Devices by product')).findByText(home.product.productName)).toBeTruthy();
    expect(await (await card('Devices by state')).findByText('Never connected')).toBeTruthy();
    expect(main.queryAllByRole('link')).toEqual([]);
    expect(main.queryByRole('button', { name: 'Quick start' })).toBeNull();
  });

  it('shows an error only in the card whose call failed, and retries it', async () => {
    const { fetch } = globalThis;
    let broken = true;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      broken && url.includes('getAttentionList')
        ? Promise.resolve(new Response('', { status: 502 }))
        : fetch(url, init),
    );
    const user = userEvent.setup();
    openConsole(HOME);
    const attention = await card('Needs attention');
    const alert = within(await attention.findByRole('alert'));
    expect(alert.getByText(/HTTP_502/)).toBeTruthy();
    expect(await figure('Devices')).toEqual(['3', '+3 today']);
    expect(await (await card('Messages per day')).findByRole('img', { name: /^Bar chart/ })).toBeTruthy();
    broken = false;
    await user.click(alert.getByRole('button', { name: 'Retry' }));
    expect(await attention.findByText('device went offline')).toBeTruthy();
  });

  it('keeps old figures when a later call fails, and shows their time', async () => {
    const { fetch } = globalThis;
    let broken = false;
    vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
      broken && url.includes('getMonthDevice') ? Promise.resolve(new Response('', { status: 502 })) : fetch(url, init),
    );
    const user = userEvent.setup();
    openConsole(`${HOME}?scope=12&view=table`);
    expect(await screen.findByRole('table', { name: 'Messages per month' })).toBeTruthy();
    broken = true;
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));
    const chart = await card('Messages per month');
    expect(await chart.findByText(/^Data as of \d\d:\d\d:\d\d/)).toBeTruthy();
    expect(chart.getByRole('table')).toBeTruthy();
    broken = false;
    await user.click(chart.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(chart.queryByText(/^Data as of/)).toBeNull());
  });
});
