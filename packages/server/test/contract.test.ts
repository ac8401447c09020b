import {
  allCalls,
  type Failure,
  Menu,
  type NamedCall,
  permissions,
  roleCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from './client.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';

const LONG = Boolean(process.env.TEST_LONG);

let hub: Hub;
let operator: TestUser;
let tenant: TestUser;

beforeAll(async () => {
  hub = await startHub();
  const tenancyId = await hub.create.tenancy();
  operator = await hub.create.user({ tenancyId: '1' });
  tenant = await hub.create.user({ tenancyId });
});
afterAll(() => hub.close());

const ALL_MENUS = [...new Set([...Object.values(Menu), 2, 603, 604])];

/** Inserts the role's rows directly: addRole would reject some. */
const grant = async (user: TestUser, menus: readonly number[]): Promise<void> => {
  await hub.db.deleteFrom('role_menu').where('role_id', '=', user.roleId).execute();
  const rows = menus.map((menu_id) => ({ role_id: user.roleId, menu_id }));
  if (rows.length > 0) await hub.db.insertInto('role_menu').values(rows).execute();
};

const titled = (calls: NamedCall[]) => calls.map((entry) => ({ title: `${entry.slice}.${entry.name}`, ...entry }));

const closed = titled(allCalls.filter(({ call }) => call.access !== 'public'));
const permitted = closed.flatMap(({ call, ...entry }) =>
  call.access === 'public' || call.access === 'signed-in' ? [] : [{ ...entry, call, menus: permissions[call.access] }],
);

const refusalOf = async (client: Client, entry: NamedCall): Promise<Failure> => {
  const answer = await client.send(entry.call);
  if (answer.success) throw new Error(`${entry.name} was expected to be refused`);
  return answer;
};

describe('/openapi.json', () => {
  it('lists every call of the contract once', async () => {
    const description = (await (await fetch(`${hub.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { operationId: string; 'x-protocol'?: string }>>;
    };
    const described = Object.entries(description.paths).flatMap(([path, verbs]) =>
      // Uploads speak a protocol of their own.
      Object.entries(verbs)
        .filter(([, operation]) => !operation['x-protocol'])
        .map(([verb, { operationId }]) => ({ operationId, at: `${verb} ${path}` })),
    );
    const expected = allCalls.map(({ slice, name, call }) => ({
      operationId: `${slice}.${name}`,
      at: `${call.method.toLowerCase()} ${call.path}`,
    }));
    const byId = (left: { operationId: string }, right: { operationId: string }) =>
      left.operationId < right.operationId ? -1 : 1;
    expect(described.sort(byId)).toEqual(expected.sort(byId));
  });

  // Spec 7
  it('describes the input of every call field by field', async () => {
    const { paths } = (await (await fetch(`${hub.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    for (const { name, call } of allCalls) {
      const text = JSON.stringify(paths[call.path]?.[call.method.toLowerCase()]);
      for (const field of Object.keys(call.input.shape)) expect(text, name).toContain(`"${field}"`);
    }
  });
});

describe.each(titled(allCalls))('$title', ({ call }) => {
  // Spec 7
  it('is mounted under its method and no other', async () => {
    const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;
    const answers = await Promise.all(methods.map((method) => hub.anonymous.send({ ...call, method })));
    for (const [index, answer] of answers.entries()) {
      const shared = allCalls.some((other) => other.call.path === call.path && other.call.method === methods[index]);
      if (shared) expect(answer).not.toMatchObject({ code: 'ENDPOINT_NOT_FOUND' });
      else expect(answer).toMatchObject({ statusCode: 404, code: 'ENDPOINT_NOT_FOUND' });
    }
  });
});

describe.each(closed)('$title', (entry) => {
  // Spec 6.14, 7, 8.5
  it('rejects a missing and an invalid token', async () => {
    const madeUp = ['nonsense', 'Bearer nonsense', 'Bearer ', `${hub.admin.token}x`, 'undefined', "' or 1=1 --"];
    const turn = closed.findIndex(({ title }) => title === entry.title) % madeUp.length;
    const tokens = ['', ...(LONG ? madeUp : madeUp.slice(turn, turn + 1))];
    for (const refusal of await Promise.all(tokens.map((token) => refusalOf(createClient(hub.url, token), entry)))) {
      expect(refusal).toMatchObject({ statusCode: 401, code: 'TOKEN_INVALID', data: null });
      expect(refusal.message).toBe('Token expired, please log in again');
    }
  });
});

describe.each(permitted)('$title', ({ menus, ...entry }) => {
  // Spec 6.3, 7
  it('is rejected for a role without its menus, whatever others it has', async () => {
    await grant(
      operator,
      ALL_MENUS.filter((menu) => !menus.some((own) => own === menu)),
    );
    const refusal = await refusalOf(operator, entry);
    expect(refusal).toMatchObject({
      statusCode: 403,
      code: 'FORBIDDEN',
      message: 'You do not have permission to do this',
    });
  });

  // Spec 6.3
  it('is accepted for a role with any one of its menus', async () => {
    for (const menu of menus) {
      await grant(operator, [menu]);
      const answer = await operator.send(entry.call);
      expect(answer.success || answer.code === 'BAD_INPUT', JSON.stringify(answer)).toBe(true);
    }
  });

  it(`is ${entry.call.platformOnly ? 'rejected' : 'accepted'} for a user of another tenant with every menu`, async () => {
    await grant(tenant, ALL_MENUS);
    const answer = await tenant.send(entry.call);
    if (entry.call.platformOnly) expect(answer).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
    else expect(answer.success || answer.code === 'BAD_INPUT', JSON.stringify(answer)).toBe(true);
  });
});

describe('getRoleMenu of another role', () => {
  // Spec 7.30
  it('requires the roles or the users page; for the own role it does not', async () => {
    await grant(tenant, [Menu.applyList]);
    const other = await hub.create.role(tenant.tenancyId, [Menu.applyList]);
    expect(await tenant.ok(roleCalls.getRoleMenu, { roleId: tenant.roleId })).toEqual({
      roleId: tenant.roleId,
      menus: [2, Menu.applyList],
    });
    expect(await tenant.error(roleCalls.getRoleMenu, { roleId: other })).toMatchObject({ code: 'FORBIDDEN' });
    for (const menu of [Menu.roleList, Menu.userList]) {
      await grant(tenant, [menu]);
      expect((await tenant.ok(roleCalls.getRoleMenu, { roleId: other })).menus).toEqual([2, Menu.applyList]);
    }
  });
});

describe('a field that is not in the contract', () => {
  // Calls of devices have answers of the device protocol.
  const withBody = titled(allCalls.filter(({ call }) => call.method !== 'GET' && !call.file && !call.forDevices));

  it.each(withBody)('is rejected by $title in JSON, at that field', async ({ call }) => {
    const sent = { nonsense: 1, constructor: 'x' };
    const english = await hub.admin.send(call, sent, { as: 'json' });
    expect(english).toMatchObject({ statusCode: 400, code: 'BAD_INPUT' });
    const chinese = await hub.admin.send(call, sent, { as: 'json', language: 'zh-CN' });
    const unknown = (answer: typeof english) =>
      answer.success ? [] : (answer.details ?? []).filter(({ field }) => Object.hasOwn(sent, field));
    expect(unknown(english)).toEqual([
      { field: 'nonsense', message: 'Unknown field' },
      { field: 'constructor', message: 'Unknown field' },
    ]);
    expect(unknown(chinese).map(({ message }) => message)).toEqual(['未知字段', '未知字段']);
  });

  it.each(withBody)('is ignored by $title in a form', async ({ call }) => {
    const before = await hub.admin.send(call, {});
    const after = await hub.admin.send(call, { nonsense: 1, constructor: 'x' });
    const told = (answer: typeof before) => (answer.success ? answer.message : [answer.code, answer.details]);
    expect(told(after)).toEqual(told(before));
    expect(JSON.stringify(after)).not.toContain('nonsense');
  });
});

describe('before the first password is changed', () => {
  let newcomer: Client;

  beforeAll(async () => {
    const username = unique('new');
    const email = `${username}@example.com`;
    await hub.admin.ok(userCalls.addUser, { username, name: '新人', email, roleId: '1' });
    newcomer = await hub.login(username, await hub.mailbox.readPassword(email));
  });

  it.each(closed.filter(({ call }) => !call.duringFirstLogin))('$title is rejected', async (entry) => {
    const refusal = await refusalOf(newcomer, entry);
    expect(refusal).toMatchObject({ statusCode: 403, code: 'FIRST_LOGIN' });
    expect(refusal.message).toBe('Change your initial password first');
  });

  it.each(['account.getVerificationCode', 'account.getPhoneCode'])(
    '%s is accepted for recovery only',
    async (title) => {
      const entry = titled(allCalls).find((one) => one.title === title);
      if (!entry) throw new Error(`there is no ${title}`);
      const address = { email: 'x@example.com', phone: '13800138000' };
      for (const type of [2, 3, 4])
        expect(await newcomer.send(entry.call, { ...address, type })).toMatchObject({ code: 'FIRST_LOGIN' });
      expect(await newcomer.send(entry.call, { ...address, type: 1 })).toMatchObject({ success: true });
    },
  );

  it('the four others are accepted', async () => {
    const others = closed.filter(({ call }) => call.duringFirstLogin);
    for (const { name, call } of others.filter(({ name }) => name !== 'loginOut')) {
      const answer = await newcomer.send(call, { roleId: '1' });
      expect(answer.success || answer.code === 'BAD_INPUT', name).toBe(true);
    }
    expect(await newcomer.error(roleCalls.getRoleMenu, { roleId: tenant.roleId })).toMatchObject({
      code: 'FORBIDDEN',
    });
    const loginOut = others.find(({ name }) => name === 'loginOut');
    expect(loginOut && (await newcomer.send(loginOut.call))).toMatchObject({ success: true });
    expect(loginOut && (await newcomer.send(loginOut.call))).toMatchObject({ code: 'TOKEN_INVALID' });
  });
});
