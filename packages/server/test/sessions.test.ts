import { createHash } from 'node:crypto';
import { accountCalls, personalCalls, roleCalls, tenancyCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, type TestUser, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;
let tenancyId: string;

beforeAll(async () => {
  hub = await startHub();
  tenancyId = await hub.create.tenancy();
});
afterAll(() => hub.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const newUser = () => hub.create.user({ tenancyId });
const rowsOf = ({ userId }: TestUser) =>
  hub.db.selectFrom('session').selectAll().where('user_id', '=', userId).orderBy('created_at').execute();
const hashOf = (client: Client): string => createHash('sha256').update(client.token).digest('hex');

/** Time passes for one session. */
const age = (client: Client, columns: { created?: number; used?: number }, { db }: Pick<Hub, 'db'> = hub) =>
  db
    .updateTable('session')
    .set((row) => ({
      created_at: row('created_at', '-', columns.created ?? 0),
      last_used_at: row('last_used_at', '-', columns.used ?? 0),
    }))
    .where('token_hash', '=', hashOf(client))
    .execute();

const works = async (client: Client): Promise<boolean> => {
  const answer = await client.call(personalCalls.getPersonalMessage, {});
  if (!answer.success) expect([answer.statusCode, answer.code]).toEqual([401, 'TOKEN_INVALID']);
  return answer.success;
};

describe('a user session', () => {
  it('is stored as a digest of its token', async () => {
    const user = await newUser();
    const [row, ...more] = await rowsOf(user);
    expect(more).toEqual([]);
    expect(row?.token_hash).toBe(hashOf(user));
    expect(user.token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain(user.token);
    // The digest is no token.
    expect(await works({ ...user, ...(await hub.login(user.username, PASSWORD)) })).toBe(true);
    const answer = await fetch(`${hub.url}${personalCalls.getPersonalMessage.path}`, {
      headers: { Authorization: row?.token_hash ?? '' },
    });
    expect(answer.status).toBe(401);
  });

  // Spec 7.21
  it('ends with logout, and no other with it', async () => {
    const user = await newUser();
    const other = await hub.login(user.username, PASSWORD);
    expect(await user.ok(personalCalls.loginOut, {})).toBeNull();
    expect([await works(user), await works(other)]).toEqual([false, true]);
    expect((await user.error(personalCalls.loginOut, {})).code).toBe('TOKEN_INVALID');
    expect((await rowsOf(user)).map((row) => row.token_hash)).toEqual([hashOf(other)]);
  });

  it('throttles password guesses', async () => {
    const user = await newUser();
    const guess = () =>
      user.error(personalCalls.firstLoginUpdatePassword, { oldPassword: 'Wrong-pass1', newPassword: 'Another-88' });
    for (let tries = 0; tries < 5; tries++) expect((await guess()).code).toBe('OLD_PASSWORD_WRONG');
    const pause = hub.db.updateTable('login_attempt').set({ blocked_until: Date.now() + MINUTE });
    await pause.where('attempt_key', 'like', `pair:% ${user.username}`).where('blocked_until', '>', 0).execute();
    expect(await guess()).toMatchObject({ statusCode: 429, code: 'LOGIN_THROTTLED' });
    const login = await hub.anonymous.error(accountCalls.login, { username: user.username, password: PASSWORD });
    expect(login.code).toBe('LOGIN_THROTTLED');
  });

  // Spec 2.66, 7.17
  it('ends when another session changes the password', async () => {
    const user = await newUser();
    const others = [await hub.login(user.username, PASSWORD), await hub.login(user.username, PASSWORD)];
    const wrong = await user.error(personalCalls.firstLoginUpdatePassword, {
      oldPassword: 'Wrong-pass1',
      newPassword: 'Another-88',
    });
    expect(wrong.code).toBe('OLD_PASSWORD_WRONG');
    expect(await Promise.all([user, ...others].map(works))).toEqual([true, true, true]);
    await user.ok(personalCalls.firstLoginUpdatePassword, { oldPassword: PASSWORD, newPassword: 'Another-88' });
    expect(await Promise.all([user, ...others].map(works))).toEqual([true, false, false]);
    const { username } = user;
    expect((await hub.anonymous.error(accountCalls.login, { username, password: PASSWORD })).code).toBe('LOGIN_FAILED');
    await hub.login(username, 'Another-88');
  });

  it.each([
    ['containing the account', (user: TestUser) => `X${user.username}-1`, 'PASSWORD_CONTAINS_ACCOUNT'],
    ['equal to the old one', () => PASSWORD, 'PASSWORD_UNCHANGED'],
  ])('is not affected by a password %s', async (_what, choose, code) => {
    const user = await newUser();
    const other = await hub.login(user.username, PASSWORD);
    const sent = { oldPassword: PASSWORD, newPassword: choose(user) };
    expect((await user.error(personalCalls.firstLoginUpdatePassword, sent)).code).toBe(code);
    expect([await works(user), await works(other)]).toEqual([true, true]);
  });

  it('ends at once with another role, but not with the same', async () => {
    const user = await newUser();
    await hub.admin.ok(userCalls.setUserRole, { userId: user.userId, roleId: user.roleId });
    expect(await works(user)).toBe(true);
    await hub.admin.ok(userCalls.setUserRole, { userId: user.userId, roleId: await hub.create.role(tenancyId, [302]) });
    expect(await works(user)).toBe(false);
    expect(await rowsOf(user)).toEqual([]);
  });

  it('follows a change of its role’s menus at the next request', async () => {
    const user = await newUser();
    await user.ok(roleCalls.queryRoleList, {});
    await hub.db.deleteFrom('role_menu').where('role_id', '=', user.roleId).execute();
    expect((await user.error(roleCalls.queryRoleList, {})).code).toBe('FORBIDDEN');
  });

  it('ends at once when the user is deleted or the password reset', async () => {
    const [deleted, reset] = [await newUser(), await newUser()];
    await hub.admin.ok(userCalls.deleteUsers, { userIds: [deleted.userId] });
    await hub.admin.ok(userCalls.resetPassword, { userId: reset.userId });
    expect([await works(deleted), await works(reset)]).toEqual([false, false]);
    expect([await rowsOf(deleted), await rowsOf(reset)]).toEqual([[], []]);
  });

  it('ends at once when the tenant is disabled, and stays ended', async () => {
    const closing = await hub.create.tenancy();
    const [user, untouched] = [await hub.create.user({ tenancyId: closing }), await newUser()];
    await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closing, enabled: 0 });
    expect([await works(user), await works(untouched)]).toEqual([false, true]);
    expect(await rowsOf(user)).toEqual([]);
    const { username } = user;
    expect((await hub.anonymous.error(accountCalls.login, { username, password: PASSWORD })).code).toBe(
      'TENANCY_CLOSED',
    );
    await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closing, enabled: 1 });
    expect(await works(user)).toBe(false);
    expect(await works(await hub.login(username, PASSWORD))).toBe(true);
  });

  it('expires after two hours without use', async () => {
    const user = await newUser();
    await age(user, { used: 2 * HOUR - MINUTE });
    expect(await works(user)).toBe(true);
    await age(user, { used: 2 * HOUR });
    expect(await works(user)).toBe(false);
  });

  it('expires after twenty-four hours of use', async () => {
    const user = await newUser();
    await age(user, { created: 24 * HOUR - MINUTE });
    expect(await works(user)).toBe(true);
    await age(user, { created: MINUTE });
    expect(await works(user)).toBe(false);
  });

  it('follows the configured lifetimes, and use extends also a short one', async () => {
    const strict = await startHub({ SESSION_IDLE: '1m', SESSION_LIFE: '1h' });
    try {
      const { admin } = strict;
      await age(admin, { used: MINUTE / 2 }, strict);
      expect(await works(admin)).toBe(true);
      await age(admin, { used: (MINUTE * 3) / 4 }, strict);
      expect(await works(admin)).toBe(true);
      await age(admin, { used: MINUTE }, strict);
      expect(await works(admin)).toBe(false);
      const again = await strict.login('admin', ADMIN_PASSWORD);
      await age(again, { created: HOUR - MINUTE }, strict);
      expect(await works(again)).toBe(true);
      await age(again, { created: MINUTE }, strict);
      expect(await works(again)).toBe(false);
    } finally {
      await strict.close();
    }
  });

  it('stores its last use at most once a minute', async () => {
    const user = await newUser();
    const lastUsed = async () => (await rowsOf(user))[0]?.last_used_at ?? 0;
    const first = await lastUsed();
    for (let time = 0; time < 3; time++) expect(await works(user)).toBe(true);
    expect(await lastUsed()).toBe(first);
    await age(user, { used: MINUTE / 2 });
    const before = await lastUsed();
    const startedAt = Date.now();
    expect(await works(user)).toBe(true);
    expect(await lastUsed()).toBe(before);
    await age(user, { used: MINUTE });
    expect(await works(user)).toBe(true);
    expect(await lastUsed()).toBeGreaterThanOrEqual(startedAt);
  });
});

