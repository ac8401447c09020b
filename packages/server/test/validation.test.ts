import {
  applicationCalls,
  type Call,
  everyCall,
  fields,
  fieldTexts,
  fill,
  type Language,
  personalCalls,
  tenancyCalls,
} from '@device-center/contract';
import { type Place, type Rule, rules } from '@device-center/contract/test/rule-table.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, startHub, type TestUser, tenancyFields, unique } from './hub.ts';

type Fields = Record<string, unknown>;

let hub: Hub;
let user: TestUser;
let scratch: { tenancyId: string; applicationId: string; roleId: string };

beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.has.tenancy();
  user = await hub.has.user({ tenancyId });
  scratch = {
    tenancyId,
    applicationId: await hub.has.application(tenancyId),
    roleId: await hub.has.role(tenancyId, [201]),
  };
});
afterAll(() => hub.close());

const callOf = (place: Place): Call => {
  const found = everyCall.find(({ slice, name }) => `${slice}.${name}` === place.call);
  if (!found) throw new Error(`there is no call ${place.call}`);
  return found.call;
};

/** What makes a call right but for the field in question. Made anew each time: names are unique on a hub. */
const rightInput = async (place: Place): Promise<Fields> => {
  const { tenancyId, applicationId, roleId } = scratch;
  const personal = { code: '000000', email: 'nobody@example.com', phone: '13800000000' };
  const made: Record<string, Fields | (() => Promise<Fields>)> = {
    'account.login': { username: unique('u'), password: 'Wrong-pass1' },
    'account.retrievePassword': { email: 'nobody@example.com', code: '000000', password: 'Some-pass1' },
    'personal.checkCode': { code: '000000', info: 'nobody@example.com', type: 3 },
    'personal.bindEmail': { email: personal.email, code: personal.code },
    'personal.bindPhone': { phone: personal.phone, code: personal.code },
    'personal.cancelAccount': { code: personal.code },
    'personal.firstLoginUpdatePassword': { newPassword: 'Other-pass1', oldPassword: 'Wrong-pass1' },
    'personal.updateSimpleUser': { userId: user.userId, name: '李雷' },
    'role.addRole': { roleName: unique('r'), menus: [201], tenancyId },
    'role.updateRole': { roleId, roleName: unique('r'), menus: [201] },
    'user.addUser': { username: unique('u'), name: '李雷', email: `${unique('m')}@example.com`, roleId, tenancyId },
    'tenancy.addTenancy': tenancyFields(),
    'tenancy.updateTenancy': async () => ({ tenancyId: await hub.has.tenancy(), ...tenancyFields() }),
    'tenancy.updateEnabledStatus': async () => ({ tenancyId: await hub.has.tenancy() }),
    'application.addApplication': { applicationName: unique('a'), tenancyId },
    'application.updateApplication': { applicationId, applicationName: unique('a') },
    'application.updateEnabledStatus': { applicationId },
  };
  const input = made[place.call] ?? {};
  return typeof input === 'function' ? input() : input;
};

const callerOf = (place: Place) => (place.call.startsWith('personal.') ? user : hub.admin);

const countRows = async (): Promise<number[]> => {
  const tables = [
    'tenancy',
    'role',
    'user_account',
    'application',
    'audit_log',
    'outbox',
    'verification_code',
  ] as const;
  const counted = tables.map((table) =>
    hub.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow(),
  );
  return (await Promise.all(counted)).map(({ rows }) => Number(rows));
};

/** What earlier values were given to must not keep a later test from using them again. */
const freeNames = async (): Promise<void> => {
  await hub.db
    .updateTable('tenancy')
    .set((row) => ({ tenancy_name_key: row.ref('tenancy_id') }))
    .execute();
  await hub.db
    .updateTable('role')
    .set((row) => ({ role_name_key: row.ref('role_id') }))
    .execute();
  await hub.db
    .updateTable('application')
    .set((row) => ({ application_name_key: row.ref('application_id') }))
    .execute();
};

const eachPlace = rules.flatMap((rule) =>
  rule.places.map((place) => ({ title: `${place.call} ${place.field}`, rule, place })),
);

const textOf = (says: Rule['refused'][number], language: Language): string =>
  fill(fieldTexts[says.says][language], says.limit);

