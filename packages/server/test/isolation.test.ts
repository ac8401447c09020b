import {
  applicationCalls,
  auditCalls,
  contract,
  everyCall,
  personalCalls,
  roleCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, startHub, type TestUser, unique } from './hub.ts';

const MENUS = [201, 202, 203, 302];
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

type Side = {
  user: TestUser;
  /** By the name of the field that takes it. */
  ids: Record<string, string>;
  /** Whatever must never be read by the other side. */
  words: string[];
};

let hub: Hub;
let mine: Side;
let theirs: Side;

const uploadPicture = async (user: TestUser): Promise<string> => {
  const body = new FormData();
  body.set('multipartFile', new Blob([PNG]), 'head.png');
  const headers = { Authorization: user.token };
  const response = await fetch(hub.url + personalCalls.updateUserHead.path, { method: 'POST', headers, body });
  const { data } = (await response.json()) as { data: { image: string } };
  return new URL(data.image, hub.url).searchParams.get('pictureId') ?? '';
};

const makeSide = async (): Promise<Side> => {
  const tenancyId = await hub.has.tenancy();
  const user = await hub.has.user({ tenancyId, menus: MENUS });
  const other = await hub.has.user({ tenancyId, menus: [302] });
  const { roleId } = other;
  const applicationId = await hub.has.application(tenancyId);
  const pictureId = await uploadPicture(other);
  const [session] = await other.get(personalCalls.getSessions, {});
  const [message] = await hub.db
    .selectFrom('outbox')
    .select('outbox_id')
    .where('recipient', '=', other.email)
    .execute();
  const { tenancyName } = await user.get(personalCalls.getPersonalMessage, {});
  const { roleName } = await user.get(roleCalls.getRoleDetails, { roleId });
  const { applicationName } = await user.get(applicationCalls.getApplicationDetails, { applicationId });
  const ids = {
    tenancyId,
    roleId,
    applicationId,
    applicationIds: applicationId,
    userId: other.userId,
    userIds: other.userId,
    pictureId,
    sessionId: session?.sessionId ?? '',
    outboxId: message?.outbox_id ?? '',
  };
  const words = [...Object.values(ids), user.username, other.username, tenancyName, roleName, applicationName];
  return { user, ids, words };
};

beforeAll(async () => {
  hub = await startHub();
  [mine, theirs] = [await makeSide(), await makeSide()];
});
afterAll(() => hub.close());

/** Every row of a tenant, whatever table it is in. */
const snapshot = async ({ ids: { tenancyId = '' }, user }: Side) => {
  const { db } = hub;
  const users = await db
    .selectFrom('user_account')
    .selectAll()
    .where('tenancy_id', '=', tenancyId)
    .orderBy('user_id')
    .execute();
  const roles = await db
    .selectFrom('role')
    .selectAll()
    .where('tenancy_id', '=', tenancyId)
    .orderBy('role_id')
    .execute();
  const userIds = users.map((row) => row.user_id);
  const roleIds = roles.map((row) => row.role_id);
  const emails = users.map((row) => row.email ?? '');
  return {
    users,
    roles,
    tenancy: await db.selectFrom('tenancy').selectAll().where('tenancy_id', '=', tenancyId).execute(),
    grants: await db
      .selectFrom('role_menu')
      .selectAll()
      .where('role_id', 'in', roleIds)
      .orderBy('role_id')
      .orderBy('menu_id')
      .execute(),
    applications: await db
      .selectFrom('application')
      .selectAll()
      .where('tenancy_id', '=', tenancyId)
      .orderBy('application_id')
      .execute(),
    pictures: await db
      .selectFrom('picture')
      .selectAll()
      .where('tenancy_id', '=', tenancyId)
      .orderBy('picture_id')
      .execute(),
    sessions: await db
      .selectFrom('session')
      .select(['session_id', 'token_hash'])
      .where('user_id', 'in', userIds)
      .orderBy('session_id')
      .execute(),
    codes: await db.selectFrom('verification_code').selectAll().where('asker', 'in', userIds).execute(),
    audit: await db
      .selectFrom('audit_log')
      .selectAll()
      .where('tenancy_id', '=', tenancyId)
      .orderBy('audit_id')
      .execute(),
    outbox: await db
      .selectFrom('outbox')
      .select('outbox_id')
      .where('recipient', 'in', emails)
      .orderBy('outbox_id')
      .execute(),
    user: user.userId,
  };
};

/** An otherwise right input, made of one's own things; a field of a new call that is not here fails below. */
const filling = (field: string, side: Side): unknown => {
  const made: Record<string, unknown> = {
    ...side.ids,
    roleName: unique('r'),
    applicationName: unique('a'),
    username: unique('u'),
    email: `${unique('m')}@example.com`,
    name: '李雷',
    menus: [302],
    enabled: 0,
    tenancyName: unique('t'),
    companyName: unique('c'),
    contactName: '李雷',
    companyAddress: '路 1',
  };
  return made[field];
};

const ID = /Ids?$/;
const LIST = /^query\w+List$/;

const places = everyCall.flatMap(({ slice, name, call }) =>
  Object.keys(call.input.shape)
    .filter((field) => ID.test(field))
    .map((field) => ({ title: `${slice}.${name} with another's ${field}`, name, call, field })),
);

/** The required fields of a call and, of the others, only the one in question. */
const inputFor = (place: (typeof places)[number], own: Side, value: unknown): Record<string, unknown> => {
  const required = Object.entries(place.call.input.shape).filter(([, schema]) => !schema.safeParse(undefined).success);
  return { ...Object.fromEntries(required.map(([field]) => [field, filling(field, own)])), [place.field]: value };
};

