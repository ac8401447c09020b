import { accountCalls, type Call, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Hub, PASSWORD, type TestUser, unique } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';

/* Equal answers: login.test.ts and codes-use.test.ts. Here: equal duration. */

let hub: Hub;
let user: TestUser;
beforeAll(async () => {
  hub = await startHub();
  user = await hub.create.user({ tenancyId: await hub.create.tenancy() });
  // Fixtures have a cheap password hash; here it must cost as much as in production.
  const changed = { oldPassword: PASSWORD, newPassword: 'Secret-78' };
  await user.ok(personalCalls.firstLoginUpdatePassword, changed);
});
afterAll(() => hub.close());

const ROUNDS = 15;
/** Skipping the hash for unknown accounts would be faster by far more than this. */
const FACTOR = 4;

const median = (times: number[]): number => times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0;

const takes = async (call: Call, sent: Record<string, unknown>): Promise<number> => {
  // Throttling is not part of this test.
  await hub.db.deleteFrom('login_attempt').execute();
  await hub.db.deleteFrom('verification_code').execute();
  const began = performance.now();
  await hub.anonymous.send(call, sent);
  return performance.now() - began;
};

type Question = (known: boolean) => Record<string, unknown>;
const questions: [string, Call, Question][] = [
  [
    'a log-in with a wrong password',
    accountCalls.login,
    (known) => ({ username: known ? user.username : unique('u'), password: 'Wrong-pass1' }),
  ],
  [
    'asking for a code',
    accountCalls.getVerificationCode,
    (known) => ({ email: known ? user.email : `${unique('u')}@example.com` }),
  ],
  [
    'setting a new password with a wrong code',
    accountCalls.retrievePassword,
    (known) => ({
      email: known ? user.email : `${unique('u')}@example.com`,
      code: '000000',
      password: 'Other-pass1',
    }),
  ],
];

it.each(questions)('%s takes as long for an existing account as for an unknown one', async (_what, call, sent) => {
  const [known, unknown]: number[][] = [[], []];
  await takes(call, sent(true));
  // In turn, so that a busy machine is as busy for both.
  for (let round = 0; round < ROUNDS; round++) {
    known?.push(await takes(call, sent(true)));
    unknown?.push(await takes(call, sent(false)));
  }
  const ratio = median(known ?? []) / median(unknown ?? []);
  expect(ratio).toBeLessThan(FACTOR);
  expect(ratio).toBeGreaterThan(1 / FACTOR);
});