describe.each(eachPlace)('$title', ({ rule, place }) => {
  it('refuses what the rule refuses, at that field, in both languages, and changes nothing', async () => {
    const call = callOf(place);
    const right = await rightInput(place);
    const before = await countRows();
    for (const refused of rule.refused) {
      const sent = { ...right, [place.field]: refused.value };
      for (const [header, language] of [
        ['zh-CN', 'zh_CN'],
        ['en-US', 'en_US'],
      ] as const) {
        const answer = await callerOf(place).send(call, sent, { language: header });
        const details = [{ field: place.field, message: textOf(refused, language) }];
        expect(answer, JSON.stringify(refused.value)).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details });
      }
      if (call.method === 'GET') continue;
      const json = await callerOf(place).send(call, sent, { as: 'json' });
      const details = [{ field: place.field, message: textOf(refused, 'en_US') }];
      expect(json, JSON.stringify(refused.value)).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details });
    }
    expect(await countRows()).toEqual(before);
  });

  it('takes what the rule takes', async () => {
    await freeNames();
    for (const [index, value] of rule.accepted.entries()) {
      // Times pass: guesses are slowed down and codes come one a minute, and neither is meant here.
      await hub.db.deleteFrom('login_attempt').execute();
      await hub.db.deleteFrom('verification_code').execute();
      const as = index % 2 === 0 ? 'form' : 'json';
      const sent = { ...(await rightInput(place)), [place.field]: value };
      const answer = await callerOf(place).send(callOf(place), sent, { as });
      const outcome = answer.success ? 'accepted' : answer.code;
      const leadsTo = place.leadsTo ?? 'accepted';
      // checkCode looks at whose address it is before it looks at the code.
      if (place.call === 'personal.checkCode') expect(['CODE_WRONG', 'ADDRESS_NOT_YOURS']).toContain(outcome);
      else expect(outcome, `${JSON.stringify(value)} as ${as}: ${JSON.stringify(answer)}`).toBe(leadsTo);
    }
  });
});

describe('any text at all', () => {
  const near = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...'aZ9@-_() ,.#/中㐀é１！\u0000'), minLength: 1, maxLength: 62 }),
  );

  it('is taken as an application name by the hub if and only if by the rule, and kept as it is', async () => {
    const { applicationId } = scratch;
    await fc.assert(
      fc.asyncProperty(near, async (applicationName) => {
        const sent = { applicationId, applicationName };
        const answer = await hub.admin.call(applicationCalls.updateApplication, sent, { as: 'json' });
        expect(answer.success).toBe(fields.name().safeParse(applicationName).success);
        if (!answer.success) {
          expect(answer.statusCode).toBe(400);
          return;
        }
        const kept = await hub.admin.get(applicationCalls.getApplicationDetails, { applicationId });
        expect(kept.applicationName).toBe(applicationName);
      }),
      { numRuns: 60 },
    );
  });

  it('is taken as an address by the hub if and only if by the rule, and kept as it is', async () => {
    const { tenancyId } = scratch;
    await fc.assert(
      fc.asyncProperty(near, async (companyAddress) => {
        const answer = await hub.admin.call(tenancyCalls.updateTenancy, {
          tenancyId,
          ...tenancyFields(),
          companyAddress,
        });
        expect(answer.success).toBe(fields.address().safeParse(companyAddress).success);
        if (!answer.success) {
          expect(answer.statusCode).toBe(400);
          return;
        }
        expect(await hub.admin.get(tenancyCalls.getTenancyDetails, { tenancyId })).toMatchObject({ companyAddress });
      }),
      { numRuns: 60 },
    );
  });

  it('in a search or an id never breaks the hub', async () => {
    const ids = { roleId: '', userId: '', applicationId: '', outboxId: '', pictureId: '', tenancyId: '' };
    const searches = {
      roleName: '',
      name: '',
      username: '',
      searchValue: '',
      companyName: '',
      action: '',
      recipient: '',
    };
    const reads = everyCall.filter(({ call }) => call.kind === 'query');
    await fc.assert(
      fc.asyncProperty(near, fc.constantFrom(...reads), async (text, { call }) => {
        const sent = Object.fromEntries(Object.keys({ ...ids, ...searches }).map((field) => [field, text]));
        const answer = await hub.admin.send(call, sent);
        expect([200, 400, 404]).toContain(answer.statusCode);
      }),
      { numRuns: 120, examples: reads.map((read): [string, typeof read] => ['\u0000', read]) },
    );
  });
});

it('a password must not contain the account, and one that does changes nothing', async () => {
  const place = { call: 'user.addUser', field: '' };
  const named = { username: 'short', email: 'short@example.com' };
  const made = await hub.admin.send(callOf(place), { ...(await rightInput(place)), ...named });
  expect(made.success).toBe(true);
  const oldPassword = await hub.mailbox.readPassword('short@example.com');
  const first = await hub.login('short', oldPassword);
  const refusal = await first.refused(personalCalls.firstLoginUpdatePassword, {
    oldPassword,
    newPassword: 'xSHORT-77',
  });
  expect(refusal).toMatchObject({ statusCode: 400, code: 'PASSWORD_CONTAINS_ACCOUNT' });
  expect(refusal.details).toEqual([{ field: 'newPassword', message: 'The password must not contain the account' }]);
  await hub.login('short', oldPassword);
});