describe.each(places)('$title', (place) => {
  const { call, field, name } = place;

  it('knows what the id is', () => {
    expect(theirs.ids[field], `say in makeSide() what a ${field} is`).toEqual(expect.stringMatching(/./));
  });

  it('finds nothing, tells nothing and changes nothing', async () => {
    const before = await snapshot(theirs);
    const own = await snapshot(mine);
    for (const as of ['form', 'json'] as const) {
      const sent = inputFor(place, mine, theirs.ids[field]);
      // A file comes outside of the envelope, and its refusal within.
      const answer = await mine.user.send(call, sent, { as });
      if (call.platformOnly) expect(answer).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
      else if (LIST.test(name)) expect(answer).toMatchObject({ success: true, data: { total: 0, list: [] } });
      else expect(answer, JSON.stringify(answer)).toMatchObject({ success: false, statusCode: 404 });
      const told = JSON.stringify(answer);
      for (const word of theirs.words) expect(told).not.toContain(word);
    }
    expect(await snapshot(theirs)).toEqual(before);
    expect(await snapshot(mine)).toEqual(own);
  });

  it('answers the same as for an id that nobody has', async () => {
    const told = async (value: unknown) => {
      const answer = await mine.user.send(call, inputFor(place, mine, value));
      return { ...answer, requestId: '' };
    };
    expect(await told(theirs.ids[field])).toEqual(await told('nobody-has-it'));
  });
});

describe('the same reads by their owner', () => {
  const reads = places.filter(
    ({ call, field }) => call.kind === 'query' && !call.platformOnly && field !== 'pictureId',
  );

  it.each(reads)('$name with $field succeed, so the ids were right', async (place) => {
    const answer = await theirs.user.send(place.call, inputFor(place, theirs, theirs.ids[place.field]));
    expect(answer).toMatchObject({ success: true });
    expect(JSON.stringify(answer)).not.toContain('"total":0');
  });

  it('and the picture too', async () => {
    const address = `${hub.url}${personalCalls.getUserHead.path}?pictureId=${theirs.ids.pictureId}`;
    const read = await fetch(address, { headers: { Authorization: theirs.user.token } });
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(PNG);
  });
});

describe('a list', () => {
  const lists = Object.values(contract)
    .flatMap((calls) => Object.entries(calls))
    .filter(([name, call]) => LIST.test(name) && !('platformOnly' in call) && name !== 'queryMenuList')
    .map(([name, call]) => ({ name, call }));

  it.each(lists)('$name shows rows of one’s own tenant only', async ({ call }) => {
    const text = JSON.stringify(await mine.user.send(call, { pageSize: 200 }));
    expect(text).toContain(mine.ids.tenancyId);
    for (const word of theirs.words) expect(text).not.toContain(word);
    const all = JSON.stringify(await hub.admin.send(call, { pageSize: 200 }));
    expect(all).toContain(mine.ids.tenancyId);
    expect(all).toContain(theirs.ids.tenancyId);
  });

  it.each(lists)('$name of one tenant is what the platform operator asks for', async ({ call }) => {
    const text = JSON.stringify(await hub.admin.send(call, { pageSize: 200, tenancyId: theirs.ids.tenancyId }));
    expect(text).toContain(theirs.ids.tenancyId);
    for (const word of mine.words) expect(text).not.toContain(word);
  });

  it.each(lists)('$name does not take two tenants at once', async ({ call }) => {
    const both = await mine.user.send(call, { tenancyId: [mine.ids.tenancyId, theirs.ids.tenancyId] });
    expect(both).toMatchObject({ statusCode: 400, details: [{ field: 'tenancyId' }] });
  });
});

describe('a batch with one’s own and another’s', () => {
  it('deletes neither applications nor users', async () => {
    const before = [await snapshot(mine), await snapshot(theirs)];
    const applications = await mine.user.refused(applicationCalls.deleteApplication, {
      applicationIds: [mine.ids.applicationId ?? '', theirs.ids.applicationId ?? ''],
    });
    expect(applications).toMatchObject({ statusCode: 404, code: 'APPLICATION_NOT_FOUND' });
    const users = await mine.user.refused(userCalls.deleteUsers, {
      userIds: [mine.ids.userId ?? '', theirs.ids.userId ?? ''],
    });
    expect(users).toMatchObject({ statusCode: 404, code: 'USER_NOT_FOUND' });
    expect([await snapshot(mine), await snapshot(theirs)]).toEqual(before);
  });
});

describe('what is made', () => {
  it('lands in the maker’s own tenant, named or not', async () => {
    for (const tenancyId of [undefined, mine.ids.tenancyId, '']) {
      const role = { roleName: unique('r'), menus: [302], tenancyId };
      const { roleId } = await mine.user.get(roleCalls.addRole, role);
      const { applicationId } = await mine.user.get(applicationCalls.addApplication, {
        applicationName: unique('a'),
        tenancyId,
      });
      expect(await mine.user.get(roleCalls.getRoleDetails, { roleId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
      });
      expect(await mine.user.get(applicationCalls.getApplicationDetails, { applicationId })).toMatchObject({
        tenancyId: mine.ids.tenancyId,
        creator: mine.user.username,
      });
    }
  });

  it('by the platform operator is in the audit log of the tenant it was made in', async () => {
    await hub.has.application(theirs.ids.tenancyId ?? '');
    const page = await theirs.user.get(auditCalls.queryAuditLogList, { action: 'application.addApplication' });
    expect(page.list[0]).toMatchObject({ username: 'admin', tenancyId: theirs.ids.tenancyId });
  });
});
