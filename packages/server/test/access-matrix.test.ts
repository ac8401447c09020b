import {
  type accountCalls,
  allCalls,
  apiKeyCalls,
  type Call,
  type NamedCall,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { begin, PIECE, tus } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { createReader, createTenantFixture, type TenantFixture, validValueFor } from './tenants.ts';

/*
 * Every call, by all callers without permission. Covered elsewhere: callers without a token, without the menu or before
 * the first password change: contract.test.ts. Another tenant's objects by id: isolation.test.ts. Calls that devices,
 * brokers and other hubs call: access-devices.test.ts. Here: former users, API keys, and searches by name.
 */

const LONG = Boolean(process.env.TEST_LONG);

let hub: Hub;
let mine: TenantFixture;
let theirs: TenantFixture;
/** Former users: their token, and the tenant whose ids they know. */
const formerUsers = new Map<string, { token: string; tenant: TenantFixture }>();
let keyWithoutMenus: string;

const newKey = async ({ user, ids }: TenantFixture, roleId = ids.roleId): Promise<{ keyId: string; key: string }> =>
  user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId });

beforeAll(async () => {
  hub = await startHub();
  [mine, theirs] = [await createTenantFixture(hub), await createTenantFixture(hub)];
  const [closed, left] = [await createTenantFixture(hub), await createTenantFixture(hub)];
  const [closedKey, leftKey, revoked] = [await newKey(closed), await newKey(left), await newKey(mine)];
  const deleted = await createReader(hub, mine.user.tenancyId);

  await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closed.user.tenancyId, enabled: 0 });
  // Closed by its row alone, so that the sessions are still there.
  await hub.db.updateTable('tenancy').set({ enabled: 0 }).where('tenancy_id', '=', left.user.tenancyId).execute();
  await hub.admin.ok(userCalls.deleteUsers, { userIds: [deleted.userId] });
  await mine.user.ok(apiKeyCalls.revokeApiKey, { keyId: revoked.keyId });
  formerUsers.set('a user of a closed tenant', { token: closed.user.token, tenant: closed });
  formerUsers.set('a session that a closed tenant left behind', { token: left.user.token, tenant: left });
  formerUsers.set('a deleted user', { token: deleted.token, tenant: mine });
  formerUsers.set('a key of a closed tenant', { token: closedKey.key, tenant: closed });
  formerUsers.set('a key that a closed tenant left behind', { token: leftKey.key, tenant: left });
  formerUsers.set('a revoked key', { token: revoked.key, tenant: mine });

  const roleId = await hub.create.role(mine.user.tenancyId, [302]);
  keyWithoutMenus = (await newKey(mine, roleId)).key;
  await hub.db.deleteFrom('role_menu').where('role_id', '=', roleId).execute();
}, 120_000);
afterAll(() => hub.close());

const CALLERS = [
  'a user of a closed tenant',
  'a session that a closed tenant left behind',
  'a deleted user',
  'a key of a closed tenant',
  'a key that a closed tenant left behind',
  'a revoked key',
];

const titled = (calls: NamedCall[]) => calls.map((entry) => ({ title: `${entry.slice}.${entry.name}`, ...entry }));
const guarded = titled(allCalls.filter(({ call }) => call.access !== 'public'));
const open = titled(allCalls.filter(({ call }) => call.access === 'public' && !call.forDevices));
const ofDevices = allCalls.filter(({ call }) => call.forDevices);

it('covers every call of the contract', () => {
  expect(guarded.length + open.length + ofDevices.length).toBe(allCalls.length);
  expect(ofDevices.filter(({ call }) => call.access !== 'public')).toEqual([]);
  expect([...formerUsers.keys()]).toEqual(CALLERS);
});

type Entry = (typeof guarded)[number];

/** Valid input of a call, with ids that the caller knows. */
const inputOf = ({ slice, name, call }: Entry, tenant: TenantFixture): Record<string, unknown> => {
  const required = Object.entries(call.input.shape).filter(([, schema]) => !schema.safeParse(undefined).success);
  return Object.fromEntries(required.map(([field]) => [field, validValueFor(slice, name, field, tenant)]));
};

/** The answer without its request id. */
const answerTo = async (token: string, call: Call, sent: Record<string, unknown>, as: 'form' | 'json' = 'form') => {
  const answer = await createClient(hub.url, token).send(call, sent, { as });
  return { ...answer, requestId: '' };
};

const expectNothingOf = (tenant: TenantFixture, answer: unknown): void => {
  const text = JSON.stringify(answer);
  expect(tenant.words.filter((word) => text.includes(word))).toEqual([]);
};

const someoneNever = (caller: string): string => (/key/.test(caller) ? `dck_${'A'.repeat(43)}` : 'nobodyHasIt');

/** The answer of a call to an unknown token or key: requested once, since it does not depend on the input. */
const anonymousAnswers = new Map<string, ReturnType<typeof answerTo>>();
const strangerIsTold = (caller: string, { title, call }: Entry, sent: Record<string, unknown>) => {
  const token = someoneNever(caller);
  const key = `${token} ${title}`;
  const answer = anonymousAnswers.get(key) ?? answerTo(token, call, sent);
  anonymousAnswers.set(key, answer);
  return answer;
};

