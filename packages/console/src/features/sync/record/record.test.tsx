import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { clickWhenEnabled, openConsole, recordRequests } from '../../../../test/console.tsx';
import { adminSession } from '../../../../test/hub.ts';
import { createSyncFixture, recordPage, SYNC_TIMEOUT, syncZonePage } from '../../../../test/sync.ts';
import { saveSession } from '../../../api/session.ts';

describe('sync record page', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.41
  it('shows sent and present data, sends the record, and lists the attempts', async () => {
    const { zone, productName, waitForRecord } = await createSyncFixture();
    const { syncId } = await waitForRecord(1);
    const requests = recordRequests();
    openConsole(recordPage(syncId));
    expect(await screen.findByRole('heading', { name: productName }, SYNC_TIMEOUT)).toBeTruthy();
    const sent = screen.getByRole('region', { name: 'Content to send' });
    expect(JSON.parse(sent.textContent ?? '')).toMatchObject({ productName, nodeType: 1 });
    expect(screen.getByText('Not on the other platform.')).toBeTruthy();
    const attempts = within(screen.getByRole('region', { name: 'Attempts' }));
    expect(attempts.getByText('No attempts yet')).toBeTruthy();
    await clickWhenEnabled(user, 'Synchronise now');
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'request')?.input).toEqual({
        zoneId: String(zone.id),
        syncIds: JSON.stringify([syncId]),
      }),
    );
    expect((await attempts.findAllByText(/broker\.invalid/, {}, SYNC_TIMEOUT)).length).toBeGreaterThan(0);
    expect(attempts.getAllByText('Failed').length).toBeGreaterThan(0);
    const link = screen.getByRole('link', { name: zone.zoneName });
    expect(link.getAttribute('href')).toContain(syncZonePage(zone));
  });

  it('reports a missing record', async () => {
    openConsole(recordPage('nobody'));
    expect((await screen.findAllByText('The sync record does not exist')).length).toBeGreaterThan(0);
  });
});
