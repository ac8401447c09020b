import { expect, it } from 'vitest';
import { adminSession } from '../../test/hub.ts';
import { saveSession } from './session.ts';

// Spec 3.168
it('stores a session in local storage under exactly the names of the specification', async () => {
  const session = await adminSession();
  localStorage.clear();
  saveSession(session);
  const { token, menus, isFirst, userId, username, email, phone, image, roleId, tenancyId, tenancyName } = session;
  expect({ ...localStorage }).toEqual({
    Authorization: token,
    ...{ roleId, userId, username, email, phone, image, tenancyName, tenancyId },
    isFirst: String(isFirst),
    menus: JSON.stringify(menus),
  });
});
