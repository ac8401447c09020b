import { accountCalls, CodePurpose, errorText, Menu, personalCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { fill, fillCode, openConsole, problemOf, recordRequests } from '../../../test/console.tsx';
import { adminSession, client, createUser, createUserWithMenus, findCodeFor, uniqueEmail } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

type User = Awaited<ReturnType<typeof createUser>>;

const getPerson = (token: string) => client(token).ok(personalCalls.getPersonalMessage, {});
const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');

describe('address pages', () => {
  let ann: User;
  let bob: User;

  beforeAll(async () => {
    const { roleId, tenancyId, ...first } = await createUserWithMenus([Menu.auditLog]);
    ann = first;
    bob = await createUser({ roleId, tenancyId });
  });

  // Spec 1.20, 2.22, 2.67
  it('changes the e-mail after codes to the current and to the new address', async () => {
    saveSession(ann.session);
    const newEmail = uniqueEmail();
    const user = userEvent.setup();
    const { router } = openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    expect(screen.queryByLabelText('New e-mail')).toBeNull();
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, await findCodeFor(ann.email));
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await fill(user, 'New e-mail', newEmail);
    await fill(user, 'Confirm e-mail', newEmail);
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, await findCodeFor(newEmail));
    await user.click(screen.getByRole('button', { name: 'Bind' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/person/personCenter'));
    expect(localStorage.getItem('email')).toBe(newEmail);
    expect(await getPerson(ann.session.token)).toMatchObject({ email: newEmail });
  });

  it('changes the e-mail with the password, and shows a wrong one at its field', async () => {
    const { session, password } = await createUserWithMenus([Menu.auditLog]);
    saveSession(session);
    const newEmail = uniqueEmail();
    const user = userEvent.setup();
    const { router } = openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Verify by password' }));
    await fill(user, 'Password', 'Wrong-pass1');
    await fill(user, 'New e-mail', newEmail);
    await fill(user, 'Confirm e-mail', newEmail);
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, await findCodeFor(newEmail));
    await user.click(screen.getByRole('button', { name: 'Bind' }));
    await waitFor(() =>
      expect(problemOf(screen.getByLabelText('Password'))).toBe(errorText('PASSWORD_WRONG', 'en_US')),
    );
    expect(await getPerson(session.token)).not.toMatchObject({ email: newEmail });
    await user.clear(screen.getByLabelText('Password'));
    await fill(user, 'Password', password);
    await user.click(screen.getByRole('button', { name: 'Bind' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/person/personCenter'));
    expect(await getPerson(session.token)).toMatchObject({ email: newEmail });
  });

  it('stays on the step with an error after a wrong code', async () => {
    saveSession(bob.session);
    const user = userEvent.setup();
    const { container } = openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, wrongCode(await findCodeFor(bob.email)));
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() =>
      expect(container.querySelector('.dc-field-error')?.textContent).toBe(errorText('CODE_WRONG', 'en_US')),
    );
    expect(screen.queryByLabelText('New e-mail')).toBeNull();
  });

  // Spec 2.25, 5.11
  it('sends nothing if the repeated phone differs', async () => {
    saveSession(bob.session);
    const sent = recordRequests();
    const user = userEvent.setup();
    openConsole('/person/bindPhone');
    await fill(user, 'Password', bob.password);
    await fill(user, 'New phone', '13900000001');
    await fill(user, 'Confirm phone', '13900000002');
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByText('The phones do not match')).toBeTruthy();
    expect(sent.filter(({ call }) => /Code|bind/.test(call))).toEqual([]);
  });

  // Spec 5.9
  it('sends nothing if the repeated e-mail differs', async () => {
    const { session, email } = await createUserWithMenus([Menu.auditLog]);
    saveSession(session);
    const user = userEvent.setup();
    openConsole('/person/updateEmail');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, await findCodeFor(email));
    await user.click(screen.getByRole('button', { name: 'Next' }));
    const sent = recordRequests();
    await fill(user, 'New e-mail', uniqueEmail());
    await fill(user, 'Confirm e-mail', uniqueEmail());
    await user.click(screen.getByRole('button', { name: 'Send code' }));
    expect(await screen.findByText('The e-mails do not match')).toBeTruthy();
    expect(sent.filter(({ call }) => /Code|bind/.test(call))).toEqual([]);
    expect(await getPerson(session.token)).toMatchObject({ email });
  });

  // Spec 2.23, 8.26
  it('offers to bind a phone if there is none to change', async () => {
    saveSession(bob.session);
    openConsole('/person/updatePhone');
    expect(await screen.findByText('Unbound phone, feature unavailable')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Bind phone' }).getAttribute('href')).toBe('/person/bindPhone');
  });
});

describe('account cancellation', () => {
  // Spec 2.24, 2.68
  it('requires code and account name, and shows why the last administrator cannot be cancelled', async () => {
    const session = await adminSession();
    const email = uniqueEmail();
    const { ok } = client(session.token);
    await ok(accountCalls.getVerificationCode, { email, type: CodePurpose.bind });
    await ok(personalCalls.bindEmail, { email, code: await findCodeFor(email), password: inject('adminPassword') });
    saveSession(session);
    const user = userEvent.setup();
    const { container } = openConsole('/person/destoryAccount');
    await user.click(await screen.findByRole('button', { name: 'Send code' }));
    await screen.findAllByRole('group', { name: 'Verification code' });
    await fillCode(user, await findCodeFor(email));
    const button = screen.getByRole('button', { name: 'Cancel account' });
    expect(button).toHaveProperty('disabled', true);
    await user.type(screen.getByLabelText('Type the account "admin" to confirm'), 'admin');
    expect(button).toHaveProperty('disabled', false);
    await user.click(button);
    const [, confirm] = await screen.findAllByRole('button', { name: 'Cancel account' });
    await user.click(confirm as HTMLElement);
    const message = errorText('LAST_ADMINISTRATOR', 'en_US');
    await waitFor(() => expect(container.querySelector('.dc-notice')?.textContent).toBe(message));
    expect(localStorage.getItem('Authorization')).toBe(session.token);
    expect(await getPerson(session.token)).toMatchObject({ username: 'admin', email });
  });
});
