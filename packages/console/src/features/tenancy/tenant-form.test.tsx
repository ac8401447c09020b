import { Menu } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole, refuse } from '../../test-console.tsx';

const emptyPage = answer({ pageIndex: 1, pageSize: 10, total: 0, list: [] });

const fill = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.type(await screen.findByLabelText('Tenant name'), 'Acme');
  await user.type(screen.getByLabelText('Company'), 'Acme Ltd');
  await user.type(screen.getByLabelText('Company address'), 'Road 1');
  await user.type(screen.getByLabelText('Contact'), 'Ann Lee');
  await user.type(screen.getByLabelText('Phone'), '13800001111');
  await user.type(screen.getByLabelText('E-mail'), 'ann@example.com');
};

describe('the tenant form', () => {
  beforeEach(() => logIn([2, Menu.tenantList]));

  it("says the contract's sentence as you type", async () => {
    fakeHub({ queryTenancyList: emptyPage });
    const user = userEvent.setup();
    openConsole('/add/addTenant/0/0');
    await user.type(await screen.findByLabelText('Phone'), '12');
    expect(await screen.findByText('format error, fill in the phone number correctly')).toBeTruthy();
    await user.clear(screen.getByLabelText('Phone'));
    expect(await screen.findByText('The input cannot be empty, please re-enter')).toBeTruthy();
  });

  it('sends once however often submit is clicked, then shows the result and goes back to the list', async () => {
    const received = fakeHub({ queryTenancyList: emptyPage, addTenancy: answer({ tenancyId: '7' }) });
    const user = userEvent.setup();
    const { router } = openConsole('/add/addTenant/0/0');
    await fill(user);
    await user.dblClick(screen.getByRole('button', { name: 'Submit' }));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/systemConfig/tenantList'));
    const sent = received.filter(({ path }) => path.endsWith('/addTenancy'));
    expect(sent.map(({ input }) => input.get('tenancyName'))).toEqual(['Acme']);
  });

  it("puts the hub's refusals at their fields, under a dialog 'submit failed'", async () => {
    fakeHub({
      queryTenancyList: emptyPage,
      addTenancy: refuse(400, 'BAD_INPUT', 'Some input is not valid', [{ field: 'email', message: 'No such mailbox' }]),
    });
    const user = userEvent.setup();
    openConsole('/add/addTenant/0/0');
    await fill(user);
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await screen.findByRole('dialog', { name: 'submit failed' })).toBeTruthy();
    expect(await screen.findByText('No such mailbox')).toBeTruthy();
    expect(screen.getByLabelText('E-mail').getAttribute('aria-invalid')).toBe('true');
  });

  it('asks before it lets unsaved input go', async () => {
    fakeHub({ queryTenancyList: emptyPage });
    const user = userEvent.setup();
    const { router } = openConsole('/add/addTenant/0/0');
    await user.type(await screen.findByLabelText('Tenant name'), 'A');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('Changes that are not saved will be lost.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Stay' }));
    expect(router.state.location.pathname).toBe('/add/addTenant/0/0');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/systemConfig/tenantList'));
  });
});
