import { apiKeyCalls, deviceCalls, Menu } from '@device-center/contract';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fill, openConsole, pickChoice, problemAt } from '../../../test/console.tsx';
import {
  client,
  createApplication,
  createRole,
  createUserWithMenus,
  type LoginAnswer,
  unique,
} from '../../../test/hub.ts';
import { saveSession } from '../../api/session.ts';
import { daysLeft, expireTimeOf } from './expiry.ts';

const KEYS = '/systemConfig/apiKeyList';
const DAY_MS = 86_400_000;

describe('API key list', () => {
  const user = userEvent.setup();
  let session: LoginAnswer;
  let role: { roleId: string; roleName: string };

  beforeAll(async () => {
    ({ session } = await createUserWithMenus([Menu.apiKeyList, Menu.deviceList, Menu.productList]));
    role = await createRole(session.tenancyId, [Menu.deviceList]);
  });
  beforeEach(() => saveSession(session));

  const ownClient = () => client(session.token);
  const findKey = async (keyName: string) => (await ownClient().ok(apiKeyCalls.queryApiKeyList, { keyName })).list[0];
  const createKey = async (options: { expireTime?: number } = {}) => {
    const keyName = unique('key');
    await ownClient().ok(apiKeyCalls.addApiKey, { keyName, roleId: role.roleId, ...options });
    return keyName;
  };
  const openForm = async () => {
    await user.click((await screen.findAllByRole('button', { name: 'Create API key' }))[0] as HTMLElement);
    return within(await screen.findByRole('dialog'));
  };

  it('creates a working key for a role and shows it once', async () => {
    openConsole(KEYS);
    const dialog = await openForm();
    await user.click(dialog.getByRole('button', { name: 'Create API key' }));
    await waitFor(() => expect(problemAt('Key name')).toBe('The input cannot be empty, please re-enter'));
    expect(problemAt('Role')).toBe('The input cannot be empty, please re-enter');
    const keyName = unique('key');
    await fill(user, 'Key name', keyName);
    await pickChoice(user, 'Role', role.roleName);
    await user.click(dialog.getByRole('button', { name: 'Create API key' }));

    expect(await screen.findByText('The key is shown only once. Store it in a safe place now.')).toBeTruthy();
    const key = screen.getByText(/^dck_[\w-]+$/).textContent ?? '';
    expect(screen.getByText(`Authorization: Bearer ${key}`)).toBeTruthy();
    const example = screen.getByRole('region', { name: 'Example' }).textContent ?? '';
    expect(example).toContain(`Authorization: Bearer ${key}`);
    const address = /"(http[^"]+)"/.exec(example)?.[1] ?? '';
    expect(address).toContain(deviceCalls.queryDeviceList.path);
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
    expect(await answer.json()).toMatchObject({ success: true });

    await user.click(screen.getByRole('button', { name: 'I have stored the key' }));
    await waitFor(() => expect(screen.queryByText(key)).toBeNull());
    expect(await screen.findByText(keyName)).toBeTruthy();
    const row = await findKey(keyName);
    expect(row).toMatchObject({ scope: 'role', roleName: role.roleName });
    expect(daysLeft(row?.expireTime ?? '', Date.now())).toBe(89);
  });

  it('creates a key for synchronisation into an application', async () => {
    const { applicationId, applicationName } = await createApplication(session.tenancyId);
    openConsole(KEYS);
    const dialog = await openForm();
    const keyName = unique('sync');
    await fill(user, 'Key name', keyName);
    await user.click(dialog.getByLabelText('Synchronisation'));
    await pickChoice(user, 'Application', applicationName);
    await user.click(dialog.getByLabelText('Never'));
    await user.click(dialog.getByRole('button', { name: 'Create API key' }));
    expect(await screen.findByText(/^On the other platform/)).toBeTruthy();
    expect(await findKey(keyName)).toMatchObject({ scope: 'sync', applicationId, expireTime: null });
  });

  it('shows a name conflict at the name field', async () => {
    const keyName = await createKey();
    openConsole(KEYS);
    const dialog = await openForm();
    await fill(user, 'Key name', keyName);
    await pickChoice(user, 'Role', role.roleName);
    await user.click(dialog.getByRole('button', { name: 'Create API key' }));
    await waitFor(() => expect(problemAt('Key name')).toBe('An API key with this name already exists'));
  });

  it('highlights a key that expires soon, and revokes it after confirmation', async () => {
    const keyName = await createKey({ expireTime: Date.now() + 3.5 * DAY_MS });
    openConsole(`${KEYS}?keyName=${keyName}`);
    expect(await screen.findByText('Expires in 3 d')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: `Revoke key: ${keyName}` }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText(/^Applications using this key lose access/)).toBeTruthy();
    expect(await findKey(keyName)).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: 'Revoke key' }));
    await waitFor(async () => expect(await findKey(keyName)).toBeUndefined());
    await waitFor(() => expect(screen.queryByText(keyName)).toBeNull());
  });
});

describe('expireTimeOf', () => {
  const now = Date.parse('2026-11-16T08:00:00Z');

  it('returns a time in a number of days, a custom time, or none', () => {
    expect(expireTimeOf('30', '', now)).toBe('2026-12-16T08:00:00.000Z');
    expect(expireTimeOf('never', 'x', now)).toBe('');
    expect(expireTimeOf('custom', '2027-01-01T00:00:00.000Z', now)).toBe('2027-01-01T00:00:00.000Z');
  });
});
