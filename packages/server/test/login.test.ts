import { accountCalls, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { ADMIN_PASSWORD, type Hub, PASSWORD, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

let hub: Hub;

beforeAll(async () => {
  // Callers from several addresses.
  hub = await startHub({ TRUST_PROXY: '1' });
});
afterAll(() => hub.close());

describe('login', () => {
  // Spec 2.1, 6.6, 7.9
  it('returns the user and the permissions', async () => {
    const answer = await hub.anonymous.ok(accountCalls.login, { username: 'ADMIN', password: ADMIN_PASSWORD });
    expect(answer).toMatchObject({ userId: '1', username: 'admin', roleId: '1', tenancyId: '1', isFirst: 0 });
    expect(answer.menus).toEqual([
      1, 2, 4, 5, 6, 201, 202, 203, 204, 205, 301, 302, 401, 501, 502, 503, 601, 602, 603, 604, 1101,
    ]);
  });

  it('accepts the token with and without Bearer', async () => {
    const bearer = createClient(hub.url, `Bearer ${hub.admin.token}`);
    const raw = await hub.admin.ok(personalCalls.getPersonalMessage, {});
    expect(await bearer.ok(personalCalls.getPersonalMessage, {})).toEqual(raw);
  });

  it('answers a wrong password and an unknown account alike', async () => {
    const known = await hub.anonymous.error(accountCalls.login, { username: 'admin', password: 'Wrong-pass1' });
    const unknown = await hub.anonymous.error(accountCalls.login, { username: 'nobody', password: 'Wrong-pass1' });
    const refusal = { statusCode: 400, code: 'LOGIN_FAILED', message: 'Wrong account or password' };
    expect(known).toMatchObject({ ...refusal, details: [{ field: 'password' }] });
    expect({ ...unknown, requestId: '' }).toEqual({ ...known, requestId: '' });
  });

  it('throttles guessing per account and address, known or not, and accepts the right password afterwards', async () => {
    const user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    const guess = (username: string, password: string) =>
      hub.anonymous.error(accountCalls.login, { username, password });
    for (const username of [user.username, 'never-heard-of']) {
      for (let serial = 0; serial < 5; serial++)
        expect((await guess(username, `Guess-${serial}`)).code).toBe('LOGIN_FAILED');
      const own = hub.db.updateTable('login_attempt').where('attempt_key', '=', `pair:127.0.0.1 ${username}`);
      // The pause of a second is made longer: on a busy machine it may be over before the next guess.
      const pause = await own
        .set((row) => ({ blocked_until: row('blocked_until', '+', 60_000) }))
        .returning((row) => row('blocked_until', '-', row.ref('last_failed_at')).as('ms'))
        .executeTakeFirstOrThrow();
      expect(pause.ms).toBe(61_000);
      expect(await guess(username, 'Guess-5')).toMatchObject({ code: 'LOGIN_THROTTLED', statusCode: 429 });
    }
    expect((await guess(user.username, PASSWORD)).code).toBe('LOGIN_THROTTLED');
    // Time passes.
    await hub.db.updateTable('login_attempt').set({ blocked_until: 0 }).execute();
    await hub.login(user.username, PASSWORD);
    const forgotten = await hub.db
      .selectFrom('login_attempt')
      .selectAll()
      .where('attempt_key', '=', `pair:127.0.0.1 ${user.username}`)
      .executeTakeFirst();
    expect(forgotten).toBeUndefined();
  });

  it('accepts four concurrent logins', async () => {
    const credentials = { username: 'admin', password: ADMIN_PASSWORD };
    for (let round = 0; round < 20; round++) {
      const answers = [1, 2, 3, 4].map(() => hub.anonymous.call(accountCalls.login, credentials));
      expect((await Promise.all(answers)).filter(({ success }) => !success)).toEqual([]);
    }
  });

  it('counts concurrent guesses', async () => {
    const user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, guess) =>
        hub.anonymous.error(accountCalls.login, { username: user.username, password: `Guess-${guess}` }),
      ),
    );
    expect(guesses.filter((refusal) => refusal.code === 'LOGIN_FAILED')).toHaveLength(5);
  });
});

