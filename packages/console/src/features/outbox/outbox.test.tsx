import { accountCalls, CodePurpose, Menu } from '@device-center/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { openConsole } from '../../../test/console.tsx';
import { adminSession, client, codeFor, newUserWith, uniquePhone } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { secretIn } from './secret-in.ts';

describe('the secret in a message', () => {
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

describe('the outbox', () => {
  it('explains what to set where the newest messages were only kept, and opens their text', async () => {
    const { email, session } = await newUserWith([Menu.auditLog]);
    const { get } = client(session.token);
    await get(accountCalls.getVerificationCode, { email, type: CodePurpose.provePresent });
    await get(accountCalls.getPhoneCode, { phone: uniquePhone(), type: CodePurpose.bind });
    const code = await codeFor(email);
    saveSession(await adminSession());
    const user = userEvent.setup();
    openConsole(`/systemConfig/outbox?recipient=${encodeURIComponent(email)}`);
    expect(await screen.findByText('SMTP_URL')).toBeTruthy();
    expect(await screen.findByText('SMS_WEBHOOK_URL')).toBeTruthy();
    const [newest] = await screen.findAllByRole('button', { name: `Message to ${email}` });
    expect(screen.getAllByText('Kept here').length).toBeGreaterThan(0);
    await user.click(newest as HTMLElement);
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByText(new RegExp(`^Your verification code is ${code}`))).toBeTruthy();
    expect(drawer.getByText(code)).toBeTruthy();
    expect(drawer.getByRole('button', { name: 'Copy the text' })).toBeTruthy();
  });
});
