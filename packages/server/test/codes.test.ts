import { createHash, createHmac } from 'node:crypto';
import { accountCalls, CodePurpose, personalCalls, userCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSecretBox } from '../src/platform/secret-box.ts';
import { type Hub, type TestUser, unique, uniquePhone } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';

let hub: Hub;
let tenancyId: string;
let user: TestUser;

beforeAll(async () => {
  hub = await startHub();
  tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId });
});
afterAll(() => hub.close());

const { recover, provePresent, bind, cancelAccount } = CodePurpose;
const newEmail = () => `${unique('new')}@example.com`;
const otherThan = (code: string) => (code === '000000' ? '111111' : '000000');

const codesFor = (address: string) =>
  hub.db.selectFrom('verification_code').selectAll().where('address_key', '=', address).execute();
const messagesTo = (address: string) =>
  hub.db.selectFrom('outbox').selectAll().where('recipient_key', '=', address).execute();

/** Time passes for the codes sent to an address. */
const age = (address: string, ms: number) =>
  hub.db
    .updateTable('verification_code')
    .set((row) => ({ created_at: row('created_at', '-', ms) }))
    .where('address_key', '=', address)
    .execute();

const sendBindCode = async (email: string, asker: TestUser = user): Promise<string> => {
  await asker.ok(accountCalls.getVerificationCode, { email, type: bind });
  return hub.mailbox.readCode(email);
};

const check = async (info: string, code: string, type: CodePurpose = bind, asker: TestUser = user): Promise<string> => {
  const answer = await asker.call(personalCalls.checkCode, { info, code, type });
  return answer.success ? 'right' : answer.code;
};

describe('a code', () => {
  // Spec 5.5, 7.11
  it('has six digits, which no table stores', async () => {
    const known = newEmail();
    const code = await sendBindCode(known);
    expect(code).toMatch(/^\d{6}$/);
    // To an address that does not exist, so that the message stays unchanged.
    const unknown = newEmail();
    await hub.anonymous.ok(accountCalls.getVerificationCode, { email: unknown });
    const secrets = createSecretBox({ SECRET_KEY: undefined, DATA_DIR: hub.env.DATA_DIR ?? '' });
    const [kept] = await messagesTo(unknown);
    const unsent = /\d{6}/.exec(secrets.open(kept?.body_sealed ?? ''))?.[0] ?? '';
    expect(unsent).toMatch(/^\d{6}$/);

    for (const [address, secret] of [
      [known, code],
      [unknown, unsent],
    ] as const) {
      const rows = [...(await codesFor(address)), ...(await messagesTo(address))];
      expect(rows).toHaveLength(2);
      const texts = rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'string');
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    }
    expect((await codesFor(known))[0]?.code_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('cannot be found from its row by trying all digests without the secret key', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    const parts = [bind, email, user.userId, code].join('\n');
    const [row] = await codesFor(email);
    expect(row?.code_hash).not.toBe(createHash('sha256').update(parts).digest('hex'));
    const { keyFor } = createSecretBox({ SECRET_KEY: undefined, DATA_DIR: hub.env.DATA_DIR ?? '' });
    const keyed = createHmac('sha256', keyFor('verification code')).update(parts).digest('hex');
    expect(row?.code_hash).toBe(keyed);
  });

  it('expires after ten minutes', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    await age(email, 590_000);
    expect(await check(email, code)).toBe('right');
    await age(email, 10_001);
    expect(await check(email, code)).toBe('CODE_WRONG');
    expect((await user.error(personalCalls.bindPhone, { phone: uniquePhone(), code })).code).toBe('CODE_WRONG');
    expect((await user.error(personalCalls.bindEmail, { email, code })).code).toBe('CODE_WRONG');
  });

  it('survives four wrong tries', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    for (let wrong = 0; wrong < 4; wrong++) expect(await check(email, otherThan(code))).toBe('CODE_WRONG');
    expect(await check(email, code)).toBe('right');
  });

  it('is invalid after the fifth wrong try, until a new one is sent', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    for (let wrong = 0; wrong < 5; wrong++) expect(await check(email, otherThan(code))).toBe('CODE_WRONG');
    expect(await check(email, code)).toBe('CODE_WRONG');
    expect((await user.error(personalCalls.bindEmail, { email, code })).code).toBe('CODE_WRONG');
    await age(email, 60_000);
    expect(await check(email, await sendBindCode(email))).toBe('right');
  });

  it('counts concurrent tries', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    const guesses = await Promise.all(Array.from({ length: 30 }, () => check(email, otherThan(code))));
    expect(new Set(guesses)).toEqual(new Set(['CODE_WRONG']));
    expect((await codesFor(email))[0]?.tries).toBe(5);
    expect(await check(email, code)).toBe('CODE_WRONG');
  });

  // Spec 7.13
  it('is not consumed by checking it', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    for (let time = 0; time < 8; time++) expect(await check(email, code)).toBe('right');
    expect(await codesFor(email)).toMatchObject([{ tries: 0 }]);
  });

  it('is valid for its purpose only', async () => {
    await hub.anonymous.ok(accountCalls.getVerificationCode, { email: user.email });
    const code = await hub.mailbox.readCode(user.email);
    for (const type of [provePresent, bind, cancelAccount])
      expect(await check(user.email, code, type)).toBe('CODE_WRONG');
    expect((await user.error(personalCalls.cancelAccount, { code })).code).toBe('CODE_WRONG');
    expect(await check(user.email, code, recover)).toBe('right');
  });

  it('is valid for its address and its user only', async () => {
    const [email, another] = [newEmail(), newEmail()];
    const code = await sendBindCode(email);
    const other = await hub.create.user({ tenancyId });
    expect(await check(another, code)).toBe('CODE_WRONG');
    expect((await user.error(personalCalls.bindEmail, { email: another, code })).code).toBe('CODE_WRONG');
    expect(await check(email, code, bind, other)).toBe('CODE_WRONG');
    expect((await other.error(personalCalls.bindEmail, { email, code })).code).toBe('CODE_WRONG');
    // Other people's tries do not count against it.
    expect(await codesFor(email)).toMatchObject([{ tries: 0, asker: user.userId }]);
    expect(await check(email.toUpperCase(), code)).toBe('right');
  });
});

