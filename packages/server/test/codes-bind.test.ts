import { accountCalls, CodePurpose, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCodesFixture, newEmail, otherThan } from './codes-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import { type Hub, PASSWORD, type TestUser, uniquePhone } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;
let tenancyId: string;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await startHub();
    tenancyId = await hub.create.tenancy();
  });
  afterAll(() => hub.close());
};

const newUser = () => hub.create.user({ tenancyId });
const { auditOf, codesFor, mailCode, messagesTo, provePresent, rowOf, textCode } = createCodesFixture(() => hub);
const bindCode = (user: TestUser, email: string) => mailCode(user, CodePurpose.bind, email);

describeOnEachEngine(() => {
  setUp();

  describe('binding an address', () => {
    it('rejects an address of another user, and keeps proof and code valid', async () => {
      const [user, other] = [await newUser(), await newUser()];
      await provePresent(user);
      const code = await bindCode(user, other.email);
      const refusal = await user.error(personalCalls.bindEmail, { email: other.email, code });
      expect([refusal.statusCode, refusal.code]).toEqual([409, 'EMAIL_TAKEN']);
      expect((await rowOf(user))?.email).toBe(user.email);
      const email = newEmail();
      await user.ok(personalCalls.bindEmail, { email, code: await bindCode(user, email) });
    });

    it('binds once when two addresses use the same proof concurrently', async () => {
      const user = await newUser();
      await provePresent(user);
      const phones = [uniquePhone(), uniquePhone(), uniquePhone()];
      const sent: { phone: string; code: string }[] = [];
      for (const phone of phones) sent.push({ phone, code: await textCode(user, CodePurpose.bind, phone) });
      const answers = await Promise.all(sent.map((one) => user.call(personalCalls.bindPhone, one)));
      const won = answers.findIndex((answer) => answer.success);
      expect(answers.filter((answer) => answer.success)).toHaveLength(1);
      expect(answers.filter((answer) => !answer.success && answer.code === 'PRESENT_ADDRESS_UNPROVEN')).toHaveLength(2);
      expect((await rowOf(user))?.phone).toBe(phones[won]);
      const [audit, ...more] = await auditOf(user, 'personal.bindPhone');
      expect(more).toEqual([]);
      expect(JSON.parse(audit?.after_json ?? '')).toEqual({ phone: phones[won] });
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('binding an address', () => {
    it('changes nothing with a wrong code', async () => {
      const user = await newUser();
      await provePresent(user);
      const email = newEmail();
      const code = await bindCode(user, email);
      const before = await rowOf(user);
      expect((await user.error(personalCalls.bindEmail, { email, code: otherThan(code) })).code).toBe('CODE_WRONG');
      expect(await rowOf(user)).toEqual(before);
      // Neither the proof nor the code was lost by it.
      expect(await user.ok(personalCalls.bindEmail, { email, code })).toBeNull();
      expect(await rowOf(user)).toMatchObject({ email, email_key: email });
      expect((await user.error(personalCalls.bindEmail, { email, code })).code).toBe('CODE_WRONG');
    });

    // Spec 7.13, 7.14
    it('requires and consumes a proof of the current address', async () => {
      const user = await newUser();
      const [email, third] = [newEmail(), newEmail()];
      const code = await bindCode(user, email);
      const unproven = await user.error(personalCalls.bindEmail, { email, code });
      expect([unproven.statusCode, unproven.code]).toEqual([409, 'PRESENT_ADDRESS_UNPROVEN']);
      expect((await rowOf(user))?.email).toBe(user.email);
      // A requested code that was not checked is no proof.
      const proof = await mailCode(user, CodePurpose.provePresent);
      expect((await user.error(personalCalls.bindEmail, { email, code })).code).toBe('PRESENT_ADDRESS_UNPROVEN');
      await user.ok(personalCalls.checkCode, { code: proof, info: user.email, type: CodePurpose.provePresent });
      await user.ok(personalCalls.bindEmail, { email, code });
      expect((await rowOf(user))?.email).toBe(email);
      expect(await codesFor(user.email)).toEqual([]);

      const next = { email: third, code: await bindCode(user, third) };
      expect((await user.error(personalCalls.bindEmail, next)).code).toBe('PRESENT_ADDRESS_UNPROVEN');
      expect((await rowOf(user))?.email).toBe(email);
    });

    it('accepts a proof for ten minutes', async () => {
      const user = await newUser();
      await provePresent(user);
      const email = newEmail();
      const code = await bindCode(user, email);
      const pass = (ms: number) =>
        hub.db
          .updateTable('verification_code')
          .set({ checked_at: Date.now() - ms })
          .where('address_key', '=', user.email)
          .execute();
      await pass(600_001);
      expect((await user.error(personalCalls.bindEmail, { email, code })).code).toBe('PRESENT_ADDRESS_UNPROVEN');
      await pass(590_000);
      await user.ok(personalCalls.bindEmail, { email, code });
    });

    // Spec 2.67, 7.15
    it('requires the password the first time, also when another address is bound', async () => {
      const user = await newUser();
      const phone = uniquePhone();
      const code = await textCode(user, CodePurpose.bind, phone);
      const bare = await user.error(personalCalls.bindPhone, { phone, code });
      expect([bare.statusCode, bare.code]).toEqual([409, 'PRESENT_ADDRESS_UNPROVEN']);
      const wrong = await user.error(personalCalls.bindPhone, { phone, code, password: 'Wrong-pass1' });
      expect(wrong).toMatchObject({ statusCode: 400, code: 'PASSWORD_WRONG', details: [{ field: 'password' }] });
      expect(await rowOf(user)).toMatchObject({ phone: null });
      // Otherwise a stolen session could bind a phone and recover the password with it.
      await hub.anonymous.ok(accountCalls.getPhoneCode, { phone });
      expect((await messagesTo(phone)).filter(({ state }) => state === 'suppressed')).toHaveLength(1);
      await user.ok(personalCalls.bindPhone, { phone, code, password: PASSWORD });
      expect(await rowOf(user)).toMatchObject({ phone });
    });

    it('notifies every previous and current address, without showing the new one completely', async () => {
      const user = await newUser();
      const [email, phone] = [newEmail(), uniquePhone()];
      const proven = { password: PASSWORD };
      await user.ok(personalCalls.bindPhone, {
        ...{ phone, code: await textCode(user, CodePurpose.bind, phone), ...proven },
      });
      await user.ok(personalCalls.bindEmail, { email, code: await bindCode(user, email), ...proven });
      const told = `The account ${user.username} is now bound to the e-mail n***@example.com`;
      for (const address of [user.email, email]) expect(await hub.mailbox.read(address, /n\*{3}@/)).toContain(told);
      const texts = () => hub.webhook.texts.filter((text) => text.phone === phone).map(({ text }) => text);
      await expect.poll(() => texts().filter((text) => text.includes('is now bound to')).length).toBe(2);
      expect(texts().join()).toContain(`phone ${phone.slice(0, 3)}****${phone.slice(-4)}`);
      expect(texts().join()).toContain(told);
    });
  });
});