describe('the sessions of a user', () => {
  it('are listed with their origin, last used first', async () => {
    const user = await newUser();
    const { token } = (await (
      await fetch(`${hub.url}${accountCalls.login.path}`, {
        method: 'POST',
        headers: { 'User-Agent': 'Browser/1.0' },
        body: new URLSearchParams({ username: user.username, password: PASSWORD }),
      })
    )
      .json()
      .then((answer) => (answer as { data: { token: string } }).data)) as { token: string };
    await age(user, { created: HOUR, used: HOUR - 1_000 });
    await hub.login((await newUser()).username, PASSWORD);
    const mine = await user.ok(personalCalls.getSessions, {});
    expect(mine.map((session) => session.current)).toEqual([1, 0]);
    expect(mine[1]).toMatchObject({ userAgent: 'Browser/1.0', ip: '127.0.0.1' });
    const [own] = mine;
    expect(Date.parse(own?.expireTime ?? '') - Date.parse(own?.createTime ?? '')).toBe(24 * HOUR);
    expect(JSON.stringify(mine)).not.toContain(token);
  });

  it("can be ended one by one, and no other user's", async () => {
    const [user, foreign] = [await newUser(), await newUser()];
    const other = await hub.login(user.username, PASSWORD);
    const [theirs] = await rowsOf(foreign);
    const refusal = await user.error(personalCalls.endSession, { sessionId: theirs?.session_id ?? '' });
    expect([refusal.statusCode, refusal.code]).toEqual([404, 'SESSION_NOT_FOUND']);
    expect(await works(foreign)).toBe(true);
    const sessionId = (await rowsOf(user)).find((row) => row.token_hash === hashOf(other))?.session_id ?? '';
    await user.ok(personalCalls.endSession, { sessionId });
    expect([await works(user), await works(other)]).toEqual([true, false]);
    expect((await user.error(personalCalls.endSession, { sessionId })).code).toBe('SESSION_NOT_FOUND');
  });

  it('can be ended except the current one', async () => {
    const [user, foreign] = [await newUser(), await newUser()];
    const others = await Promise.all([1, 2, 3].map(() => hub.login(user.username, PASSWORD)));
    expect(await user.ok(personalCalls.endOtherSessions, {})).toEqual({ ended: 3 });
    expect(await Promise.all([user, foreign, ...others].map(works))).toEqual([true, true, false, false, false]);
    expect(await user.ok(personalCalls.endOtherSessions, {})).toEqual({ ended: 0 });
  });
});