describe('requesting a code', () => {
  const ask = (email: string) =>
    fetch(`${hub.url}${accountCalls.getVerificationCode.path}`, {
      method: 'POST',
      headers: { 'Accept-Language': 'en-US' },
      body: new URLSearchParams({ email }),
    });

  it('is rejected again within a minute, and the first code stays valid', async () => {
    const email = newEmail();
    const code = await sendBindCode(email);
    const refusal = await user.error(accountCalls.getVerificationCode, { email: email.toUpperCase(), type: bind });
    expect([refusal.statusCode, refusal.code]).toEqual([429, 'CODE_TOO_SOON']);
    expect(refusal.message).toMatch(/^A code was sent recently, try again in ([1-9]|[1-5]\d|60) s$/);
    expect(await messagesTo(email)).toHaveLength(1);
    expect(await check(email, code)).toBe('right');

    await age(email, 60_000);
    const fresh = await sendBindCode(email);
    expect(await check(email, fresh)).toBe('right');
    if (fresh !== code) expect(await check(email, code)).toBe('CODE_WRONG');
    expect(await messagesTo(email)).toHaveLength(2);
  });

  it('states the waiting time in Retry-After', async () => {
    const email = newEmail();
    expect((await ask(email)).status).toBe(200);
    await age(email, 30_000);
    const refused = await ask(email);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(30);
  });

  it('sends one code for concurrent requests', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => user.call(accountCalls.getVerificationCode, { email, type: bind })),
    );
    expect(answers.filter((answer) => answer.success)).toHaveLength(1);
    expect(answers.filter((answer) => !answer.success && answer.code === 'CODE_TOO_SOON')).toHaveLength(9);
    expect(await messagesTo(email)).toHaveLength(1);
    expect(await check(email, await hub.mailbox.readCode(email))).toBe('right');
  });

  it('does not delay a code for another purpose', async () => {
    const asker = await hub.create.user({ tenancyId });
    for (const type of [recover, provePresent, cancelAccount])
      await asker.ok(accountCalls.getVerificationCode, { email: asker.email, type });
    expect(await codesFor(asker.email)).toHaveLength(3);
  });

  // Spec 6.14
  it.each([provePresent, bind, cancelAccount])('requires the token for type %i', async (type) => {
    const [email, phone] = [newEmail(), uniquePhone()];
    const refusals = [
      await hub.anonymous.error(accountCalls.getVerificationCode, { email, type }),
      await hub.anonymous.error(accountCalls.getPhoneCode, { phone, type }),
    ];
    for (const refusal of refusals) expect([refusal.statusCode, refusal.code]).toEqual([401, 'TOKEN_INVALID']);
    expect([...(await codesFor(email)), ...(await codesFor(phone)), ...(await messagesTo(email))]).toEqual([]);
  });

  it.each([provePresent, cancelAccount])("sends type %i only to the user's own address", async (type) => {
    const other = await hub.create.user({ tenancyId });
    const notMine = await user.error(accountCalls.getVerificationCode, { email: other.email, type });
    expect(notMine).toMatchObject({ statusCode: 400, code: 'ADDRESS_NOT_YOURS', details: [{ field: 'email' }] });
    await hub.db
      .updateTable('user_account')
      .set({ phone: uniquePhone() })
      .where('user_id', '=', other.userId)
      .execute();
    const otherPhone = await other.error(accountCalls.getPhoneCode, { phone: uniquePhone(), type });
    expect(otherPhone).toMatchObject({ statusCode: 400, code: 'ADDRESS_NOT_YOURS', details: [{ field: 'phone' }] });
    const unbound = await user.error(accountCalls.getPhoneCode, { phone: uniquePhone(), type });
    expect([unbound.statusCode, unbound.code]).toEqual([409, 'PHONE_UNBOUND']);
    const noMail = await hub.admin.error(accountCalls.getVerificationCode, { email: other.email, type });
    expect([noMail.statusCode, noMail.code]).toEqual([409, 'EMAIL_UNBOUND']);
    expect(await codesFor(other.email)).toEqual([]);
  });

  it('rejects types 2 to 4 before the first password is changed', async () => {
    const username = unique('fresh');
    const email = `${username}@example.com`;
    const roleId = await hub.create.role(tenancyId, [302]);
    await hub.admin.ok(userCalls.addUser, { username, name: 'Han Mei', email, roleId, tenancyId });
    const first = await hub.login(username, await hub.mailbox.readPassword(email));
    for (const type of [provePresent, bind, cancelAccount])
      expect((await first.error(accountCalls.getVerificationCode, { email, type })).code).toBe('FIRST_LOGIN');
    expect(await codesFor(email)).toEqual([]);
  });

  // Spec 7.12
  it('sends a code by phone to the webhook as { phone, text }', async () => {
    const phone = uniquePhone();
    await user.ok(accountCalls.getPhoneCode, { phone, type: bind });
    const sent = await waitFor('a text message', () => hub.webhook.texts.find((text) => text.phone === phone));
    const code = await hub.webhook.readCode(phone);
    expect(sent).toEqual({
      phone,
      text: `Your verification code is ${code}. It is valid for 10 minutes.\nIf you did not request it, ignore this message.`,
    });
    expect(await check(phone, code)).toBe('right');
  });
});
