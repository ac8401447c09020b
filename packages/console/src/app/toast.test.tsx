import { applicationCalls, Menu } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { openConsole } from '../../test/console.tsx';
import { admin, newApplication, newUserWith } from '../../test/hub.ts';
import { saveSession } from '../api/session.ts';

it('shows a failed command as a toast, which goes by itself', async () => {
  const { session, tenancyId } = await newUserWith([Menu.applyList]);
  const { applicationId, applicationName } = await newApplication(tenancyId);
  saveSession(session);
  const user = userEvent.setup();
  openConsole('/systemConfig/applyList');
  const shown = await screen.findByRole('switch', { name: `Enabled: ${applicationName}` });
  // Somebody else was quicker.
  const operator = await admin();
  await operator.get(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
  await user.click(shown);
  await user.click(await screen.findByRole('button', { name: 'OK' }));
  const toast = await screen.findByText('Application does not exist', { selector: '.ant-message *' });
  await waitFor(() => expect(toast.isConnected).toBe(false));
});
