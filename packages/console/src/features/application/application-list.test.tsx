import { applicationCalls, Menu, tenancyCalls } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import {
  admin,
  adminSession,
  type Client,
  createApplication,
  createTenant,
  createUserWithMenus,
  type LoginAnswer,
} from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

describe('application list', () => {
  let session: LoginAnswer;
  let operator: Client;

  const isEnabled = async (applicationId: string) =>
    (await operator.ok(applicationCalls.getApplicationDetails, { applicationId })).enabled === 1;

  beforeAll(async () => {
    ({ session } = await createUserWithMenus([Menu.applyList]));
    operator = await admin();
  });
  beforeEach(() => saveSession(session));

  // Spec 6.13, 8.25
  it('shows the specified warning and deletes only after the name is typed', async () => {
    const { applicationId, applicationName } = await createApplication(session.tenancyId);
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('button', { name: `More actions: ${applicationName}` }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Deleting an application deletes all linked devices')).toBeTruthy();
    const button = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Delete' });
    expect(button.disabled).toBe(true);
    const typed = within(dialog).getByLabelText(`Type "${applicationName}" to confirm`);
    await user.type(typed, applicationName.slice(0, -1));
    expect(button.disabled).toBe(true);
    await user.type(typed, applicationName.slice(-1));
    await user.click(button);
    await waitFor(() => expect(screen.queryByText(applicationName)).toBeNull());
    expect(await operator.error(applicationCalls.getApplicationDetails, { applicationId })).toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
  });

  // Spec 1.2, 2.8
  it('asks for confirmation before it disables an application', async () => {
    const { applicationId, applicationName } = await createApplication(session.tenancyId);
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    await user.click(await screen.findByRole('switch', { name: `Enabled: ${applicationName}` }));
    expect(await screen.findAllByText(`Disable the application "${applicationName}"?`)).toBeTruthy();
    expect(await isEnabled(applicationId)).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Disable application' }));
    await waitFor(async () => expect(await isEnabled(applicationId)).toBe(false));
  });

  it("shows the hub's error when the tenant is disabled", async () => {
    const { tenancyId } = await createTenant();
    const { applicationId, applicationName } = await createApplication(tenancyId);
    await operator.ok(tenancyCalls.updateEnabledStatus, { tenancyId, enabled: 0 });
    saveSession(await adminSession());
    const user = userEvent.setup();
    openConsole(`/systemConfig/applyList?tenancyId=${tenancyId}`);
    await user.click(await screen.findByRole('switch', { name: `Enabled: ${applicationName}` }));
    expect(await screen.findByText('The application of a disabled tenant cannot be enabled')).toBeTruthy();
    expect(screen.getByRole('switch', { name: `Enabled: ${applicationName}` }).getAttribute('aria-checked')).toBe(
      'false',
    );
    expect(await isEnabled(applicationId)).toBe(false);
  });

  // Spec 2.29
  it('shows a disabled application read-only', async () => {
    const { applicationId } = await createApplication(session.tenancyId);
    await operator.ok(applicationCalls.updateEnabledStatus, { applicationId, enabled: 0 });
    openConsole(`/add/addApply/${applicationId}/1`);
    expect(await screen.findByText('This application is disabled and read-only. Enable it to edit.')).toBeTruthy();
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});
