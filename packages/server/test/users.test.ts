import { accountCalls, personalCalls, roleCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, type TestUser, unique, uniquePhone } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let tenancyId: string;
let roleId: string;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    roleId = await hub.create.role(tenancyId, [202]);
  });
  afterAll(() => hub.close());
};

const fieldsOf = (more: object = {}) => {
  const username = unique('user');
  return {
    username,
    name: '李雷',
    email: `${username}@example.com`,
    phone: uniquePhone(),
    roleId,
    tenancyId,
    ...more,
  };
};
const rowOf = (userId: string) =>
  hub.db.selectFrom('user_account').selectAll().where('user_id', '=', userId).executeTakeFirst();
const countUsers = async (): Promise<number> =>
  (await hub.db.selectFrom('user_account').select('user_id').execute()).length;
const sessionsOf = (userId: string) =>
  hub.db.selectFrom('session').select('session_id').where('user_id', '=', userId).execute();

const isGone = async (client: TestUser): Promise<void> => {
  const refusal = await client.error(personalCalls.getPersonalMessage, {});
  expect(refusal).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID' });
  expect(await sessionsOf(client.userId)).toEqual([]);
};

describeOnEachEngine(() => {
  setUp();

  describe('a new user', () => {
    it.each([
      ['username', 'USERNAME_TAKEN', 'This account already exists'],
      ['email', 'EMAIL_TAKEN', 'This e-mail is already in use'],
      ['phone', 'PHONE_TAKEN', 'This phone is already in use'],
    ] as const)('requires a %s that is unique on the hub, ignoring case', async (field, code, message) => {
      const first = fieldsOf();
      await hub.admin.ok(userCalls.addUser, first);
      const before = await countUsers();
      const elsewhere = await hub.create.tenancy();
      const other = { tenancyId: elsewhere, roleId: await hub.create.role(elsewhere, [202]) };
      const queued = () => hub.db.selectFrom('outbox').select('outbox_id').orderBy('outbox_id').execute();
      const mails = await queued();
      for (const value of [first[field], first[field].toUpperCase()]) {
        const refusal = await hub.admin.error(userCalls.addUser, { ...fieldsOf(other), [field]: value });
        expect(refusal).toMatchObject({ statusCode: 409, code, message, details: [{ field, message }] });
      }
      expect(await countUsers()).toBe(before);
      expect(await queued()).toEqual(mails);
    });

    it('is created once by concurrent requests with the same name', async () => {
      const sent = fieldsOf({ phone: undefined });
      const answers = await Promise.all([1, 2, 3, 4, 5].map(() => hub.admin.call(userCalls.addUser, sent)));
      expect(answers.filter(({ success }) => success)).toHaveLength(1);
      expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(4);
    });

    it('needs no phone, and several may have none', async () => {
      for (const phone of ['', undefined]) {
        const { userId } = await hub.admin.ok(userCalls.addUser, fieldsOf({ phone }));
        expect((await rowOf(userId))?.phone).toBeNull();
      }
    });
  });

  describe('deletion of users', () => {
    // Spec 7.37
    it('ends their sessions and deletes them, all or none', async () => {
      const users = [await hub.create.user({ tenancyId, roleId }), await hub.create.user({ tenancyId, roleId })];
      const userIds = users.map(({ userId }) => userId);
      const none = await hub.admin.error(userCalls.deleteUsers, { userIds: [...userIds, 'none'] });
      expect(none).toMatchObject({ statusCode: 404, code: 'USER_NOT_FOUND' });
      for (const user of users) await user.ok(personalCalls.getPersonalMessage, {});

      const done = await hub.admin.call(userCalls.deleteUsers, { userIds: [...userIds, ...userIds] });
      expect(done).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 2 } });
      for (const user of users) {
        await isGone(user);
        expect(await rowOf(user.userId)).toBeUndefined();
      }
      // Their accounts and addresses can be used again.
      const [first] = users;
      await hub.admin.ok(userCalls.addUser, fieldsOf({ username: first?.username, email: first?.email }));
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('a new user', () => {
    // Spec 7.38
    it('gets a one-time password by mail, which must be changed', async () => {
      const sent = fieldsOf();
      const { userId } = await hub.admin.ok(userCalls.addUser, sent);
      const oldPassword = await hub.mailbox.readPassword(sent.email);
      expect(oldPassword).toMatch(/^[A-Za-z0-9]{14}$/);
      const row = await rowOf(userId);
      expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
      expect(JSON.stringify(row)).not.toContain(oldPassword);

      const answer = await hub.anonymous.ok(accountCalls.login, { username: sent.username, password: oldPassword });
      expect(answer).toMatchObject({ ...sent, userId, isFirst: 1, menus: [2, 202] });
      const first = await hub.login(sent.username, oldPassword);
      const same = { oldPassword, newPassword: oldPassword };
      expect(await first.error(personalCalls.firstLoginUpdatePassword, same)).toMatchObject({
        code: 'PASSWORD_UNCHANGED',
      });
      await first.ok(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
      expect((await first.ok(personalCalls.getPersonalMessage, {})).isFirst).toBe(0);
      const again = await hub.anonymous.error(accountCalls.login, { username: sent.username, password: oldPassword });
      expect(again.code).toBe('LOGIN_FAILED');
      await hub.login(sent.username, PASSWORD);
    });

    // Spec 6.4
    it('gets a role of its own tenant', async () => {
      const before = await countUsers();
      const other = await hub.create.role(await hub.create.tenancy(), [202]);
      for (const wrong of [other, '1']) {
        const refusal = await hub.admin.error(userCalls.addUser, fieldsOf({ roleId: wrong }));
        expect(refusal).toMatchObject({
          statusCode: 409,
          code: 'ROLE_OF_OTHER_TENANCY',
          details: [{ field: 'roleId' }],
        });
      }
      const none = await hub.admin.error(userCalls.addUser, fieldsOf({ roleId: 'none' }));
      expect(none).toMatchObject({ statusCode: 404, code: 'ROLE_NOT_FOUND' });
      const nowhere = await hub.admin.error(userCalls.addUser, fieldsOf({ tenancyId: 'none' }));
      expect(nowhere).toMatchObject({ statusCode: 404, code: 'TENANCY_NOT_FOUND' });
      expect(await countUsers()).toBe(before);
    });

    it('gets no role with menus that its creator does not have', async () => {
      const clerk = await hub.create.user({ tenancyId, menus: [202] });
      const strong = await hub.create.role(tenancyId, [201, 202]);
      const before = await countUsers();
      const refusal = await clerk.error(userCalls.addUser, fieldsOf({ roleId: strong }));
      expect(refusal).toMatchObject({ statusCode: 403, code: 'MENU_NOT_YOURS' });
      expect(await countUsers()).toBe(before);
      const self = { userId: clerk.userId, roleId: strong };
      expect(await clerk.error(userCalls.setUserRole, self)).toMatchObject({ code: 'MENU_NOT_YOURS' });
      expect((await rowOf(clerk.userId))?.role_id).toBe(clerk.roleId);
    });
  });

  describe('a change of the role', () => {
    // Spec 6.5, 7.39
    it('stays within the user’s tenant, and ends the user’s sessions at once', async () => {
      const user = await hub.create.user({ tenancyId, roleId });
      const other = await hub.create.role(await hub.create.tenancy(), [202]);
      const wrong = await hub.admin.error(userCalls.setUserRole, { userId: user.userId, roleId: other });
      expect(wrong).toMatchObject({ statusCode: 409, code: 'ROLE_OF_OTHER_TENANCY' });
      await user.ok(personalCalls.getPersonalMessage, {});

      const next = await hub.create.role(tenancyId, [201]);
      const answer = await hub.admin.call(userCalls.setUserRole, { userId: user.userId, roleId: next });
      expect(answer).toMatchObject({ success: true, message: 'Operation succeeded' });
      await isGone(user);
      const back = await hub.login(user.username, PASSWORD);
      expect((await back.ok(personalCalls.getPersonalMessage, {})).roleId).toBe(next);
      expect(await back.error(userCalls.queryUserList, {})).toMatchObject({ code: 'FORBIDDEN' });
      await back.ok(roleCalls.queryRoleList, {});
    });
  });

  describe('resetPassword', () => {
    it('ends the sessions, sends a mail, and requires a change', async () => {
      const user = await hub.create.user({ tenancyId, roleId });
      const answer = await hub.admin.call(userCalls.resetPassword, { userId: user.userId });
      expect(answer).toMatchObject({ success: true, data: null });
      await isGone(user);
      const old = await hub.anonymous.error(accountCalls.login, { username: user.username, password: PASSWORD });
      expect(old.code).toBe('LOGIN_FAILED');
      const password = await hub.mailbox.readPassword(user.email);
      const first = await hub.anonymous.ok(accountCalls.login, { username: user.username, password });
      expect(first.isFirst).toBe(1);
    });

    it('requires an e-mail address', async () => {
      const before = await rowOf('1');
      const refusal = await hub.admin.error(userCalls.resetPassword, { userId: '1' });
      expect(refusal).toMatchObject({ statusCode: 409, code: 'EMAIL_UNBOUND' });
      expect(await rowOf('1')).toEqual(before);
      await hub.login('admin', ADMIN_PASSWORD);
    });
  });

  describe('deletion of users', () => {
    it('never deletes the caller', async () => {
      const [user, other] = [
        await hub.create.user({ tenancyId, roleId }),
        await hub.create.user({ tenancyId, roleId }),
      ];
      const refusal = await user.error(userCalls.deleteUsers, { userIds: [other.userId, user.userId] });
      expect(refusal).toMatchObject({ statusCode: 409, code: 'DELETE_SELF', message: 'You cannot delete yourself' });
      await user.ok(personalCalls.getPersonalMessage, {});
      await other.ok(personalCalls.getPersonalMessage, {});
    });
  });

  it('rejects to change, reset or delete a user with more permissions', async () => {
    const clerk = await hub.create.user({ tenancyId, menus: [201, 202] });
    const chief = await hub.create.user({ tenancyId, menus: [201, 202, 302] });
    const before = await rowOf(chief.userId);
    const { userId } = chief;
    const refusals = [
      await clerk.error(userCalls.setUserRole, { userId, roleId: clerk.roleId }),
      await clerk.error(userCalls.resetPassword, { userId }),
      await clerk.error(userCalls.deleteUsers, { userIds: [userId] }),
      await clerk.error(roleCalls.updateRole, { roleId: chief.roleId, roleName: unique('role'), menus: [202] }),
    ];
    for (const refusal of refusals) expect(refusal).toMatchObject({ statusCode: 403, code: 'USER_HAS_MORE_RIGHTS' });
    expect(await rowOf(userId)).toEqual(before);
    await chief.ok(personalCalls.getPersonalMessage, {});
    await chief.ok(userCalls.setUserRole, { userId: clerk.userId, roleId });
    await chief.ok(userCalls.deleteUsers, { userIds: [clerk.userId] });
  });

  it('rejects changes to an administrator by a platform operator without every menu', async () => {
    const operator = await hub.create.user({ tenancyId: '1', menus: [202] });
    const administrator = await hub.create.user({ tenancyId: '1', roleId: '1' });
    const { userId } = administrator;
    const refusals = [
      await operator.error(userCalls.setUserRole, { userId, roleId: operator.roleId }),
      await operator.error(userCalls.deleteUsers, { userIds: [userId] }),
    ];
    for (const refusal of refusals) expect(refusal.code).toBe('USER_HAS_MORE_RIGHTS');
    await administrator.ok(personalCalls.getPersonalMessage, {});
    await hub.admin.ok(userCalls.deleteUsers, { userIds: [userId] });
  });
});
