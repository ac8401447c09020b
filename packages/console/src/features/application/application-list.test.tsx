import { Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole, refuse } from '../../test-console.tsx';

const application = {
  applicationId: 'a1',
  applicationName: 'smart-home',
  tenancyId: '1',
  tenancyName: 'Platform',
  tenancyEnabled: 1,
  enabled: 1,
  creator: 'admin',
  createTime: '2026-11-01T00:00:00.000Z',
  updateTime: '2026-11-01T00:00:00.000Z',
};
const pageWith = (change: Partial<typeof application> = {}) =>
  answer({ pageIndex: 1, pageSize: 10, total: 1, list: [{ ...application, ...change }] });

describe('the application list', () => {
  beforeEach(() => logIn([2, Menu.applyList]));

  it('deletes only after the name was typed, under the warning of the spec', async () => {
    const received = fakeHub({ queryApplicationList: pageWith(), deleteApplication: answer({ deleted: 1 }) });
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('button', { name: 'More actions: smart-home' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Deleting an application deletes all linked devices')).toBeTruthy();
    const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.disabled).toBe(true);
    await user.type(within(dialog).getByLabelText('Type "smart-home" to confirm'), 'smart-hom');
    expect(button.disabled).toBe(true);
    await user.type(within(dialog).getByLabelText('Type "smart-home" to confirm'), 'e');
    await user.click(button);
    await waitFor(() => expect(received.some(({ path }) => path.endsWith('/deleteApplication'))).toBe(true));
    expect(received.find(({ path }) => path.endsWith('/deleteApplication'))?.input.get('applicationIds')).toBe(
      '["a1"]',
    );
  });

  it('asks before it disables', async () => {
    const received = fakeHub({ queryApplicationList: pageWith(), updateEnabledStatus: answer(null) });
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('switch', { name: 'Enabled: smart-home' }));
    expect(await screen.findAllByText('Disable the application "smart-home"?')).toBeTruthy();
    expect(received.some(({ path }) => path.endsWith('/updateEnabledStatus'))).toBe(false);
  });

  it("shows the hub's reason when the tenant is closed", async () => {
    fakeHub({
      queryApplicationList: pageWith({ enabled: 0, tenancyEnabled: 0 }),
      updateEnabledStatus: refuse(
        409,
        'APPLICATION_OF_CLOSED_TENANCY',
        'The application of a closed tenant cannot be enabled',
      ),
    });
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('switch', { name: 'Enabled: smart-home' }));
    expect(await screen.findByText('The application of a closed tenant cannot be enabled')).toBeTruthy();
    expect(screen.getByRole('switch', { name: 'Enabled: smart-home' }).getAttribute('aria-checked')).toBe('false');
  });

  it('shows a disabled application read-only', async () => {
    fakeHub({ getApplicationDetails: answer({ ...application, enabled: 0 }) });
    openConsole('/add/addApply/a1/1');
    expect(await screen.findByText('The application is disabled and read-only; enable it to edit.')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});
