import { controlCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { HOME, type HomeFixture, createHomeFixture } from '../../../test/home.ts';
import type { LoginAnswer } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

/** A busy machine takes its time to connect a device and to tell of it. */
const PATIENCE = { timeout: 30_000 };

describe('the home page while things happen', () => {
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
    await list.findByText('Live', {}, PATIENCE);
    return { ...view, list };
  };
  const rowOf = async (list: Awaited<ReturnType<typeof feed>>, who: string, what: RegExp): Promise<HTMLElement> => {
    let found: HTMLElement | undefined;
    await waitFor(() => {
      found = list
        .getAllByRole('listitem')
        .find(({ textContent }) => textContent?.includes(who) && what.test(textContent));
      expect(found).toBeDefined();
    }, PATIENCE);
    return found as HTMLElement;
  };

  beforeAll(async () => {
    await import('./home-page.tsx');
    home = await createHomeFixture();
    await home.registerDevice();
    session = await home.watcher(Menu.deviceList);
  });
  beforeEach(() => saveSession(session));
  afterAll(() => home.stop());

  it('moves the figures and the last bar when a device connects and reports, without a reload', async () => {
    const { list } = await openLive();
    const before = Number(numberOf('Messages sent by devices'));
    const online = Number(numberOf('Devices online'));
    const { device, deviceId, deviceName } = await home.createSdkDevice();
    await device.start();
    await waitFor(() => expect(numberOf('Devices online')).toBe(String(online + 1)), PATIENCE);
    await device.report({ power: true });
    await waitFor(() => expect(Number(numberOf('Messages sent by devices'))).toBeGreaterThan(before), PATIENCE);
    // All its messages are of today, so the day's row says the same as the figure.
    await waitFor(() => {
      const [, today] = within(screen.getByRole('table')).getAllByRole('row');
      expect(today?.querySelector('td')?.textContent).toBe(numberOf('Messages sent by devices'));
    }, PATIENCE);
    const row = await rowOf(list, deviceName, /Connected/);
    expect(within(row).getByRole('link').getAttribute('href')).toBe(`/detail/detailDevice/${deviceId}`);
  });

  it('tells of events by their names, of refusals and of cuts in words, the newest first', async () => {
    const { device, deviceId, deviceName } = await home.createSdkDevice();
    await device.start();
    const { list } = await openLive();
    await device.event('lampFault', { reason: 'heat' });
    await rowOf(list, deviceName, /Alarm · Lamp fault.*heat/);
    await home.knock('nobody-here');
    const stranger = await rowOf(list, 'nobody-here', /Refused.*Wrong signature/);
    // Nobody's id has no page.
    expect(within(stranger).queryByRole('link')).toBeNull();
    await home.operator.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    await rowOf(list, deviceName, /Disconnected.*kicked offline/);
    const told = list.getAllByRole('listitem').map(({ textContent }) => textContent ?? '');
    const place = (what: RegExp) => told.findIndex((text) => what.test(text));
    expect(place(/kicked offline/)).toBeLessThan(place(/nobody-here/));
    expect(place(/nobody-here/)).toBeLessThan(place(/Lamp fault/));
  });

  it('begins with what happened before the page was opened', async () => {
    const { device, deviceName } = await home.createSdkDevice();
    await device.start();
    await device.event('lampFault', { reason: 'open' });
    const { list } = await openLive();
    await rowOf(list, deviceName, /Alarm · Lamp fault.*open/);
    await rowOf(list, deviceName, /Connected/);
  });

  it('does not take for an event what the model refused', async () => {
    const { device, deviceName } = await home.createSdkDevice();
    await device.start();
    const { list } = await openLive();
    await device.event('noSuchEvent').catch(() => undefined);
    await rowOf(list, deviceName, /Refused.*The model has no such function/);
    expect(list.queryByText(/noSuchEvent/)).toBeNull();
  });

  it('follows who needs attention and which state devices are in', async () => {
    const quiet = await createHomeFixture();
    saveSession(await quiet.watcher(Menu.deviceList));
    const { device } = await quiet.createSdkDevice();
    await device.start();
    await openLive();
    const attention = within(await screen.findByRole('region', { name: 'Needs attention' }));
    expect(await attention.findByText('Nothing needs attention today.')).toBeTruthy();
    await device.stop();
    expect(await attention.findByRole('link', { name: 'gone offline' }, PATIENCE)).toBeTruthy();
    const states = within(screen.getByRole('region', { name: 'Devices by state' }));
    await waitFor(() => expect(states.getAllByRole('listitem')[1]?.textContent).toBe('Offline1100%'), PATIENCE);
  });
});
