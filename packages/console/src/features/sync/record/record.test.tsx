import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { clickWhenEnabled, openConsole, recordRequests } from '../../../../test/console.tsx';
import { adminSession } from '../../../../test/hub.ts';
import { createSyncFixture, recordPage, SYNC_TIMEOUT, syncZonePage } from '../../../../test/sync.ts';
import { saveSession } from '../../../api/session.ts';

describe('the page of a sync record', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.41
  it('shows what is sent and what is there, sends it, and tells of the tries', async () => {
    const { zone, productName, waitForRecord } = await createSyncFixture();
    const { syncId } = await waitForRecord(1);
    const requests = recordRequests();
    openConsole(recordPage(syncId));
    expect(await screen.findByRole('heading', { name: productName }, SYNC_TIMEOUT)).toBeTruthy();
    const sent = screen.getByRole('region', { name: 'What is sent' });
    expect(JSON.parse(sent.textContent ?? '')).toMatchObject({ productName, nodeType: 1 });
    expect(screen.getByText('The other side does not have it.')).toBeTruthy();
    const tries = within(screen.getByRole('region', { name: 'Tries' }));
    expect(tries.getByText('Not tried yet')).toBeTruthy();
    await clickWhenEnabled(user, 'Synchronise now');
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'request')?.input).toEqual({
        zoneId: String(zone.id),
        syncIds: JSON.stringify([syncId]),
      }),
    );
    expect((await tries.findAllByText(/broker\.invalid/, {}, SYNC_TIMEOUT)).length).toBeGreaterThan(0);
    expect(tries.getAllByText('Failed').length).toBeGreaterThan(0);
    const link = screen.getByRole('link', { name: zone.zoneName });
    expect(link.getAttribute('href')).toContain(syncZonePage(zone));
  });

  it('tells of a record that is not there', async () => {
    openConsole(recordPage('nobody'));
    expect((await screen.findAllByText('The sync record does not exist')).length).toBeGreaterThan(0);
  });
});
