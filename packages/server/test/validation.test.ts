import {
  allCalls,
  applicationCalls,
  type Call,
  fields,
  fieldTexts,
  fill,
  type Language,
  personalCalls,
  tenancyCalls,
} from '@device-center/contract';
import { type Place, type Rule, rules } from '@device-center/contract/test/rule-table.ts';
import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, type TestUser, tenancyFields } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { createReader } from './tenants.ts';
import { type Scratch, validInput } from './valid-input.ts';

const LONG = Boolean(process.env.TEST_LONG);

let hub: Hub;
let user: TestUser;
let operator: TestUser;
let scratch: Scratch;

beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId });
  operator = await createReader(hub, '1');
  scratch = {
    user,
    tenancyId,
    applicationId: await hub.create.application(tenancyId),
    roleId: await hub.create.role(tenancyId, [201]),
  };
});
afterAll(() => hub.close());

const callOf = (place: Place): Call => {
  const found = allCalls.find(({ slice, name }) => `${slice}.${name}` === place.call);
  if (!found) throw new Error(`there is no call ${place.call}`);
  return found.call;
};

const callerOf = ({ call }: Place) => {
  if (call.startsWith('personal.')) return user;
  return call.startsWith('device.') ? operator : hub.admin;
};

const countRows = async (): Promise<unknown[]> => {
  const tables = [
    'tenancy',
    'role',
    'user_account',
    'application',
    'audit_log',
    'outbox',
    'verification_code',
    'category',
    'open_function',
    'product',
    'product_function',
    'product_model_version',
    'zone',
    'zone_node',
    'api_key',
  ] as const;
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)}) as ${sql.ref(table)}`);
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(hub.db);
  return rows.flatMap((row) => Object.values(row));
};

/** Frees names that earlier cases used, so that later ones can use them again. */
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
  await hub.db
    .updateTable('category')
    .set((row) => ({ category_name_key: row.ref('category_id') }))
    .execute();
  await hub.db.updateTable('zone').set({ zone_name_key: sql<string>`'zone ' || zone_id` }).execute();
  await hub.db
    .updateTable('product')
    .set((row) => ({ product_name_key: row.ref('product_id') }))
    .execute();
};

const eachPlace = rules.flatMap((rule) =>
  rule.places.map((place) => ({ title: `${place.call} ${place.field}`, rule, place })),
);

const textOf = (says: Rule['refused'][number], language: Language): string =>
  fill(fieldTexts[says.says][language], says.limit);

describe.each(eachPlace)('$title', ({ rule, place }) => {
  // Spec 5.1, 5.2, 5.5-5.8, 5.10, 5.12-5.17, 5.19-5.24, 5.29-5.31, 5.36, 5.37, 5.39-5.45, 5.47-5.51, 5.54-5.56
  // Spec 5.59, 5.64, 5.68-5.75, 8.22, 9.5, 9.9-9.11, 9.13-9.18, 9.34-9.41
  it('rejects every invalid value at that field, in both languages, and changes nothing', async () => {
    const call = callOf(place);
    const right = await validInput(hub, scratch, place.call);
    const before = await countRows();
    const ways = [
      ['zh-CN', 'zh_CN', 'form'],
      ['en-US', 'en_US', call.method === 'GET' ? 'form' : 'json'],
    ] as const;
    const atFirstPlace = place === rule.places[0];
    const turn = rule.places.indexOf(place);
    const tries = rule.refused.flatMap((refused, index) => {
      // Each value both as JSON and as a form at the first field of its rule; at the others in turn.
      if (LONG || atFirstPlace) return ways.map((way) => ({ refused, way }));
      return index === turn % rule.refused.length
        ? ways.slice(turn % 2, (turn % 2) + 1).map((way) => ({ refused, way }))
        : [];
    });
    for (const { refused, way } of tries) {
      const [header, language, as] = way;
      const sent = { ...right, [place.field]: refused.value };
      const answer = await callerOf(place).send(call, sent, { language: header, as });
      const details = [{ field: place.field, message: textOf(refused, language) }];
      expect(answer, JSON.stringify(refused.value)).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details });
    }
    expect(await countRows()).toEqual(before);
  });

  // Spec 5
  it('accepts every valid value', async () => {
    if (/Name$/.test(place.field)) await freeNames();
    const isGuarded = /^(account|personal)\./.test(place.call);
    const turn = rule.places.indexOf(place);
    const values = LONG || turn === 0 ? rule.accepted : rule.accepted.slice(turn % rule.accepted.length).slice(0, 1);
    for (const [index, value] of values.entries()) {
      // Resets throttling of logins and codes, which this test does not cover.
      if (isGuarded) await hub.db.deleteFrom('login_attempt').execute();
      if (isGuarded) await hub.db.deleteFrom('verification_code').execute();
      const as = (index + turn) % 2 === 0 ? 'form' : 'json';
      const sent = { ...(await validInput(hub, scratch, place.call)), [place.field]: value };
      const answer = await callerOf(place).send(callOf(place), sent, { as });
      const outcome = answer.success ? 'accepted' : answer.code;
      const leadsTo = place.leadsTo ?? 'accepted';
      // checkCode checks the owner of the address before the code.
      if (place.call === 'personal.checkCode') expect(['CODE_WRONG', 'ADDRESS_NOT_YOURS']).toContain(outcome);
      else expect(outcome, `${JSON.stringify(value)} as ${as}: ${JSON.stringify(answer)}`).toBe(leadsTo);
    }
  });
});

describe('random text', () => {
  const near = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...'aZ9@-_() ,.#/中㐀é１！\u0000'), minLength: 1, maxLength: 62 }),
  );

  // Spec 5.13
  it('is accepted as an application name by the hub if and only if by the rule, and stored unchanged', async () => {
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
        const kept = await hub.admin.ok(applicationCalls.getApplicationDetails, { applicationId });
        expect(kept.applicationName).toBe(applicationName);
      }),
      { numRuns: LONG ? 60 : 25 },
    );
  });

  // Spec 5.15
  it('is accepted as an address by the hub if and only if by the rule, and stored unchanged', async () => {
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
        expect(await hub.admin.ok(tenancyCalls.getTenancyDetails, { tenancyId })).toMatchObject({ companyAddress });
      }),
      { numRuns: LONG ? 60 : 25 },
    );
  });

  it('in a search or an id never causes an internal error', async () => {
    const ids = 'roleId userId applicationId outboxId pictureId tenancyId categoryId productId deviceId parentId';
    const searches = 'roleName name username searchValue companyName action recipient productName deviceName mac';
    const asked = `${ids} ${searches}`.split(' ');
    const reads = allCalls.filter(({ call }) => call.kind === 'query' && !call.forDevices);
    // The examples, one a read, count among the runs.
    await fc.assert(
      fc.asyncProperty(near, fc.constantFrom(...reads), async (text, { call }) => {
        const sent = Object.fromEntries(asked.map((field) => [field, text]));
        const answer = await operator.send(call, sent);
        expect([200, 400, 404]).toContain(answer.statusCode);
      }),
      {
        numRuns: LONG ? 120 : Math.min(120, reads.length + 20),
        examples: reads.map((read): [string, typeof read] => ['\u0000', read]),
      },
    );
  });
});

describe('an id with a NUL', () => {
  const OPTIONS = ['protocolId', 'classId'];
  // Calls with files and calls of devices have separate tests.
  const calls = allCalls.filter(({ call }) => !call.file && !call.forDevices);
  const places = calls.flatMap(({ slice, name, call }) =>
    Object.keys(call.input.shape)
      .filter((field) => /^(id|copyFrom|icon)$|Ids?$/.test(field) && !OPTIONS.includes(field))
      .map((field) => ({ call: `${slice}.${name}`, field })),
  );

  it.each(places)('is rejected by $call as $field, on any database', async (place) => {
    const sent = { ...(await validInput(hub, scratch, place.call)), [place.field]: 'a\u0000b' };
    const answer = await callerOf(place).send(callOf(place), sent);
    const fields = answer.success ? [] : (answer.details ?? []).map(({ field }) => field.replace(/\[\d+\]$/, ''));
    expect(answer, JSON.stringify(answer)).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    expect(fields).toContain(place.field);
  });
});

// Spec 5.3
it('rejects a password that contains the account, and changes nothing', async () => {
  const place = { call: 'user.addUser', field: '' };
  const named = { username: 'short', email: 'short@example.com' };
  const created = await hub.admin.send(callOf(place), { ...(await validInput(hub, scratch, place.call)), ...named });
  expect(created.success).toBe(true);
  const oldPassword = await hub.mailbox.readPassword('short@example.com');
  const first = await hub.login('short', oldPassword);
  const refusal = await first.error(personalCalls.firstLoginUpdatePassword, {
    oldPassword,
    newPassword: 'xSHORT-77',
  });
  expect(refusal).toMatchObject({ statusCode: 400, code: 'PASSWORD_CONTAINS_ACCOUNT' });
  expect(refusal.details).toEqual([{ field: 'newPassword', message: 'The password must not contain the account' }]);
  await hub.login('short', oldPassword);
});
