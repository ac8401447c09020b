import { tenancyCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../test/console.tsx';
import { admin, adminSession, createTenant, unique } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

const fillAll = async (user: UserEvent, tenancyName: string) => {
  await fill(user, 'Tenant name', tenancyName);
  await fill(user, 'Company', 'Acme Ltd');
  await fill(user, 'Company address', 'Road 1');
  await fill(user, 'Contact', 'Ann Lee');
  await fill(user, 'Phone', '13800001111');
  await fill(user, 'E-mail', 'ann@example.com');
};

const tenantsNamed = async (tenancyName: string) =>
  (await (await admin()).ok(tenancyCalls.queryTenancyList, { tenancyName })).list;

describe('tenant form', () => {
  beforeEach(async () => saveSession(await adminSession()));

  it("shows the contract's messages while typing", async () => {
    const user = userEvent.setup();
    openConsole('/add/addTenant/0/0');
    await user.type(await screen.findByLabelText('Phone'), '12');
    expect(await screen.findByText('format error, fill in the phone number correctly')).toBeTruthy();
    await user.clear(screen.getByLabelText('Phone'));
    expect(await screen.findByText('The input cannot be empty, please re-enter')).toBeTruthy();
  });

  // Spec 2.28, 8.36
  it('sends once for several clicks, shows the result and returns to the list', async () => {
    const name = unique('Acme ');
    const sent = recordRequests();
    const user = userEvent.setup();
    const { router } = openConsole('/add/addTenant/0/0');
    await fillAll(user, name);
    await user.dblClick(screen.getByRole('button', { name: 'Submit' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/systemConfig/tenantList'));
    // The hub would reject the same name a second time, so its list alone does not prove that it was sent once.
    expect(sent.filter(({ call }) => call === 'addTenancy')).toHaveLength(1);
    expect(await tenantsNamed(name)).toMatchObject([
      {
        tenancyName: name,
        companyName: 'Acme Ltd',
        companyAddress: 'Road 1',
        contactName: 'Ann Lee',
        phone: '13800001111',
        email: 'ann@example.com',
      },
    ]);
  });

  // Spec 8.37
  it("shows the hub's errors at their fields, with a dialog 'submit failed'", async () => {
    const { tenancyName } = await createTenant();
    const user = userEvent.setup();
    openConsole('/add/addTenant/0/0');
    await fillAll(user, tenancyName);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('dialog', { name: 'submit failed' })).toBeTruthy();
    await waitFor(() => expect(problemAt('Tenant name')).toBe('A tenant with this name already exists'));
    expect(problemAt('E-mail')).toBe('');
    expect(await tenantsNamed(tenancyName)).toHaveLength(1);
  });

  // Spec 4.60
  it('asks before discarding unsaved input', async () => {
    const user = userEvent.setup();
    const { router } = openConsole('/add/addTenant/0/0');
    await user.type(await screen.findByLabelText('Tenant name'), 'A');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Unsaved changes will be lost.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe('/add/addTenant/0/0');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/systemConfig/tenantList'));
  });
});