describe('login throttling', () => {
  const MINUTE = 60_000;
  const guess = (username: string) => hub.anonymous.error(accountCalls.login, { username, password: 'Wrong-pass1' });
  const attemptsOf = (key: string) =>
    hub.db.selectFrom('login_attempt').selectAll().where('attempt_key', '=', key).executeTakeFirstOrThrow();
  const set = (key: string, columns: { failures?: number; last_failed_at?: number; blocked_until?: number }) =>
    hub.db.updateTable('login_attempt').set(columns).where('attempt_key', '=', key).execute();

  it('doubles the wait after each failure from the fifth on, up to five minutes', async () => {
    const username = unique('guessed');
    const key = `pair:127.0.0.1 ${username}`;
    const pauses: number[] = [];
    for (let tries = 0; tries < 15; tries++) {
      expect((await guess(username)).code).toBe('LOGIN_FAILED');
      const { blocked_until, last_failed_at } = await attemptsOf(key);
      pauses.push(blocked_until === 0 ? 0 : (blocked_until - last_failed_at) / 1_000);
      // Time passes, but after the last.
      if (tries < 14) await set(key, { blocked_until: 0 });
    }
    expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
    const refusal = await guess(username);
    expect(refusal.message).toMatch(/^Too many failed logins, try again in (300|29\d) s$/);
  });

  it('resets after an hour without failures', async () => {
    const username = unique('guessed');
    const key = `pair:127.0.0.1 ${username}`;
    await guess(username);
    await set(key, { failures: 3, last_failed_at: Date.now() - 59 * MINUTE });
    await guess(username);
    expect((await attemptsOf(key)).failures).toBe(4);
    await set(key, { last_failed_at: Date.now() - 60 * MINUTE });
    await guess(username);
    expect((await attemptsOf(key)).failures).toBe(1);
  });

  it('applies from the fiftieth account of one address on, without counting successful logins', async () => {
    await guess(unique('guessed'));
    const { attempt_key: key } = await hub.db
      .selectFrom('login_attempt')
      .selectAll()
      .where('attempt_key', '=', 'address:127.0.0.1')
      .executeTakeFirstOrThrow();
    await set(key, { failures: 48 });
    expect((await guess(unique('guessed'))).code).toBe('LOGIN_FAILED');
    expect((await guess(unique('guessed'))).code).toBe('LOGIN_FAILED');
    const { blocked_until, last_failed_at } = await attemptsOf(key);
    expect(blocked_until - last_failed_at).toBe(1_000);
    await set(key, { blocked_until: Date.now() + MINUTE });
    const right = { username: 'admin', password: ADMIN_PASSWORD };
    expect((await hub.anonymous.error(accountCalls.login, right)).code).toBe('LOGIN_THROTTLED');
    await set(key, { blocked_until: 0 });
    await hub.anonymous.ok(accountCalls.login, right);
    expect(await attemptsOf(key)).toMatchObject({ failures: 50, blocked_until: 0 });
    await set(key, { failures: 0 });
  });

  const logIn = (username: string, password: string, ip: string) =>
    hub.anonymous.call(accountCalls.login, { username, password }, { headers: { 'X-Forwarded-For': ip } });
  const codeOf = (answer: Awaited<ReturnType<typeof logIn>>) => (answer.success ? 'in' : answer.code);
  /** Throttles the account at that address for longer than a test takes. */
  const guessFrom = async (username: string, ip: string): Promise<void> => {
    for (let tries = 0; tries < 5; tries++)
      expect(codeOf(await logIn(username, 'Wrong-pass1', ip))).toBe('LOGIN_FAILED');
    await hub.db
      .updateTable('login_attempt')
      .set({ blocked_until: Date.now() + MINUTE })
      .where('attempt_key', 'like', `pair:% ${username}`)
      .where('blocked_until', '>', 0)
      .execute();
  };

  it('of one account at one address does not lock out its owner at another', async () => {
    const { username } = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    await guessFrom(username, '203.0.113.9');
    expect(codeOf(await logIn(username, PASSWORD, '203.0.113.9'))).toBe('LOGIN_THROTTLED');
    expect(codeOf(await logIn(username, PASSWORD, '198.51.100.7'))).toBe('in');
  });

  it('counts an IPv6 /64 as one address, and IPv4 within IPv6 as IPv4', async () => {
    const { username } = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    await guessFrom(username, '2001:db8:1:2::5');
    expect(codeOf(await logIn(username, PASSWORD, '2001:db8:1:2:aaaa:bbbb:cccc:dddd'))).toBe('LOGIN_THROTTLED');
    expect(codeOf(await logIn(username, PASSWORD, '2001:db8:1:3::5'))).toBe('in');
    await guessFrom(username, '203.0.113.10');
    expect(codeOf(await logIn(username, PASSWORD, '::ffff:203.0.113.10'))).toBe('LOGIN_THROTTLED');
  });

  it('of one account from many addresses applies from the hundredth failure an hour on, except where it has logged in', async () => {
    const { username, userId } = await hub.create.user({ tenancyId: await hub.create.tenancy() });
    const key = `account:${username}`;
    await logIn(username, 'Wrong-pass1', '192.0.2.1');
    await set(key, { failures: 98, last_failed_at: Date.now() - 30 * MINUTE });
    expect(codeOf(await logIn(username, 'Wrong-pass1', '192.0.2.2'))).toBe('LOGIN_FAILED');
    expect((await attemptsOf(key)).blocked_until).toBe(0);
    expect(codeOf(await logIn(username, 'Wrong-pass1', '192.0.2.3'))).toBe('LOGIN_FAILED');
    expect((await attemptsOf(key)).blocked_until).toBeGreaterThan(0);
    await set(key, { blocked_until: Date.now() + MINUTE });
    expect(codeOf(await logIn(username, PASSWORD, '192.0.2.4'))).toBe('LOGIN_THROTTLED');
    // The fixture has logged in from this address.
    expect(codeOf(await logIn(username, PASSWORD, '127.0.0.1'))).toBe('in');

    const monthAgo = { last_login_at: Date.now() - 30 * 24 * 60 * MINUTE };
    await hub.db.updateTable('login_network').set(monthAgo).where('user_id', '=', userId).execute();
    await set(key, { blocked_until: Date.now() + MINUTE });
    expect(codeOf(await logIn(username, PASSWORD, '127.0.0.1'))).toBe('LOGIN_THROTTLED');
    // An hour after the first of them all are forgotten.
    await set(key, { last_failed_at: Date.now() - 60 * MINUTE, blocked_until: 0 });
    expect(codeOf(await logIn(username, 'Wrong-pass1', '192.0.2.4'))).toBe('LOGIN_FAILED');
    expect(await attemptsOf(key)).toMatchObject({ failures: 1, blocked_until: 0 });
  });
});
