import { accountCalls, CodePurpose, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fill, openConsole } from '../../../test/console.tsx';
import { adminSession, client, createUserWithMenus, findCodeFor, uniquePhone } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { secretIn } from './secret-in.ts';

describe('secretIn', () => {
  it.each([
    ['您的验证码是 012345，10 分钟内有效。', { kind: 'code', value: '012345' }],
    [
      'Log in at: http://127.0.0.1:18191\nAccount: 123456\nInitial password: aB3-x',
      { kind: 'password', value: 'aB3-x' },
    ],
    ['账号：olive\n初始密码：Zx9_q\n', { kind: 'password', value: 'Zx9_q' }],
    ['Your verification code is ******.', undefined],
    ['Hello', undefined],
  ])('%s', (body, secret) => {
    expect(secretIn(body)).toEqual(secret);
  });
});

describe('outbox', () => {
  it('explains which settings send stored messages, and opens their text', async () => {
    const { email, session } = await createUserWithMenus([Menu.auditLog]);
    const { ok } = client(session.token);
    await ok(accountCalls.getVerificationCode, { email, type: CodePurpose.provePresent });
    await ok(accountCalls.getPhoneCode, { phone: uniquePhone(), type: CodePurpose.bind });
    saveSession(await adminSession());
    const user = userEvent.setup();
    openConsole(`/systemConfig/outbox?recipient=${encodeURIComponent(email)}`);
    expect(await screen.findByText('SMTP_URL')).toBeTruthy();
    expect(await screen.findByText('SMS_WEBHOOK_URL')).toBeTruthy();
    const [newest] = await screen.findAllByRole('button', { name: `View message to ${email}` });
    expect(screen.getAllByText('Not sent, stored').length).toBeGreaterThan(0);
    await user.click(newest as HTMLElement);
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByText(/^Your verification code is \*{6}\./)).toBeTruthy();
    expect(drawer.getByRole('button', { name: 'Copy text' })).toBeTruthy();
    await user.click(drawer.getByRole('button', { name: 'Reveal code or password' }));
    expect(await screen.findByText(new RegExp(`${email} is notified at the next login`))).toBeTruthy();
    const buttons = await screen.findAllByRole('button', { name: 'Reveal code or password' });
    await user.click(buttons.at(-1) as HTMLElement);
    expect(await drawer.findByText(/^Your verification code is \d{6}\./)).toBeTruthy();
    expect(drawer.getByText(/^\d{6}$/)).toBeTruthy();
  });

  it('reports a revealed message once, at the next login', async () => {
    const { email, username, password } = await createUserWithMenus([Menu.auditLog]);
    await client().ok(accountCalls.getVerificationCode, { email });
    await findCodeFor(email);
    const user = userEvent.setup();
    openConsole('/');
    await fill(user, 'Account', username);
    await fill(user, 'Password', password);
    await user.click(screen.getByRole('button', { name: 'Log in' }));
    expect(await screen.findByText(/admin viewed "Device Center verification code"$/)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(screen.queryByText(/admin read/)).toBeNull());
    expect((await client().ok(accountCalls.login, { username, password })).reveals).toEqual([]);
  });
});