describe('user preferences', () => {
  it('are stored per user, replaced as a whole, and limited', async () => {
    const [user, other] = [await newUser(), await newUser()];
    expect(await user.ok(personalCalls.getPreferences, {})).toEqual({ preferences: {} });
    const first = { theme: 'dark', views: [{ name: '我的', columns: ['a', null, 1.5] }], constructor: 'x' };
    await user.ok(personalCalls.savePreferences, { preferences: first }, { as: 'json' });
    expect(await user.ok(personalCalls.getPreferences, {})).toEqual({ preferences: first });
    expect(await other.ok(personalCalls.getPreferences, {})).toEqual({ preferences: {} });

    const second = { density: 'tight' };
    await user.ok(personalCalls.savePreferences, { preferences: second }, { as: 'json' });
    const large = { preferences: { text: 'x'.repeat(64 * 1024) } };
    const refusal = await user.error(personalCalls.savePreferences, large, { as: 'json' });
    expect([refusal.statusCode, refusal.code]).toEqual([400, 'BAD_INPUT']);
    expect(refusal.details).toEqual([{ field: 'preferences', message: 'The preferences are too large' }]);
    expect(await user.ok(personalCalls.getPreferences, {})).toEqual({ preferences: second });
    const fits = { preferences: { text: 'x'.repeat(64 * 1024 - 20) } };
    await user.ok(personalCalls.savePreferences, fits, { as: 'json' });
    expect(await user.ok(personalCalls.getPreferences, {})).toEqual(fits);
  });
});

describe('the first login', () => {
  // Spec 2.46, 4.59, 7.17
  it('allows only the change of the password', async () => {
    const username = unique('fresh');
    const email = `${username}@example.com`;
    const roleId = await hub.create.role(tenancyId, [201, 202, 302]);
    await hub.admin.ok(userCalls.addUser, { username, name: 'Han Mei', email, roleId, tenancyId });
    const oldPassword = await hub.mailbox.readPassword(email);
    const first = await hub.login(username, oldPassword);
    expect(await first.ok(personalCalls.getPersonalMessage, {})).toMatchObject({ username, isFirst: 1 });
    await first.ok(roleCalls.getRoleMenu, { roleId });
    for (const call of [roleCalls.queryRoleList, personalCalls.getSessions, roleCalls.queryMenuList]) {
      const refusal = await first.error(call, {});
      expect([refusal.statusCode, refusal.code]).toEqual([403, 'FIRST_LOGIN']);
    }
    await first.ok(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
    expect(await first.ok(personalCalls.getPersonalMessage, {})).toMatchObject({ isFirst: 0 });
    await first.ok(roleCalls.queryRoleList, {});
  });
});
