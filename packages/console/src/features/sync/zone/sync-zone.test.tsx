import { zoneCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole, recordRequests } from '../../../../test/console.tsx';
import { admin, adminSession, createTenant, unique } from '../../../../test/hub.ts';
import { createSyncFixture, SYNC_TIMEOUT, syncZonePage } from '../../../../test/sync.ts';
import { createZone } from '../../../../test/zone.ts';
import { saveSession } from '../../../api/session.ts';

describe('sync records of a zone', () => {
  const user = userEvent.setup();
  beforeEach(async () => saveSession(await adminSession()));

  // Spec 2.43
  it('shows a record of the product on one tab and of the device on the other', async () => {
    const { zone, productId, productName, deviceName, waitForRecord } = await createSyncFixture({
      zoneName: unique('north / plant '),
    });
    const [{ syncId }] = [await waitForRecord(1), await waitForRecord(2)];
    openConsole(`${syncZonePage(zone)}?productId=${productId}`);
    const link = await screen.findByRole('link', { name: productName }, SYNC_TIMEOUT);
    expect(link.getAttribute('href')).toBe(`/detail/dataDetail?syncId=${syncId}`);
    await user.click(screen.getByRole('tab', { name: 'Device data' }));
    await user.click(await screen.findByRole('searchbox', { name: 'Product id' }));
    await user.paste(productId);
    expect(await screen.findByRole('link', { name: deviceName })).toBeTruthy();
  });

  // Spec 4.13
  it('sends selected records after a preview, and shows why they failed', async () => {
    const { zone, productId, productName, waitForRecord } = await createSyncFixture();
    const { syncId } = await waitForRecord(1);
    const requests = recordRequests();
    openConsole(`${syncZonePage(zone)}?productId=${productId}`);
    await user.click(await screen.findByRole('checkbox', { name: `Select ${productName}` }, SYNC_TIMEOUT));
    await user.click(await screen.findByRole('button', { name: 'Synchronise selected' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('button', { name: 'New 1' })).toBeTruthy();
    expect(dialog.getByText(productName)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Synchronise now' }));
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'request')?.input).toEqual({
        zoneId: String(zone.id),
        syncIds: JSON.stringify([syncId]),
      }),
    );
    expect(await screen.findByText(/broker\.invalid/, {}, SYNC_TIMEOUT)).toBeTruthy();
    // The counts are refetched automatically.
    expect(await screen.findByRole('button', { name: /^Failed [1-9]/ })).toBeTruthy();
  });

  it('sends everything again after a confirmation', async () => {
    const { zone, waitForRecord } = await createSyncFixture();
    await waitForRecord(1);
    const requests = recordRequests();
    openConsole(syncZonePage(zone));
    await user.click(await screen.findByRole('button', { name: 'Resend all' }, SYNC_TIMEOUT));
    const title = /^Resend all records to ".*"\? \(Device models, [1-9]/;
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(requests.some(({ call }) => call === 'resend')).toBe(false);
    await user.click(dialog.getByRole('button', { name: 'Resend all' }));
    await waitFor(() =>
      expect(requests.find(({ call }) => call === 'resend')?.input).toEqual({
        zoneId: String(zone.id),
        dataType: '1',
      }),
    );
    expect(await screen.findByText(/^[1-9]\d* records? (is|are) being synchronised/)).toBeTruthy();
  });

  // Spec 7.116
  it('filters by the status selected in the bar', async () => {
    const { zone, waitForRecord } = await createSyncFixture();
    await waitForRecord(1);
    const requests = recordRequests();
    openConsole(syncZonePage(zone));
    await user.click(await screen.findByRole('button', { name: /^Not synchronised [1-9]/ }));
    await waitFor(() =>
      expect(requests.filter(({ call }) => call === 'querySyncRecordList').at(-1)?.input).toMatchObject({
        dataType: '1',
        syncStatus: '0',
      }),
    );
  });

  it('disables sending to a disabled zone, whatever the URL says', async () => {
    const zone = await createZone();
    await (await admin()).ok(zoneCalls.setZoneState, { id: zone.id, status: 0 });
    openConsole(syncZonePage(zone, 1));
    expect(await screen.findByText(/is disabled. Enable it to synchronise/)).toBeTruthy();
    const button = screen.getByRole('button', { name: 'Synchronise all: Device models (The zone is disabled)' });
    expect(button).toHaveProperty('disabled', true);
    expect(screen.queryByRole('checkbox')).toBeNull();
  });

  it('warns if no tenant is selected', async () => {
    // With several tenants, a new zone starts without a selected tenant.
    await createTenant();
    openConsole(syncZonePage(await createZone()));
    expect(await screen.findByText(/^No tenants are selected for this zone/, {}, SYNC_TIMEOUT)).toBeTruthy();
  });

  it('reports a zone that is not a sync target', async () => {
    openConsole('/detail/detailSync/99999999/nobody/1');
    expect(await screen.findByText('This zone is not a sync target')).toBeTruthy();
  });
});
