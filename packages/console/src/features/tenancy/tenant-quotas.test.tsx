import { quotaCalls } from '@device-center/contract';
import { onlineManager } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { admin, adminSession, createRole, createTenant, createUser } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

// The first page of a worker loads antd.
const PATIENCE = { timeout: 30_000 };

describe('quotas of a tenant', () => {
  beforeEach(async () => saveSession(await adminSession()));

  const limitsOf = async (tenancyId: string) => {
    const { quotas } = await (await admin()).ok(quotaCalls.getTenancyQuotas, { tenancyId });
    return Object.fromEntries(quotas.map(({ name, limit, own }) => [name, own === 1 ? limit : 'default']));
  };

  it('are set for the tenant, and reset to their defaults by an empty field', async () => {
    const { tenancyId } = await createTenant();
    const user = userEvent.setup();
    openConsole(`/add/addTenant/${tenancyId}/2`);
    const region = await screen.findByRole('region', { name: 'Quotas' }, PATIENCE);
    expect(await within(region).findByText('0 B of no fixed limit')).toBeTruthy();
    await user.click(within(region).getByRole('button', { name: 'Edit quotas' }));
    for (const [name, value] of [
      ['Messages per second', '70'],
      ['Stored firmware', '512'],
    ] as const) {
      await user.click(await screen.findByRole('spinbutton', { name }));
      await user.paste(value);
    }
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await within(region).findByText('0 B of 512 MB')).toBeTruthy();
    expect(await limitsOf(tenancyId)).toMatchObject({
      messagesPerSecond: 70,
      uploadBytes: 512 * 1024 ** 2,
      storedBytes: 'default',
    });

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await user.click(within(region).getByRole('button', { name: 'Edit quotas' }));
    await user.clear(await screen.findByRole('spinbutton', { name: 'Messages per second' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () =>
      expect(await limitsOf(tenancyId)).toMatchObject({
        messagesPerSecond: 'default',
        uploadBytes: 512 * 1024 ** 2,
      }),
    );
  });

  it('keep a value that is not a whole number of MB, and cannot be saved while the hub is unreachable', async () => {
    const { tenancyId } = await createTenant();
    await (await admin()).ok(quotaCalls.updateTenancyQuotas, { tenancyId, storedBytes: 100_000_000 });
    const user = userEvent.setup();
    openConsole(`/add/addTenant/${tenancyId}/2`);
    await user.click(await screen.findByRole('button', { name: 'Edit quotas' }, PATIENCE));
    expect(await screen.findByRole('spinbutton', { name: 'Stored history' })).toHaveProperty('value', '95');
    await user.click(screen.getByRole('spinbutton', { name: 'Codes per day' }));
    await user.paste('40');
    act(() => onlineManager.setOnline(false));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true));
    act(() => onlineManager.setOnline(true));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', false));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(async () =>
      expect(await limitsOf(tenancyId)).toMatchObject({ storedBytes: 100_000_000, textsPerDay: 40 }),
    );
  });

  it('are shown read-only to users of the tenant in the personal center', async () => {
    const { tenancyId } = await createTenant();
    await (await admin()).ok(quotaCalls.updateTenancyQuotas, { tenancyId, userTextsPerDay: 7 });
    const { roleId } = await createRole(tenancyId, [501]);
    const { session } = await createUser({ tenancyId, roleId });
    saveSession(session);
    openConsole('/person/personCenter');
    const region = await screen.findByRole('region', { name: 'Tenant quotas' }, PATIENCE);
    expect(await within(region).findByText('0 of 7')).toBeTruthy();
    expect(within(region).queryByRole('button')).toBeNull();
  });
});
