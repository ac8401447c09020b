import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answer, fakeHub, logIn, openConsole, refuse } from '../../test-console.tsx';

const person = (bound: { email: string; phone: string }) =>
  answer({
    userId: '1',
    username: 'admin',
    name: 'Ann Lee',
    image: '',
    roleId: '1',
    roleName: 'administrators',
    tenancyId: '1',
    tenancyName: 'Platform',
    isFirst: 0,
    lastLoginTime: null,
    createTime: '2026-01-01T00:00:00.000Z',
    ...bound,
  });

const calls = (received: { path: string; input: URLSearchParams }[]) =>
  received
    .filter(({ path }) => /Code|bind/.test(path))
    .map(({ path, input }) => [path.slice(path.lastIndexOf('/') + 1), Object.fromEntries(input)]);

const typeCode = async (user: ReturnType<typeof userEvent.setup>, code: string) => {
  const [boxes] = await screen.findAllByRole('group', { name: 'Verification code' });
  await user.click(within(boxes as HTMLElement).getAllByRole('textbox')[0] as HTMLElement);
  await user.paste(code);
};

describe('changing the e-mail', () => {
  it('proves the present one, then takes the new one twice with a code of its own, and goes back', async () => {
    logIn([]);
    const received = fakeHub({
      getPersonalMessage: person({ email: 'a@example.com', phone: '' }),
      getSessions: answer([]),
      getVerificationCode: answer(null),
      checkCode: answer(null),
      bindEmail: answer(null),
    });
    const user = userEvent.setup();
    const { router } = openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send the code' }));
    expect(screen.queryByLabelText('New e-mail')).toBeNull();
    await typeCode(user, '111111');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.type(await screen.findByLabelText('New e-mail'), 'b@example.com');
    await user.type(screen.getByLabelText('Repeat the e-mail'), 'b@example.com');
    await user.click(screen.getByRole('button', { name: 'Send the code' }));
    await typeCode(user, '222222');
    await user.click(screen.getByRole('button', { name: 'Bind' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/person/personCenter'));
    expect(localStorage.getItem('email')).toBe('b@example.com');
    expect(calls(received)).toEqual([
      ['getVerificationCode', { email: 'a@example.com', type: '2' }],
      ['checkCode', { code: '111111', info: 'a@example.com', type: '2' }],
      ['getVerificationCode', { email: 'b@example.com', type: '3' }],
      ['bindEmail', { email: 'b@example.com', code: '222222' }],
    ]);
  });

  it('keeps a wrong code on its step, with the reason beside it', async () => {
    logIn([]);
    fakeHub({
      getPersonalMessage: person({ email: 'a@example.com', phone: '' }),
      getVerificationCode: answer(null),
      checkCode: refuse(400, 'CODE_WRONG', 'The verification code is wrong or no longer valid'),
    });
    const user = userEvent.setup();
    const { container } = openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send the code' }));
    await typeCode(user, '111111');
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() =>
      expect(container.querySelector('.dc-field-error')?.textContent).toBe(
        'The verification code is wrong or no longer valid',
      ),
    );
    expect(screen.queryByLabelText('New e-mail')).toBeNull();
  });
});

describe('binding a phone', () => {
  it('says under the field that the two do not match, and sends nothing', async () => {
    logIn([]);
    const received = fakeHub({ getPersonalMessage: person({ email: 'a@example.com', phone: '' }) });
    const user = userEvent.setup();
    openConsole('/person/bindPhone');
    await user.type(await screen.findByLabelText('New phone'), '13900000001');
    await user.type(screen.getByLabelText('Repeat the phone'), '13900000002');
    await user.click(screen.getByRole('button', { name: 'Send the code' }));
    expect(await screen.findByText('The two phones do not match')).toBeTruthy();
    expect(calls(received)).toEqual([]);
  });

  it('is offered where a change of phone has none to change', async () => {
    logIn([]);
    fakeHub({ getPersonalMessage: person({ email: '', phone: '' }) });
    openConsole('/person/updatePhone');
    expect(await screen.findByText('Unbound phone, feature unavailable')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Bind a phone' }).getAttribute('href')).toBe('/person/bindPhone');
  });
});

describe('cancelling the account', () => {
  it('wakes only for the code and the typed account, and tells why the last administrator stays', async () => {
    logIn([]);
    const words = 'The last platform administrator cannot be deleted, cancelled or given another role';
    fakeHub({
      getPersonalMessage: person({ email: 'a@example.com', phone: '' }),
      getVerificationCode: answer(null),
      cancelAccount: refuse(409, 'LAST_ADMINISTRATOR', words),
    });
    const user = userEvent.setup();
    const { container } = openConsole('/person/destoryAccount');
    await user.click(await screen.findByRole('button', { name: 'Send the code' }));
    await typeCode(user, '333333');
    const button = screen.getByRole('button', { name: 'Cancel the account' });
    expect(button).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Type the account "admin" to confirm'), 'admin');
    expect(button).toHaveProperty('disabled', false);
    await user.click(button);
    const [, confirm] = await screen.findAllByRole('button', { name: 'Cancel the account' });
    await user.click(confirm as HTMLElement);
    await waitFor(() => expect(container.querySelector('.dc-notice')?.textContent).toBe(words));
    expect(localStorage.getItem('Authorization')).toBe('T1');
  });
});
