import { controlCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../../test/console.tsx';
import { createFleet, type Fleet } from '../../../../test/fleet.ts';
import { createUserWithMenus } from '../../../../test/hub.ts';
import { saveSession } from '../../../api/session.ts';
import { dismissJob } from '../list/bulk-job.ts';

const BLACK = '/productConfig/blackDeviceList';

describe('blacklist', () => {
  let fleet: Fleet;
  const blacklistDevices = async (count: number, reason = '') => {
    const devices = [];
    for (let left = count; left > 0; left--) devices.push(await fleet.registerDevice());
    const idList = devices.map(({ deviceId }) => deviceId);
    await fleet.operator.ok(controlCalls.markBlack, { idList, op: 1, reason });
    return devices;
  };
  const listBlacklisted = async () =>
    (await fleet.operator.ok(controlCalls.blackList, { tenancyId: fleet.tenancyId })).list.map(
      ({ deviceId }) => deviceId,
    );

  // Loading antd takes seconds, which must not count against the first test's timeout.
  beforeAll(() => import('./black-list-page.tsx'));
  beforeEach(async () => {
    fleet = await createFleet();
    saveSession(fleet.session);
    dismissJob();
  });

  it('shows a neutral empty state without an action', async () => {
    openConsole(BLACK);
    expect(await screen.findByRole('heading', { name: 'No devices on the blacklist' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Register|Blacklist/ })).toBeNull();
  });

  // Spec 2.12, 4.20
  it('shows reason and operator, and removes a device', async () => {
    const [remaining, removed] = await blacklistDevices(2, 'seen abroad');
    const user = userEvent.setup();
    openConsole(BLACK);
    expect(await screen.findAllByText('seen abroad')).toHaveLength(2);
    expect(screen.getAllByText('admin')).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: `Remove ${removed?.deviceName} from the blacklist` }));
    const dialog = within(
      await screen.findByRole('dialog', { name: `Remove ${removed?.deviceName} from the blacklist?` }),
    );
    expect(await listBlacklisted()).toContain(removed?.deviceId);
    await user.click(dialog.getByRole('button', { name: 'Remove from blacklist' }));
    await waitFor(() => expect(screen.queryByText(removed?.deviceName ?? '')).toBeNull());
    expect(await listBlacklisted()).toEqual([remaining?.deviceId]);
  });

  it('removes several devices, also for a role with only this page', async () => {
    const devices = await blacklistDevices(3);
    const { session } = await createUserWithMenus([Menu.blackDeviceList], fleet.tenancyId);
    saveSession(session);
    const user = userEvent.setup();
    openConsole(BLACK);
    for (const { deviceName } of devices.slice(0, 2))
      await user.click(await screen.findByRole('checkbox', { name: `Select ${deviceName}` }));
    const bar = within(screen.getByRole('toolbar', { name: '2 selected' }));
    await user.click(bar.getByRole('button', { name: 'Remove from blacklist' }));
    const all = within(await screen.findByRole('dialog', { name: /^Remove \d devices from the blacklist\?$/ }));
    await user.click(all.getByRole('button', { name: 'Remove from blacklist' }));
    expect(await screen.findByText('2 succeeded, 0 failed')).toBeTruthy();
    expect(await listBlacklisted()).toEqual([devices[2]?.deviceId]);
  });
});