describe.each(CALLERS)('%s', (caller) => {
  it.each(guarded)('rejects $title with the reason that only this role gets', async (entry) => {
    const { token, tenant } = formerUsers.get(caller) ?? { token: '', tenant: mine };
    const sent = inputOf(entry, tenant);
    const answer = await answerTo(token, entry.call, sent);
    expect(answer).toMatchObject({ success: false, statusCode: 401, data: null });
    expect(answer).toEqual(await strangerIsTold(caller, entry, sent));
    expectNothingOf(tenant, answer);
  });

  it.each(open)('rejects $title without permission', async (entry) => {
    const { token } = formerUsers.get(caller) ?? { token: '' };
    for (const sent of anybodyMaySend(entry)) {
      const [asGone, asStranger] = [sent(), sent()];
      expect(await answerTo(token, entry.call, asGone)).toEqual(await answerTo('', entry.call, asStranger));
    }
  });

  it('rejects uploads in progress and new ones', async () => {
    const { token } = formerUsers.get(caller) ?? { token: '' };
    const place = await begin(hub.admin, { size: 10, tenancyId: mine.user.tenancyId });
    const by = { url: hub.url, token };
    const doors: [string, string, Record<string, string>, Buffer?][] = [
      ['POST', '', { 'Upload-Length': '10', 'Upload-Metadata': 'filename YS5iaW4=' }],
      ['HEAD', place, {}],
      ['PATCH', place, { ...PIECE, 'Upload-Offset': '0' }, Buffer.alloc(10)],
      ['DELETE', place, {}],
    ];
    for (const [method, where, headers, bytes] of doors)
      expect((await tus(by, method, where, headers, bytes)).status, method).toBe(401);
    expect((await tus(hub.admin, 'HEAD', place)).headers.get('upload-offset')).toBe('0');
  });
});

/** The input of each public call; a new one without an entry fails. */
function anybodyMaySend({ name }: Pick<NamedCall, 'name'>): (() => Record<string, unknown>)[] {
  const mail = (type: number) => () => ({ email: `${unique('nobody')}@example.com`, type });
  let phone = Date.now() % 1_000_000_000;
  const text = (type: number) => () => ({ phone: `18${String(phone++).padStart(9, '0')}`, type });
  const table: Record<keyof typeof accountCalls, (() => Record<string, unknown>)[]> = {
    login: [() => ({ username: unique('u'), password: 'Wrong-pass1' })],
    retrievePassword: [() => ({ email: `${unique('x')}@example.com`, code: '000000', password: 'Some-pass1' })],
    getVerificationCode: [1, 2, 3, 4].map(mail),
    getPhoneCode: [1, 2, 3, 4].map(text),
  };
  return table[name as keyof typeof accountCalls];
}

describe('a key whose role has lost all menus', () => {
  it.each(guarded)('is rejected by $title', async (entry) => {
    const answer = await answerTo(keyWithoutMenus, entry.call, inputOf(entry, theirs));
    // The list of menus is public; the menus of a role are not.
    if (entry.name === 'queryMenuList') expect(answer).toMatchObject({ success: true });
    else if (entry.name === 'getRoleMenu') expect(answer).toMatchObject({ success: false, statusCode: 403 });
    else if (entry.call.requiresUserSession)
      expect(answer).toMatchObject({ statusCode: 403, code: 'USER_SESSION_REQUIRED' });
    else expect(answer).toMatchObject({ statusCode: 403, code: 'FORBIDDEN', data: null });
    expectNothingOf(theirs, answer);
  });
});

const reads = guarded.filter(({ call }) => call.kind === 'query' && !call.platformOnly && !call.answersStream);
/** Ids are looked for by isolation.test.ts. */
const isText = (call: Call, field: string): boolean =>
  !/^id$|Ids?$|^idList$/.test(field) && call.input.shape[field]?.safeParse('plain-1').success === true;

describe('names of another tenant', () => {
  it.each(reads)('do not appear in $title', async (entry) => {
    const page = 'pageSize' in entry.call.input.shape ? { pageSize: 200 } : {};
    const sent = { ...inputOf(entry, mine), ...page };
    expectNothingOf(theirs, await answerTo(mine.user.token, entry.call, sent));
  });

  const searched = reads.flatMap((entry) =>
    Object.keys(entry.call.input.shape)
      .filter((field) => isText(entry.call, field))
      .map((field) => ({ ...entry, field })),
  );

  /** Every name; of the ids, which are many, a third by turns in the quick form. */
  const wordsFor = (turn: number): string[] => {
    const ids = new Set(Object.values(theirs.ids));
    const names = theirs.words.filter((word) => !ids.has(word));
    return [...names, ...[...ids].filter((_, index) => LONG || index % 3 === turn % 3)];
  };

  it.each(searched.map((one, turn) => ({ ...one, turn })))(
    'match nothing by $field of $title',
    async ({ field, turn, ...entry }) => {
      const sent = inputOf(entry, mine);
      const answers = await Promise.all(
        wordsFor(turn).map(async (word) => {
          const answer = await answerTo(mine.user.token, entry.call, { ...sent, [field]: word });
          return { word, answer };
        }),
      );
      for (const { word, answer } of answers) {
        // The answer may contain the caller's own input.
        const text = JSON.stringify(answer).replaceAll(word, '');
        expect(
          theirs.words.filter((other) => !word.includes(other) && text.includes(other)),
          word,
        ).toEqual([]);
        if (answer.success && /"total":/.test(text)) expect(text, word).toMatch(/"total":0\b/);
      }
    },
  );
});
