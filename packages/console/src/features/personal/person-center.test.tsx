import { errorText, fieldTexts, Menu, personalCalls } from '@device-center/contract';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { fill, openConsole, problemAt, recordRequests } from '../../../test/console.tsx';
import { client, createRole, createTenant, createUser, createUserWithMenus, uniquePhone } from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';

// The first page of a worker loads antd.
const FIRST_PAGE_TIMEOUT = { timeout: 30_000 };

describe('personal center', () => {
  // Spec 2.64
  it('shows account, name and phone, and changes the name', async () => {
    const { tenancyId } = await createTenant();
    const { roleId } = await createRole(tenancyId, [Menu.auditLog]);
    const phone = uniquePhone();
    const person = await createUser({ tenancyId, roleId, phone });
    saveSession(person.session);
    const user = userEvent.setup();
    openConsole('/person/personCenter');
    const profile = await screen.findByRole('region', { name: 'Profile' }, FIRST_PAGE_TIMEOUT);
    expect(profile.textContent).toContain(person.username);
    expect(profile.textContent).toContain(person.name);
    expect(await screen.findByText(phone)).toBeTruthy();

    await user.click(screen.getByRole('button', { name: 'Edit person name' }));
    const field = screen.getByRole('textbox', { name: 'Person name' });
    await user.clear(field);
    await user.type(field, '42');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(problemAt('Person name')).toBe(fieldTexts.PERSON_NAME.en_US);
    await user.clear(field);
    await user.type(field, '李雷');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(profile.textContent).toContain('李雷'));
    expect(await client(person.session.token).ok(personalCalls.getPersonalMessage, {})).toMatchObject({
      name: '李雷',
      phone,
    });
  });

  // Spec 1.20, 2.21, 2.66, 5.3, 5.4
  it('sends nothing if the new passwords differ or contain the account', async () => {
    const { session, username, password } = await createUserWithMenus([Menu.auditLog]);
    saveSession(session);
    const user = userEvent.setup();
    const sent = recordRequests();
    openConsole('/person/updatePassword');
    await fill(user, 'Current password', password);
    await fill(user, 'New password', `${username}-1`);
    await fill(user, 'Confirm new password', 'Better-pass1');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(problemAt('Confirm new password')).toBe('The passwords do not match'));
    expect(problemAt('New password')).toBe(errorText('PASSWORD_CONTAINS_ACCOUNT', 'en_US'));
    expect(sent.filter(({ call }) => call === 'firstLoginUpdatePassword')).toEqual([]);

    await user.clear(screen.getByLabelText('New password'));
    await fill(user, 'New password', 'Better-pass1');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(sent.filter(({ call }) => call === 'firstLoginUpdatePassword')).toHaveLength(1));
  });
});
