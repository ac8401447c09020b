import { accountCalls, CodePurpose, Menu, personalCalls, tenancyCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, type TestUser, tenancyFields } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await startHub();
  });
  afterAll(() => hub.close());
};

const administrators = async (): Promise<string[]> => {
  const rows = await hub.db
    .selectFrom('user_account')
    .select('user_id')
    .where('role_id', '=', '1')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => row.user_id);
};

/** `admin` steps down, so that these two are the only ones. */
const onlyThese = async (): Promise<[TestUser, TestUser]> => {
  const pair: [TestUser, TestUser] = [
    await hub.create.user({ tenancyId: '1', roleId: '1' }),
    await hub.create.user({ tenancyId: '1', roleId: '1' }),
  ];
  const clerk = await hub.create.role('1', [202]);
  const keep = new Set(pair.map(({ userId }) => userId));
  for (const userId of await administrators())
    if (!keep.has(userId))
      await hub.db.updateTable('user_account').set({ role_id: clerk }).where('user_id', '=', userId).execute();
  return pair;
};

/** Back to where the harness can go on. */
const restore = () => hub.db.updateTable('user_account').set({ role_id: '1' }).where('user_id', '=', '1').execute();

const cancelCode = async (user: TestUser): Promise<string> => {
  await user.ok(accountCalls.getVerificationCode, { email: user.email, type: CodePurpose.cancelAccount });
  return hub.mailbox.readCode(user.email);
};

const MESSAGE = 'The last platform administrator cannot be deleted, closed or assigned another role';

describeOnEachEngine(() => {
  setUp();

  describe('the last platform administrator', () => {
    it('remains when two delete each other at the same time', async () => {
      for (let round = 0; round < 3; round++) {
        const [first, second] = await onlyThese();
        try {
          const answers = await Promise.all([
            first.call(userCalls.deleteUsers, { userIds: [second.userId] }),
            second.call(userCalls.deleteUsers, { userIds: [first.userId] }),
          ]);
          expect(answers.filter(({ success }) => success)).toHaveLength(1);
          // The second request fails: its session has ended, or no administrator would be left.
          const late = answers.find(({ success }) => !success);
          expect(late).toMatchObject({ code: expect.stringMatching(/^(LAST_ADMINISTRATOR|TOKEN_INVALID)$/) });
          expect(await administrators()).toHaveLength(1);
        } finally {
          await restore();
        }
      }
    });

    it('remains when both are re-roled, cancelled and deleted at the same time', async () => {
      const roleId = await hub.create.role('1', [202]);
      const [first, second] = await onlyThese();
      try {
        const code = await cancelCode(first);
        const answers = await Promise.all([
          first.call(personalCalls.cancelAccount, { code }),
          second.call(userCalls.setUserRole, { userId: second.userId, roleId }),
          second.call(userCalls.setUserRole, { userId: first.userId, roleId }),
          first.call(userCalls.deleteUsers, { userIds: [second.userId] }),
        ]);
        for (const answer of answers) expect(answer.statusCode, JSON.stringify(answer)).toBeLessThan(500);
        expect(answers.some(({ success }) => success)).toBe(true);
        expect((await administrators()).length).toBeGreaterThan(0);
      } finally {
        await restore();
      }
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('the platform tenant', () => {
    it('cannot be changed, disabled or deleted', async () => {
      const row = () => hub.db.selectFrom('tenancy').selectAll().where('tenancy_id', '=', '1').execute();
      const before = await row();
      const refusals = [
        await hub.admin.error(tenancyCalls.updateTenancy, { tenancyId: '1', ...tenancyFields() }),
        await hub.admin.error(tenancyCalls.updateTenancy, { tenancyId: '1', ...tenancyFields(), enabled: 0 }),
        await hub.admin.error(tenancyCalls.updateEnabledStatus, { tenancyId: '1', enabled: 0 }),
        await hub.admin.error(tenancyCalls.deleteTenancy, { tenancyId: '1' }),
        await hub.admin.error(tenancyCalls.deleteTenancies, { tenancyId: [await hub.create.tenancy(), '1'] }),
      ];
      for (const refusal of refusals) expect(refusal).toMatchObject({ statusCode: 409, code: 'PLATFORM_PROTECTED' });
      expect(await row()).toEqual(before);
      await hub.admin.ok(personalCalls.getPersonalMessage, {});
    });
  });

  describe('the last platform administrator', () => {
    it('cannot be deleted, not even by another user of the platform', async () => {
      const clerk = await hub.create.user({ tenancyId: '1', menus: Object.values(Menu) });
      const refusal = await clerk.error(userCalls.deleteUsers, { userIds: ['1'] });
      expect(refusal).toMatchObject({ statusCode: 409, code: 'LAST_ADMINISTRATOR', message: MESSAGE });
      expect(await administrators()).toEqual(['1']);
    });

    it('cannot get another role, from itself or from others', async () => {
      const clerk = await hub.create.user({ tenancyId: '1', menus: Object.values(Menu) });
      for (const client of [clerk, hub.admin]) {
        const refusal = await client.error(userCalls.setUserRole, { userId: '1', roleId: clerk.roleId });
        const details = [{ field: 'roleId', message: MESSAGE }];
        expect(refusal).toMatchObject({ statusCode: 409, code: 'LAST_ADMINISTRATOR', message: MESSAGE, details });
      }
      expect(await administrators()).toEqual(['1']);
      await hub.admin.ok(personalCalls.getPersonalMessage, {});
      await hub.admin.ok(userCalls.setUserRole, { userId: '1', roleId: '1' });
    });

    it('cannot cancel its account until there is another administrator', async () => {
      const [first, second] = await onlyThese();
      try {
        await first.ok(personalCalls.cancelAccount, { code: await cancelCode(first) });
        expect(await administrators()).toEqual([second.userId]);
        const refusal = await second.error(personalCalls.cancelAccount, { code: await cancelCode(second) });
        expect(refusal).toMatchObject({ statusCode: 409, code: 'LAST_ADMINISTRATOR', message: MESSAGE });
        expect(await administrators()).toEqual([second.userId]);
        await second.ok(personalCalls.getPersonalMessage, {});
      } finally {
        await restore();
      }
    });
  });
});
