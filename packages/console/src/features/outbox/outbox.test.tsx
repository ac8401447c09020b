import { Menu } from '@device-center/contract';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole } from '../../test-console.tsx';
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
  it('explains what to set where the newest message was only kept, and opens its text', async () => {
    logIn([Menu.outbox]);
    const message = {
      outboxId: 'o1',
      channel: 'mail',
      recipient: 'a@example.com',
      subject: 'Code',
      state: 'kept',
      attempts: 0,
      error: '',
      createTime: '2026-01-01T00:00:00.000Z',
      sentTime: null,
    };
    fakeHub({
      queryOutboxList: ({ input }) => {
        const list = input.get('channel') === 'sms' ? [] : [message];
        return answer({ pageIndex: 1, pageSize: 10, total: list.length, list })();
      },
      getOutboxMessage: answer({ ...message, body: 'Your verification code is 654321.' }),
    });
    const user = userEvent.setup();
    openConsole('/systemConfig/outbox');
    expect(await screen.findByText('SMTP_URL')).toBeTruthy();
    expect(screen.queryByText('SMS_WEBHOOK_URL')).toBeNull();
    expect(screen.getByText('Kept here')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Message to a@example.com' }));
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByText('Your verification code is 654321.')).toBeTruthy();
    expect(drawer.getByText('654321')).toBeTruthy();
    expect(drawer.getByRole('button', { name: 'Copy the text' })).toBeTruthy();
  });
});
