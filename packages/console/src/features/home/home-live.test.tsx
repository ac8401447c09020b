import { controlCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { createHomeFixture, HOME, type HomeFixture } from '../../../test/home.ts';
import type { LoginAnswer } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

/** Connecting a device and receiving its events takes long on a busy machine. */
const LIVE_TIMEOUT = { timeout: 30_000 };

describe('home page with live events', () => {
  let home: HomeFixture;
  let session: LoginAnswer;

  const numberOf = (name: string): string => {
    const figure = screen.getByRole('heading', { name }).closest('li');
    return figure?.querySelector('.dc-figure-number')?.textContent ?? '';
  };
  const feed = async () => within(await screen.findByRole('region', { name: 'Live events' }));
  const openLive = async () => {
    const view = openConsole(`${HOME}?view=table`);
    const list = await feed();
    await list.findByText('Live', {}, LIVE_TIMEOUT);
    return { ...view, list };
  };
  const rowOf = async (list: Awaited<ReturnType<typeof feed>>, who: string, what: RegExp): Promise<HTMLElement> => {
    let found: HTMLElement | undefined;
    await waitFor(() => {
      found = list
        .getAllByRole('listitem')
        .find(({ textContent }) => textContent?.includes(who) && what.test(textContent));
      expect(found).toBeDefined();
    }, LIVE_TIMEOUT);
    return found as HTMLElement;
  };

  beforeAll(async () => {
    await import('./home-page.tsx');
    home = await createHomeFixture();
    await home.registerDevice();
    session = await home.createViewer(Menu.deviceList);
  });
  beforeEach(() => saveSession(session));
  afterAll(() => home.stop());

  it('updates the figures and the last bar when a device connects and reports', async () => {
    const { list } = await openLive();
    const before = Number(numberOf('Messages sent by devices'));
    const online = Number(numberOf('Devices online'));
    const { device, deviceId, deviceName } = await home.createSdkDevice();
    await device.start();
    await waitFor(() => expect(numberOf('Devices online')).toBe(String(online + 1)), LIVE_TIMEOUT);
    await device.report({ power: true });
    await waitFor(() => expect(Number(numberOf('Messages sent by devices'))).toBeGreaterThan(before), LIVE_TIMEOUT);
    // All messages are from today, so today's row equals the figure.
    await waitFor(() => {
      const [, today] = within(screen.getByRole('table')).getAllByRole('row');
      expect(today?.querySelector('td')?.textContent).toBe(numberOf('Messages sent by devices'));
    }, LIVE_TIMEOUT);
    const row = await rowOf(list, deviceName, /Connected/);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/detail/detailDevice/${deviceId}`);
  });

  it('shows events, rejections and disconnects as texts, newest first', async () => {
    const { device, deviceId, deviceName } = await home.createSdkDevice();
    await device.start();
    const { list } = await openLive();
    await device.event('lampFault', { reason: 'heat' });
    await rowOf(list, deviceName, /Alarm · Lamp fault.*heat/);
    await home.sendInvalidLogin('nobody-here');
    const stranger = await rowOf(list, 'nobody-here', /Rejected.*Wrong signature/);
    // An unknown id has no device page.
    expect(within(stranger).queryByRole('link')).toBeNull();
    await home.operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    await rowOf(list, deviceName, /Disconnected.*kicked offline/);
    const texts = list.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
    const indexOf = (what: RegExp) => texts.findIndex((text) => what.test(text));
    expect(indexOf(/kicked offline/)).toBeLessThan(indexOf(/nobody-here/));
    expect(indexOf(/nobody-here/)).toBeLessThan(indexOf(/Lamp fault/));
  });

  it('starts with events from before the page was opened', async () => {
    const { device, deviceName } = await home.createSdkDevice();
    await device.start();
    await device.event('lampFault', { reason: 'open' });
    const { list } = await openLive();
    await rowOf(list, deviceName, /Alarm · Lamp fault.*open/);
    await rowOf(list, deviceName, /Connected/);
  });

  it('does not show an event that the model rejects', async () => {
    const { device, deviceName } = await home.createSdkDevice();
    await device.start();
    const { list } = await openLive();
    await device.event('noSuchEvent').catch(() => undefined);
    await rowOf(list, deviceName, /Rejected.*The function model has no such function/);
    expect(list.queryByText(/noSuchEvent/)).toBeNull();
  });

  it('updates the attention list and the device states', async () => {
    const other = await createHomeFixture();
    saveSession(await other.createViewer(Menu.deviceList));
    const { device } = await other.createSdkDevice();
    await device.start();
    await openLive();
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }));
    expect(await attention.findByText('Nothing needs attention today.')).toBeTruthy();
    await device.stop();
    expect(await attention.findByRole('link', { name: 'device went offline' }, LIVE_TIMEOUT)).toBeTruthy();
    const states = within(screen.getByRole('region', { name: 'Devices by state' }));
    await waitFor(() => expect(states.getAllByRole('listitem')[1]?.textContent).toBe('Offline1100%'), LIVE_TIMEOUT);
  });
});
