import { controlCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { type Fleet, createFleet } from '../../../../test/fleet.ts';
import { createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { dismissJob } from '../list/bulk-job.ts';

const BLACK = '/productConfig/blackDeviceList';

describe('the blacklist', () => {
  let fleet: Fleet;
  const black = async (count: number, reason = '') => {
    const devices = [];
    for (let left = count; left > 0; left--) devices.push(await fleet.registerDevice());
    const idList = devices.map(({ deviceId }) => deviceId);
    await fleet.operator.ok(controlCalls.markBlack, { idList, op: 1, reason });
    return devices;
  };
  const stillBlack = async () =>
    (await fleet.operator.ok(controlCalls.blackList, { tenancyId: fleet.tenancyId })).list.map(
      ({ deviceId }) => deviceId,
    );

  // antd takes seconds to load: not out of the first test's time.
  beforeAll(() => import('./black-list-page.tsx'));
  beforeEach(async () => {
    fleet = await createFleet();
    saveSession(fleet.session);
    dismissJob();
  });

  it('is good news when it is empty, and calls to nothing', async () => {
    openConsole(BLACK);
    expect(await screen.findByRole('heading', { name: 'The blacklist is empty' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Register|Blacklist/ })).toBeNull();
  });

  // Spec 2.12, 4.20
  it('tells reason and who, and takes one off', async () => {
    const [kept, freed] = await black(2, 'seen abroad');
    const user = userEvent.setup();
    openConsole(BLACK);
    expect(await screen.findAllByText('seen abroad')).toHaveLength(2);
    expect(screen.getAllByText('admin')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: `Remove ${freed?.deviceName} from the blacklist` }));
    const asks = within(await screen.findByRole('dialog', { name: `Take ${freed?.deviceName} off the blacklist?` }));
    expect(await stillBlack()).toContain(freed?.deviceId);
    await user.click(asks.getByRole('button', { name: 'Take off the blacklist' }));
    await waitFor(() => expect(screen.queryByText(freed?.deviceName ?? '')).toBeNull());
    expect(await stillBlack()).toEqual([kept?.deviceId]);
  });

  it('takes several off, also for a role that has only this page', async () => {
    const devices = await black(3);
    const { session } = await createUserWithMenus([Menu.blackDeviceList], fleet.tenancyId);
    saveSession(session);
    const user = userEvent.setup();
    openConsole(BLACK);
    for (const { deviceName } of devices.slice(0, 2))
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    const bar = within(screen.getByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'Take off the blacklist' }));
    const all = within(await screen.findByRole('dialog', { name: /^Take \d devices off the blacklist\?$/ }));
    await user.click(all.getByRole('button', { name: 'Take off the blacklist' }));
    expect(await screen.findByText('2 succeeded, 0 failed')).toBeTruthy();
    expect(await stillBlack()).toEqual([devices[2]?.deviceId]);
  });
});
