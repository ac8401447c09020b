import { zoneCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { admin, adminSession } from '../../../../test/hub.ts';
import { createSyncFixture, SYNC, SYNC_TIMEOUT, syncZonePage } from '../../../../test/sync.ts';
import { createZone } from '../../../../test/zone.ts';
import { saveSession } from '../../../api/session.ts';

const rowOf = async (name: string) =>
  within((await screen.findByText(name, {}, SYNC_TIMEOUT)).closest('tr') as HTMLElement);
const named = (zoneName: string): string => `${SYNC}?zoneName=${encodeURIComponent(zoneName)}`;

describe('sync overview', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.16
  it('shows the progress of models and data, with links to the records', async () => {
    const { zone, waitForRecord } = await createSyncFixture();
    await waitForRecord(1);
    await waitForRecord(2);
    openConsole(named(zone.zoneName));
    const row = await rowOf(zone.zoneName);
    expect(row.getByRole('link', { name: zone.zoneName }).getAttribute('href')).toBe(syncZonePage(zone));
    expect(row.getAllByText(/^Total: [1-9]/)).toHaveLength(2);
    expect(row.getAllByText('Success: 0')).toHaveLength(2);
    expect(row.getAllByText('Never')).toHaveLength(2);
  });

  it('shows a preview before sending', async () => {
    const { zone, waitForRecord, findRecord } = await createSyncFixture();
    await waitForRecord(1);
    const requests = recordRequests();
    openConsole(named(zone.zoneName));
    const row = await rowOf(zone.zoneName);
    await user.click(row.getByRole('button', { name: 'Synchronise all: Device models' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('button', { name: /^New [1-9]/ })).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Rejected 0' })).toBeTruthy();
    expect(requests.some(({ call }) => call === 'oneKey')).toBe(false);
    expect(await findRecord(1)).toMatchObject({ syncStatus: 0 });
    await user.click(dialog.getByRole('button', { name: 'Synchronise now' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(requests.find(({ call }) => call === 'oneKey')?.input).toEqual({ zoneId: String(zone.id), dataType: '1' });
    expect((await findRecord(1)).syncStatus).not.toBe(0);
  });

  it('disables sending to a disabled zone with the reason', async () => {
    const { id, zoneName } = await createZone();
    await (await admin()).ok(zoneCalls.setZoneState, { id, status: 0 });
    openConsole(named(zoneName));
    const row = await rowOf(zoneName);
    const button = row.getByRole('button', { name: 'Synchronise all: Device data (The zone is disabled)' });
    expect(button).toHaveProperty('disabled', true);
    expect(button.getAttribute('title')).toBe('The zone is disabled');
  });

  // Spec 7.119
  it('filters by the selected status', async () => {
    const requests = recordRequests();
    openConsole(SYNC);
    await user.click(await screen.findByText('Disabled', { selector: '.ant-segmented-item-label' }));
    await waitFor(() =>
      expect(requests.at(-1)).toMatchObject({ call: 'querySyncRecordCount', input: { status: '0' } }),
    );
  });

  // Spec 2.17
  it('is the page of the menu folder', async () => {
    const { router } = openConsole('/dataSynch');
    expect(await screen.findByRole('heading', { name: 'Data sync' })).toBeTruthy();
    expect(router.state.location.pathname).toBe(SYNC);
  });
});
