import {
  applicationCalls,
  type Call,
  type Failure,
  personalCalls,
  roleCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Hub, tenancyFields, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { PNG, readPng } from './pictures.ts';

let hub: Hub;
let tenancyId: string;

beforeAll(async () => {
  hub = await startHub();
  tenancyId = await hub.create.tenancy();
});
afterAll(() => hub.close());

type Sent = {
  method?: string;
  type?: string;
  body?: string | FormData;
  token?: string;
  headers?: Record<string, string>;
};

/** Values that any client may send. */
const raw = async (path: string, { method = 'POST', type, body, token, headers }: Sent = {}) => {
  const response = await fetch(`${hub.url}${path}`, {
    method,
    headers: {
      Authorization: token ?? hub.admin.token,
      'Accept-Language': 'en-US',
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as Failure };
};

const isRefused = (answer: Awaited<ReturnType<typeof raw>>, status: number, code: string): void => {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body).toMatchObject({ success: false, statusCode: status, code, data: null });
  expect(answer.body.message).not.toBe('');
  expect(answer.body.requestId).toMatch(/^\S{8,}$/);
  expect(answer.headers.get('x-request-id')).toBe(answer.body.requestId);
  expect(answer.headers.get('cache-control')).toBe('no-store');
};

const countRoles = async (): Promise<number> =>
  Number(
    (
      await hub.db
        .selectFrom('role')
        .select(({ fn }) => fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
    ).rows,
  );

describe('a request body', () => {
  const form = 'application/x-www-form-urlencoded';

  // Spec 7.6, 8.11
  it.each([
    ['a form', form, (name: string) => `roleName=${name}&menus=201&menus=302&tenancyId=${tenancyId}`],
    ['a form with a,b,c', form, (name: string) => `roleName=${name}&menus=201%2C302&tenancyId=${tenancyId}`],
    ['a form with a JSON array', form, (name: string) => `roleName=${name}&menus=[201,302]&tenancyId=${tenancyId}`],
    [
      'a form with its character set',
      `${form}; charset=UTF-8`,
      (name: string) => `roleName=${name}&menus=201,302&tenancyId=${tenancyId}`,
    ],
    ['JSON', 'application/json', (roleName: string) => JSON.stringify({ roleName, menus: [201, 302], tenancyId })],
    [
      'JSON with texts',
      'application/json',
      (roleName: string) => JSON.stringify({ roleName, menus: ['201', '302'], tenancyId }),
    ],
    [
      'JSON with its character set',
      'application/json; charset=utf-8',
      (roleName: string) => JSON.stringify({ roleName, menus: '201,302', tenancyId }),
    ],
  ])('is read the same as %s', async (_title, type, write) => {
    const roleName = unique('角色');
    const answer = await raw(roleCalls.addRole.path, { method: 'PUT', type, body: write(roleName) });
    expect(answer.body).toMatchObject({ success: true, statusCode: 200, message: 'Operation succeeded' });
    const { roleId } = answer.body.data as unknown as { roleId: string };
    expect(await hub.admin.ok(roleCalls.getRoleDetails, { roleId })).toMatchObject({
      roleName,
      menus: [201, 302],
      tenancyId,
    });
  });

  // Spec 7.5, 7.6
  it('changes a tenant the same as a form or as JSON', async () => {
    for (const as of ['form', 'json'] as const) {
      const made = await hub.admin.ok(tenancyCalls.addTenancy, tenancyFields(), { as });
      const changed = { tenancyId: made.tenancyId, ...tenancyFields(), enabled: 0 as const };
      expect(await hub.admin.ok(tenancyCalls.updateTenancy, changed, { as })).toBeNull();
      expect(await hub.admin.ok(tenancyCalls.getTenancyDetails, made)).toMatchObject(changed);
    }
  });

  it('stores the same preferences as a form or as JSON', async () => {
    const preferences = { theme: 'dark', columns: ['a', 'b'], nested: { 数: 1, none: null } };
    for (const as of ['form', 'json'] as const) {
      await hub.admin.ok(personalCalls.savePreferences, { preferences: {} }, { as });
      await hub.admin.ok(personalCalls.savePreferences, { preferences }, { as });
      expect(await hub.admin.ok(personalCalls.getPreferences, {})).toEqual({ preferences });
    }
    const text = await hub.admin.send(personalCalls.savePreferences, { preferences: 'no object' });
    expect(text).toMatchObject({ code: 'BAD_INPUT', details: [{ field: 'preferences' }] });
  });

  it.each([
    [
      'the address, as a repeated key',
      (ids: string[]) => ({ query: ids.map((id) => `applicationIds=${id}`).join('&') }),
    ],
    ['the address, as a,b,c', (ids: string[]) => ({ query: `applicationIds=${ids.join(',')}` })],
    [
      'the address, as a JSON array',
      (ids: string[]) => ({ query: `applicationIds=${encodeURIComponent(JSON.stringify(ids))}` }),
    ],
    [
      'the address, under a JSON header with nothing behind it',
      (ids: string[]) => ({ query: `applicationIds=${ids.join(',')}`, type: 'application/json', body: '' }),
    ],
    ['a form', (ids: string[]) => ({ type: form, body: ids.map((id) => `applicationIds=${id}`).join('&') })],
    ['JSON', (applicationIds: string[]) => ({ type: 'application/json', body: JSON.stringify({ applicationIds }) })],
  ])('of a DELETE is read from %s', async (_title, write) => {
    const ids = [await hub.create.application(tenancyId), await hub.create.application(tenancyId)];
    const { query = '', ...sent } = write(ids) as { query?: string; type?: string; body?: string };
    const answer = await raw(`${applicationCalls.deleteApplication.path}?${query}`, { method: 'DELETE', ...sent });
    expect(answer.body).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 2 } });
    expect(
      await hub.db.selectFrom('application').select('application_id').where('application_id', 'in', ids).execute(),
    ).toEqual([]);
  });

  it.each([
    ['{"roleName":', 'cut off'],
    ['{roleName: 1}', 'no JSON'],
    ['[{"roleName":"a"}]', 'a list'],
    ['{"__proto__":{"roleName":"ab"}}', 'with a prototype'],
  ])('%j as JSON (%s) is rejected', async (body) => {
    const before = await countRoles();
    isRefused(
      await raw(roleCalls.addRole.path, { method: 'PUT', type: 'application/json', body }),
      400,
      'MALFORMED_BODY',
    );
    expect(await countRoles()).toBe(before);
  });

  it.each(['"text"', '1', 'null', 'true'])('%s, JSON but no object, has no fields', async (body) => {
    const answer = await raw(roleCalls.addRole.path, { method: 'PUT', type: 'application/json', body });
    isRefused(answer, 400, 'BAD_INPUT');
    expect(answer.body.details?.map(({ field }) => field)).toEqual(['roleName', 'menus']);
  });

  it.each(['application/json', form])('of more than 1 MiB as %s is rejected', async (type) => {
    const long = 'x'.repeat(1024 * 1024 + 1);
    const body = type === form ? `roleName=${long}` : JSON.stringify({ roleName: long });
    isRefused(await raw(roleCalls.addRole.path, { method: 'PUT', type, body }), 413, 'TOO_LARGE');
  });

  it.each(['text/plain', 'text/xml', 'application/octet-stream', 'application/jsonx', 'nonsense'])(
    'of type %s is rejected, also when the call needs no field',
    async (type) => {
      const before = await countRoles();
      const body = JSON.stringify({ roleName: unique('r'), menus: [201] });
      isRefused(await raw(roleCalls.addRole.path, { method: 'PUT', type, body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
      isRefused(
        await raw(personalCalls.endOtherSessions.path, { method: 'DELETE', type, body }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
      expect(await countRoles()).toBe(before);
    },
  );

  it('as multipart is rejected when the call accepts no file', async () => {
    const body = new FormData();
    body.set('roleName', unique('r'));
    isRefused(await raw(roleCalls.addRole.path, { method: 'PUT', body }), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('a validation message', () => {
  const refusalOf = (fields: object, language: string) =>
    hub.admin.send(tenancyCalls.addTenancy, { ...tenancyFields(), ...fields }, { language });

  it('is that of the one invalid field', async () => {
    const message = 'format error, fill in the phone number correctly';
    expect(await refusalOf({ phone: '1' }, 'en-US')).toMatchObject({
      statusCode: 400,
      code: 'BAD_INPUT',
      message,
      details: [{ field: 'phone', message }],
    });
    expect(await refusalOf({ phone: '1' }, 'zh-CN')).toMatchObject({ message: '格式错误，请正确填写手机号' });
    const empty = 'The input cannot be empty, please re-enter';
    expect(await refusalOf({ phone: '' }, 'en-US')).toMatchObject({ message: empty });
  });

  it('is general for several invalid fields, each with its own message', async () => {
    expect(await refusalOf({ phone: '1', email: 'x' }, 'en-US')).toMatchObject({
      message: 'Invalid input, please check it and try again',
      details: [
        { field: 'phone', message: 'format error, fill in the phone number correctly' },
        { field: 'email', message: 'please enter a correct email' },
      ],
    });
  });
});

describe('an uploaded picture', () => {
  const upload = (bytes: Uint8Array, field = 'multipartFile') => {
    const body = new FormData();
    body.set(field, new Blob([Uint8Array.from(bytes)]), 'x.txt');
    return raw(personalCalls.updateUserHead.path, { body });
  };

  it('is recognized by its bytes, and can be read back', async () => {
    const { image } = (await upload(PNG)).body.data as unknown as { image: string };
    const read = await fetch(`${hub.url}${image}`, { headers: { Authorization: hub.admin.token } });
    expect(read.headers.get('content-type')).toBe('image/png');
    expect(readPng(Buffer.from(await read.arrayBuffer()))).toMatchObject({ width: 1, height: 1 });
  });

  it('of another type, too large, missing or under another name is rejected', async () => {
    const pictures = () => hub.db.selectFrom('picture').select('picture_id').execute();
    const before = await pictures();
    isRefused(await upload(Buffer.from('<svg onload="alert(1)"/>')), 400, 'PICTURE_UNREADABLE');
    isRefused(await upload(Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)])), 413, 'TOO_LARGE');
    isRefused(await upload(PNG, 'other'), 400, 'BAD_INPUT');
    const none = await raw(personalCalls.updateUserHead.path, {
      type: 'application/x-www-form-urlencoded',
      body: 'a=b',
    });
    isRefused(none, 400, 'BAD_INPUT');
    expect(none.body.details).toEqual([{ field: 'multipartFile', message: 'Please choose a file' }]);
    expect(await pictures()).toEqual(before);
  });
});

describe('the request id of an error', () => {
  const get = (call: Call, query = '') => raw(`${call.path}?${query}`, { method: 'GET' });

  it('is in the body and the header', async () => {
    isRefused(await get(roleCalls.getRoleDetails), 400, 'BAD_INPUT');
    isRefused(await get(roleCalls.getRoleDetails, 'roleId=none'), 404, 'ROLE_NOT_FOUND');
    isRefused(await raw(roleCalls.getRoleDetails.path, { method: 'GET', token: 'x' }), 401, 'TOKEN_INVALID');
    isRefused(await raw(`${roleCalls.deleteRole.path}?roleId=1`, { method: 'DELETE' }), 409, 'PLATFORM_PROTECTED');
    isRefused(await raw('/iot-hub/admin/no/such/call', { method: 'GET' }), 404, 'ENDPOINT_NOT_FOUND');
    isRefused(await raw(userCalls.addUser.path, { method: 'POST' }), 404, 'ENDPOINT_NOT_FOUND');
    isRefused(await raw('/iot-hub/admin/%zz', { method: 'GET' }), 404, 'ENDPOINT_NOT_FOUND');
  });

  it('is unique, whatever id the caller sends', async () => {
    const headers = { 'X-Request-Id': 'mine' };
    const answers = await Promise.all([1, 2, 3].map(() => raw('/iot-hub/none', { method: 'GET', headers })));
    const numbers = answers.map(({ body }) => body.requestId);
    expect(new Set([...numbers, 'mine']).size).toBe(4);
  });
});

describe('the response language', () => {
  it.each([
    [undefined, '角色不存在'],
    ['', '角色不存在'],
    ['fr-FR', '角色不存在'],
    ['zh-CN', '角色不存在'],
    ['en-US', 'Role does not exist'],
    ['fr, en-GB;q=0.7', 'Role does not exist'],
  ])('for Accept-Language %j is that of %s', async (language, message) => {
    // fetch adds a wildcard of its own where none is given.
    const headers = {
      Authorization: hub.admin.token,
      ...(language === undefined ? {} : { 'Accept-Language': language }),
    };
    const refused = await fetch(`${hub.url}${roleCalls.getRoleDetails.path}?roleId=none`, { headers });
    expect(((await refused.json()) as Failure).message).toBe(message);
    const done = await fetch(`${hub.url}${personalCalls.getPersonalMessage.path}`, { headers });
    const expected = message === '角色不存在' ? '操作成功' : 'Operation succeeded';
    expect(((await done.json()) as { message: string }).message).toBe(expected);
  });
});
