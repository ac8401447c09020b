import { accountCalls, CodePurpose, personalCalls } from '@device-center/contract';
import { type Hub, type TestUser, unique } from './hub.ts';

export const NEW_PASSWORD = 'Another-88';
export const newEmail = () => `${unique('new')}@example.com`;
export const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

/** Helpers of the tests of codes. `hubOf` is called only while a test runs. */
export const createCodesFixture = (hubOf: () => Pick<Hub, 'db' | 'mailbox' | 'webhook'>) => {
  const mailCode = async (user: TestUser, type: CodePurpose, email = user.email): Promise<string> => {
    await user.ok(accountCalls.getVerificationCode, { email, type });
    return hubOf().mailbox.readCode(email);
  };
  return {
    mailCode,
    rowOf: ({ userId }: TestUser) =>
      hubOf().db.selectFrom('user_account').selectAll().where('user_id', '=', userId).executeTakeFirst(),
    sessionsOf: ({ userId }: TestUser) =>
      hubOf().db.selectFrom('session').selectAll().where('user_id', '=', userId).execute(),
    codesFor: (address: string) =>
      hubOf().db.selectFrom('verification_code').selectAll().where('address_key', '=', address).execute(),
    messagesTo: (address: string) =>
      hubOf().db.selectFrom('outbox').selectAll().where('recipient_key', '=', address).execute(),
    auditOf: (user: TestUser, action: string) =>
      hubOf()
        .db.selectFrom('audit_log')
        .selectAll()
        .where('target_id', '=', user.userId)
        .where('action', '=', action)
        .execute(),
    textCode: async (user: TestUser, type: CodePurpose, phone: string): Promise<string> => {
      await user.ok(accountCalls.getPhoneCode, { phone, type });
      return hubOf().webhook.readCode(phone);
    },
    provePresent: async (user: TestUser): Promise<void> => {
      const code = await mailCode(user, CodePurpose.provePresent);
      await user.ok(personalCalls.checkCode, { code, info: user.email, type: CodePurpose.provePresent });
    },
  };
};
