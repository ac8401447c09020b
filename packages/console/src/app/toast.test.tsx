import { setImmediate } from 'node:timers/promises';
import { applicationCalls, errorText, Menu } from '@device-center/contract';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fill, fillCode, openConsole } from '../../test/console.tsx';
import { admin, createApplication, createUserWithMenus, findCodeFor } from '../../test/hub.ts';
import { ApiError } from '../api/api-error.ts';
import { announceFailure } from '../api/feedback.ts';
import { saveSession } from '../api/session.ts';
import { PublicFeedback } from '../features/account/public-feedback.tsx';
import { AntdRoot } from '../ui/antd-root.tsx';
import { AntdFeedback } from './antd-feedback.tsx';

describe('the toast of a failed call', () => {
  afterEach(() => vi.useRealTimers());

  // Spec 8.3, 9.2
  it.each([
    ['before the log-in', <PublicFeedback key="public" />],
    [
      'after the log-in',
      <AntdRoot key="antd">
        <AntdFeedback />
      </AntdRoot>,
    ],
  ])('stays for 2000 ms %s', async (_where, feedback) => {
    render(feedback);
    vi.useFakeTimers();
    const advance = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      // React renders on the real clock, not on the fake timers.
      for (let round = 0; round < 3; round++) await setImmediate();
    };
    announceFailure(new ApiError({ status: 500, code: 'FAULT', message: 'Internal error' }));
    await advance(0);
    await advance(1_900);
    expect(screen.getByText('Internal error')).toBeTruthy();
    await advance(200);
    expect(screen.queryByText('Internal error')).toBeNull();
  });

  // Spec 8.3
  it('is shown for a mutation that the hub rejects', async () => {
    const { session, tenancyId } = await createUserWithMenus([Menu.applyList]);
    const { applicationId, applicationName } = await createApplication(tenancyId);
    saveSession(session);
    const user = userEvent.setup();
    openConsole('/systemConfig/applyList');
    const shown = await screen.findByRole('switch', { name: `Enabled: ${applicationName}` });
    // Another user deletes the application first.
    const operator = await admin();
    await operator.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
    await user.click(shown);
    await user.click(await screen.findByRole('button', { name: 'Disable application' }));
    const toast = await screen.findByText('Application does not exist', { selector: '.ant-message *' });
    await waitFor(() => expect(toast.isConnected).toBe(false));
  });

  // Spec 9.2
  it('disappears while the countdown for the next code is running', async () => {
    const { email } = await createUserWithMenus([Menu.applyList]);
    const user = userEvent.setup();
    openConsole('/validateAccount');
    await fill(user, 'E-mail or phone', email);
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await screen.findByRole('button', { name: /^Resend in \d+ s$/ });
    const code = await findCodeFor(email);
    await fillCode(user, code === '000000' ? '000001' : '000000');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await fill(user, 'New password', 'Better-pass1');
    await fill(user, 'Confirm new password', 'Better-pass1');
    await user.click(screen.getByRole('button', { name: 'Reset password' }));
    const toast = await screen.findByText(errorText('CODE_WRONG', 'en_US'), { selector: '.dc-toast' });
    await waitFor(() => expect(toast.textContent).toBe(''));
    expect(screen.getByRole('button', { name: /^Resend in \d+ s$/ })).toBeTruthy();
  });
});
