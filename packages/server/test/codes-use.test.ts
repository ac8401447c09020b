import { accountCalls, CodePurpose, outboxCalls, personalCalls, quotaCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { createCodesFixture, NEW_PASSWORD, newEmail, otherThan } from './codes-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, type TestUser, uniquePhone } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { PNG } from './pictures.ts';

let hub: Hub;
let tenancyId: string;

const setUp = (): void => {
  beforeAll(async () => {
    // Callers from several addresses.
    hub = await startHub({ TRUST_PROXY: '1' });
    tenancyId = await hub.create.tenancy();
  });
  afterAll(() => hub.close());
};

const newUser = () => hub.create.user({ tenancyId });
const { auditOf, codesFor, mailCode, messagesTo, rowOf, sessionsOf, textCode } = createCodesFixture(() => hub);
const recoverCode = (user: TestUser) => mailCode(user, CodePurpose.recover);

describeOnEachEngine(() => {
  setUp();

  describe('recovering the password', () => {
    it('accepts a code once when used twice concurrently', async () => {
      const user = await newUser();
      const code = await recoverCode(user);
      const passwords = Array.from({ length: 6 }, (_, index) => `Chosen-${index}-x`);
      const answers = await Promise.all(
        passwords.map((password) =>
          hub.anonymous.call(accountCalls.retrievePassword, { email: user.email, code, password }),
        ),
      );
      expect(answers.filter((answer) => answer.success)).toHaveLength(1);
      expect(answers.filter((answer) => !answer.success && answer.code === 'CODE_WRONG')).toHaveLength(5);
      await hub.login(user.username, passwords[answers.findIndex((answer) => answer.success)] ?? '');
      expect(await auditOf(user, 'account.retrievePassword')).toHaveLength(1);
    });

    it('counts wrong tries for each client address: a stranger does not use up the owner’s', async () => {
      const user = await newUser();
      const { email } = user;
      const right = await recoverCode(user);
      const tryFrom = async (ip: string, code: string) => {
        const sent = { email, code, password: NEW_PASSWORD };
        const answer = await hub.anonymous.call(accountCalls.retrievePassword, sent, {
          headers: { 'X-Forwarded-For': ip },
        });
        return answer.success ? 'set' : answer.code;
      };
      for (let tries = 0; tries < 5; tries++) expect(await tryFrom('203.0.113.9', otherThan(right))).toBe('CODE_WRONG');
      // The address has used up its tries: the right code is rejected too.
      expect(await tryFrom('203.0.113.9', right)).toBe('CODE_WRONG');
      expect(await tryFrom('198.51.100.7', otherThan(right))).toBe('CODE_WRONG');

      // Many addresses together are slowed down, but not where the account has logged in.
      const together = hub.db.updateTable('login_attempt').where('attempt_key', '=', `recovery:${email}`);
      await together.set({ failures: 100, blocked_until: Date.now() + 60_000 }).execute();
      expect(await tryFrom('198.51.100.7', right)).toBe('LOGIN_THROTTLED');
      expect(await tryFrom('127.0.0.1', right)).toBe('set');
      await hub.login(user.username, NEW_PASSWORD);
    });

    it("neither uses up the owner's codes nor replaces them when a stranger requests codes", async () => {
      const tenancyId = await hub.create.tenancy();
      await hub.admin.ok(quotaCalls.updateTenancyQuotas, { tenancyId, userTextsPerDay: 1 });
      const user = await hub.create.user({ tenancyId });
      const { email } = user;
      const askFrom = async (ip: string) => {
        const headers = { 'X-Forwarded-For': ip };
        const answer = await hub.anonymous.call(accountCalls.getVerificationCode, { email }, { headers });
        return answer.success ? 'asked' : answer.code;
      };
      const aMinutePasses = () =>
        hub.db
          .updateTable('verification_code')
          .set((row) => ({ created_at: row('created_at', '-', 60_000) }))
          .where('address_key', '=', email)
          .execute();
      expect(await askFrom('203.0.113.9')).toBe('asked');
      await hub.mailbox.readCode(email);
      await aMinutePasses();
      // The account has logged in here.
      expect(await askFrom('127.0.0.1')).toBe('asked');
      const code = await hub.mailbox.readCode(email);
      expect(await askFrom('203.0.113.9')).toBe('CODE_TOO_SOON');
      await aMinutePasses();
      expect(await askFrom('203.0.113.9')).toBe('asked');
      expect(await askFrom('203.0.113.9')).toBe('CODE_TOO_SOON');
      await hub.anonymous.ok(accountCalls.retrievePassword, { email, code, password: NEW_PASSWORD });
      await hub.login(user.username, NEW_PASSWORD);
    });
  });

  describe('cancelling the account', () => {
    // Spec 1.20, 2.68, 7.16
    it('deletes the user with sessions and picture, once', async () => {
      const user = await newUser();
      await hub.login(user.username, PASSWORD);
      const body = new FormData();
      body.set('multipartFile', new Blob([PNG]), 'me.png');
      const path = `${hub.url}${personalCalls.updateUserHead.path}`;
      await fetch(path, { method: 'POST', headers: { Authorization: user.token }, body });
      const pictureId = (await rowOf(user))?.picture_id ?? '';
      const picture = () =>
        hub.db.selectFrom('picture').select('picture_id').where('picture_id', '=', pictureId).execute();
      expect(await picture()).toHaveLength(1);

      const code = await mailCode(user, CodePurpose.cancelAccount);
      const wrong = await user.error(personalCalls.cancelAccount, { code: otherThan(code) });
      expect([wrong.statusCode, wrong.code]).toEqual([400, 'CODE_WRONG']);
      expect(await sessionsOf(user)).toHaveLength(2);

      const answers = await Promise.all([1, 2, 3].map(() => user.call(personalCalls.cancelAccount, { code })));
      expect(answers.filter((answer) => answer.success)).toMatchObject([{ message: 'Delete succeeded' }]);
      for (const answer of answers) if (!answer.success) expect([400, 401]).toContain(answer.statusCode);
      expect([await rowOf(user), await sessionsOf(user), await picture()]).toEqual([undefined, [], []]);
      expect((await user.error(personalCalls.getPersonalMessage, {})).code).toBe('TOKEN_INVALID');
      const gone = await hub.anonymous.error(accountCalls.login, { username: user.username, password: PASSWORD });
      expect(gone.code).toBe('LOGIN_FAILED');
      expect(await auditOf(user, 'personal.cancelAccount')).toHaveLength(1);
    });

    it('is rejected for the last administrator, who stays unchanged', async () => {
      const admin: TestUser = {
        ...hub.admin,
        userId: '1',
        username: 'admin',
        email: newEmail(),
        roleId: '1',
        tenancyId: '1',
      };
      const proven = { code: await mailCode(admin, CodePurpose.bind), password: ADMIN_PASSWORD };
      await admin.ok(personalCalls.bindEmail, { email: admin.email, ...proven });
      const code = await mailCode(admin, CodePurpose.cancelAccount);
      const refusal = await admin.error(personalCalls.cancelAccount, { code });
      expect([refusal.statusCode, refusal.code]).toEqual([409, 'LAST_ADMINISTRATOR']);
      expect(await rowOf(admin)).toMatchObject({ username: 'admin', email: admin.email });
      await admin.ok(personalCalls.getPersonalMessage, {});
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('recovering the password', () => {
    // Spec 7.10
    it('sets the new password and ends every session', async () => {
      const user = await newUser();
      const second = await hub.login(user.username, PASSWORD);
      const code = await recoverCode(user);
      const sent = { email: user.email.toUpperCase(), code, password: NEW_PASSWORD };
      expect(await hub.anonymous.ok(accountCalls.retrievePassword, sent)).toBeNull();
      expect(await sessionsOf(user)).toEqual([]);
      for (const client of [user, second])
        expect((await client.error(personalCalls.getPersonalMessage, {})).code).toBe('TOKEN_INVALID');
      const old = await hub.anonymous.error(accountCalls.login, { username: user.username, password: PASSWORD });
      expect(old.code).toBe('LOGIN_FAILED');
      await hub.login(user.username, NEW_PASSWORD);
      expect(await auditOf(user, 'account.retrievePassword')).toHaveLength(1);

      // The code is used up.
      const replay = await hub.anonymous.error(accountCalls.retrievePassword, { ...sent, password: 'Third-99-x' });
      expect([replay.statusCode, replay.code]).toEqual([400, 'CODE_WRONG']);
      expect(await codesFor(user.email)).toEqual([]);
      await hub.login(user.username, NEW_PASSWORD);
    });

    it('changes nothing with a wrong code', async () => {
      const user = await newUser();
      const code = await recoverCode(user);
      const before = [await rowOf(user), await sessionsOf(user)];
      const refusal = await hub.anonymous.error(accountCalls.retrievePassword, {
        email: user.email,
        code: otherThan(code),
        password: NEW_PASSWORD,
      });
      expect(refusal.code).toBe('CODE_WRONG');
      expect([await rowOf(user), await sessionsOf(user)]).toEqual(before);
      await hub.login(user.username, PASSWORD);
      expect(await auditOf(user, 'account.retrievePassword')).toEqual([]);
    });

    // Spec 5.3
    it('rejects a password that contains the account, and keeps the code valid', async () => {
      const user = await newUser();
      const { email } = user;
      const code = await recoverCode(user);
      const password = `X${user.username.toUpperCase()}-1`;
      expect(password.length).toBeLessThanOrEqual(20);
      const refusal = await hub.anonymous.error(accountCalls.retrievePassword, { email, code, password });
      expect([refusal.statusCode, refusal.code]).toEqual([400, 'PASSWORD_CONTAINS_ACCOUNT']);
      expect(refusal.details).toEqual([{ field: 'password', message: refusal.message }]);
      await hub.login(user.username, PASSWORD);
      await hub.anonymous.ok(accountCalls.retrievePassword, { email, code, password: NEW_PASSWORD });
      await hub.login(user.username, NEW_PASSWORD);
    });

    it('works by phone too', async () => {
      const user = await newUser();
      const phone = uniquePhone();
      await user.ok(personalCalls.bindPhone, {
        ...{ phone, code: await textCode(user, CodePurpose.bind, phone), password: PASSWORD },
      });
      await hub.anonymous.ok(accountCalls.getPhoneCode, { phone });
      const code = await hub.webhook.readCode(phone);
      await hub.anonymous.ok(accountCalls.retrievePassword, { phone, code, password: NEW_PASSWORD });
      await hub.login(user.username, NEW_PASSWORD);
    });

    it('answers the same for an unknown address, but sends nothing and never succeeds', async () => {
      const user = await newUser();
      const [unknown, unknownPhone] = [newEmail(), uniquePhone()];
      const ask = (email: string) => hub.anonymous.call(accountCalls.getVerificationCode, { email });
      expect(await ask(unknown)).toEqual(await ask(user.email));
      await hub.anonymous.ok(accountCalls.getPhoneCode, { phone: unknownPhone });
      const [known, notKnown] = [await ask(user.email), await ask(unknown)];
      for (const again of [known, notKnown]) expect(again).toMatchObject({ statusCode: 429, code: 'CODE_TOO_SOON' });
      // The mail to the known address went out last, so one to the unknown address would be here by now.
      await hub.mailbox.readCode(user.email);
      expect(hub.mailbox.mails.filter((mail) => mail.to === unknown)).toEqual([]);
      expect(hub.webhook.texts.filter((text) => text.phone === unknownPhone)).toEqual([]);

      expect([await codesFor(unknown), await codesFor(unknownPhone)]).toMatchObject([[{ tries: 0 }], [{ tries: 0 }]]);
      const secrets = createSecretBox({ SECRET_KEY: undefined, DATA_DIR: hub.env.DATA_DIR ?? '' });
      for (const address of [unknown, unknownPhone]) {
        const rows = await messagesTo(address);
        expect(rows).toMatchObject([{ state: 'suppressed', attempts: 0, sent_at: null }]);
        expect((await hub.admin.ok(outboxCalls.queryOutboxList, { recipient: address })).total).toBe(0);
        const outboxId = rows[0]?.outbox_id ?? '';
        expect((await hub.admin.error(outboxCalls.getOutboxMessage, { outboxId })).code).toBe('OUTBOX_NOT_FOUND');
        // Not even with the very code.
        const code = /\d{6}/.exec(secrets.open(rows[0]?.body_sealed ?? ''))?.[0] ?? '';
        const whom = address === unknown ? { email: unknown } : { phone: unknownPhone };
        const refusal = await hub.anonymous.error(accountCalls.retrievePassword, {
          ...whom,
          code,
          password: NEW_PASSWORD,
        });
        expect([refusal.statusCode, refusal.code]).toEqual([400, 'CODE_WRONG']);
      }
    });
  });

  describe('cancelling the account', () => {
    it('accepts a code sent to the phone', async () => {
      const user = await newUser();
      const phone = uniquePhone();
      await user.ok(personalCalls.bindPhone, {
        ...{ phone, code: await textCode(user, CodePurpose.bind, phone), password: PASSWORD },
      });
      await user.ok(personalCalls.cancelAccount, { code: await textCode(user, CodePurpose.cancelAccount, phone) });
      expect(await rowOf(user)).toBeUndefined();
    });
  });
});
