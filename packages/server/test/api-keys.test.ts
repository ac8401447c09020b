import {
  accountCalls,
  allCalls,
  apiKeyCalls,
  applicationCalls,
  auditCalls,
  personalCalls,
  roleCalls,
  syncDeliveryCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { uploaded } from './firmware-fixtures.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { startHub, startInProcessHub } from './in-process-hub.ts';

let hub: Hub;
let tenancyId: string;
let user: TestUser;
beforeAll(async () => {
  hub = await startHub();
  tenancyId = await hub.create.tenancy();
  user = await hub.create.user({ tenancyId, menus: [201, 203, 205, 302, 501, 502, 601] });
});
afterAll(() => hub.close());

const newKey = async (more: object = {}) => {
  const roleId = await hub.create.role(tenancyId, [302]);
  return { roleId, ...(await user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId, ...more })) };
};
const by = (key: string) => createClient(hub.url, key);
const listed = async (keyId: string) =>
  (await user.ok(apiKeyCalls.queryApiKeyList, { pageSize: 200 })).list.find((row) => row.keyId === keyId);

describe('an API key', () => {
  it('is shown once, stored as a digest, and has the permissions of its role', async () => {
    const { keyId, key } = await newKey();
    expect(key).toMatch(/^dck_[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(await hub.db.selectFrom('api_key').selectAll().execute())).not.toContain(key);
    expect(JSON.stringify(await user.ok(apiKeyCalls.queryApiKeyList, {}))).not.toContain(key);
    expect(await listed(keyId)).toMatchObject({
      ...{ keyHint: key.slice(0, 10), scope: 'role', creator: user.username, tenancyId, expired: 0 },
      ...{ expireTime: null, lastUsedTime: null, lastUsedIp: '' },
    });
    const { list } = await by(key).ok(applicationCalls.queryApplicationList, {});
    expect(list.every((row) => row.tenancyId === tenancyId)).toBe(true);
    expect(await by(`Bearer ${key}`).send(applicationCalls.queryApplicationList)).toMatchObject({ success: true });
    expect(await by(key).send(roleCalls.queryRoleList)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await listed(keyId)).toMatchObject({ lastUsedTime: expect.any(String), lastUsedIp: '127.0.0.1' });
  });

  it('appears in the audit log with its creator and its name', async () => {
    const keyName = unique('robot');
    const { key, keyId } = await newKey({ keyName });
    const applicationName = unique('app');
    const { applicationId } = await by(key).ok(applicationCalls.addApplication, { applicationName });
    const { list } = await user.ok(auditCalls.queryAuditLogList, { target: applicationId });
    expect(list).toMatchObject([{ username: `${user.username} (${keyName})`, userId: keyId }]);
  });

  it('sees only its own tenant', async () => {
    const { key } = await newKey();
    const other = await hub.create.application(await hub.create.tenancy());
    expect(await by(key).send(applicationCalls.getApplicationDetails, { applicationId: other })).toMatchObject({
      code: 'APPLICATION_NOT_FOUND',
    });
  });

  it('updates its last use at most once a minute', async () => {
    const { key, keyId } = await newKey();
    const used = async () => (await listed(keyId))?.lastUsedTime;
    await by(key).ok(applicationCalls.queryApplicationList, {});
    const first = await used();
    await by(key).ok(applicationCalls.queryApplicationList, {});
    expect(await used()).toBe(first);
    await hub.db
      .updateTable('api_key')
      .set({ last_used_at: Date.now() - 61_000 })
      .where('key_id', '=', keyId)
      .execute();
    await by(key).ok(applicationCalls.queryApplicationList, {});
    expect(Date.parse((await used()) ?? '')).toBeGreaterThanOrEqual(Date.parse(first ?? ''));
  });

  it('uploads firmware', async () => {
    const roleId = await hub.create.role(tenancyId, [601]);
    const { key } = await user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId });
    expect((await uploaded(by(key), Buffer.from(unique('bytes')))).firmwareUri).toMatch(/./);
  });
});

describe('rejection of an API key', () => {
  const works = (key: string) => by(key).send(applicationCalls.queryApplicationList);
  const INVALID = { statusCode: 401, code: 'API_KEY_INVALID' };

  it('rejects an unknown or revoked key, at once and on every hub', async () => {
    expect(await works(`dck_${'x'.repeat(43)}`)).toMatchObject(INVALID);
    const { key, keyId } = await newKey();
    const second = await startInProcessHub(hub.env);
    const elsewhere = () => createClient(second.url, key).send(applicationCalls.queryApplicationList);
    expect(await elsewhere()).toMatchObject({ success: true });
    await user.ok(apiKeyCalls.revokeApiKey, { keyId });
    expect(await works(key)).toMatchObject(INVALID);
    expect(await elsewhere()).toMatchObject(INVALID);
    await second.stop();
    expect(await user.send(apiKeyCalls.revokeApiKey, { keyId })).toMatchObject({ code: 'API_KEY_NOT_FOUND' });
  });

  it('rejects an expired key', async () => {
    const { key, keyId } = await newKey({ expireTime: Date.now() + 60_000 });
    expect(await works(key)).toMatchObject({ success: true });
    const past = { expires_at: Date.now() - 1 };
    await hub.db.updateTable('api_key').set(past).where('key_id', '=', keyId).execute();
    expect(await works(key)).toMatchObject(INVALID);
    expect(await listed(keyId)).toMatchObject({ expired: 1 });
  });

  it('rejects a key without its role, application or tenant', async () => {
    const { key, keyId, roleId } = await newKey();
    await user.ok(roleCalls.deleteRole, { roleId });
    expect(await works(key)).toMatchObject(INVALID);
    expect(await listed(keyId)).toBeUndefined();

    const applicationId = await hub.create.application(tenancyId);
    const sync = await user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), scope: 'sync', applicationId });
    await user.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
    await expect.poll(() => listed(sync.keyId)).toBeUndefined();

    const closing = await hub.create.tenancy();
    const role = await hub.create.role(closing, [302]);
    const sent = { keyName: unique('key'), roleId: role, tenancyId: closing };
    const its = await hub.admin.ok(apiKeyCalls.addApiKey, sent);
    await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closing, enabled: 0 });
    expect(await works(its.key)).toMatchObject(INVALID);
    await hub.admin.ok(tenancyCalls.updateEnabledStatus, { tenancyId: closing, enabled: 1 });
    expect(await works(its.key)).toMatchObject({ success: true });
    await hub.admin.ok(tenancyCalls.deleteTenancy, { tenancyId: closing });
    expect(await works(its.key)).toMatchObject(INVALID);
  });

  it('rejects permissions that its creator no longer has, and keys whose creator is deleted', async () => {
    const maker = await hub.create.user({ tenancyId, menus: [205, 302, 501, 502] });
    const roleId = await hub.create.role(tenancyId, [302]);
    const { key } = await maker.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId });
    const applicationId = await hub.create.application(tenancyId);
    const sync = { keyName: unique('key'), scope: 'sync' as const, applicationId };
    const { key: syncKey } = await maker.ok(apiKeyCalls.addApiKey, sync);
    const deliver = (key: string) => by(`Bearer ${key}`).send(syncDeliveryCalls.getSyncTarget);
    expect(await works(key)).toMatchObject({ success: true });
    expect(await deliver(syncKey)).toMatchObject({ success: true });
    const demote = (menus: number[]) =>
      hub.admin.ok(roleCalls.updateRole, { roleId: maker.roleId, roleName: unique('role'), menus });
    await demote([205]);
    expect(await works(key)).toMatchObject({ statusCode: 403, code: 'FORBIDDEN' });
    expect(await deliver(syncKey)).toMatchObject({ statusCode: 403, code: 'API_KEY_SCOPE' });
    await demote([205, 302]);
    expect(await works(key)).toMatchObject({ success: true });
    await hub.admin.ok(userCalls.deleteUsers, { userIds: [maker.userId] });
    expect(await works(key)).toMatchObject(INVALID);
    expect(await deliver(syncKey)).toMatchObject(INVALID);
  });

  it('lists a key as expired whose creator was deleted by an earlier version', async () => {
    const { key, keyId } = await newKey();
    await hub.db.updateTable('api_key').set({ creator_id: null }).where('key_id', '=', keyId).execute();
    expect(await works(key)).toMatchObject(INVALID);
    expect(await listed(keyId)).toMatchObject({ expired: 1 });
  });

  it("rejects calls outside the key's scope", async () => {
    const applicationId = await hub.create.application(tenancyId);
    const { key } = await user.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), scope: 'sync', applicationId });
    expect(await works(key)).toMatchObject({ statusCode: 403, code: 'API_KEY_SCOPE' });
  });

  it('rejects a key where a user session is required', async () => {
    const { key } = await hub.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId: '1' });
    const personal = allCalls.filter(({ call }) => call.requiresUserSession);
    expect(personal.map(({ slice }) => slice)).toEqual(expect.arrayContaining(['personal', 'apiKey']));
    for (const name of Object.keys(personalCalls))
      expect(personal.some((entry) => entry.slice === 'personal' && entry.name === name)).toBe(true);
    for (const { call, name } of personal)
      expect(await by(key).send(call), name).toMatchObject({ statusCode: 403, code: 'USER_SESSION_REQUIRED' });
    // A code for the own address needs a user with an address.
    const sent = { email: 'me@example.com', type: 3 };
    expect(await by(key).send(accountCalls.getVerificationCode, sent)).toMatchObject({ code: 'TOKEN_INVALID' });
  });
});

describe('creation of an API key', () => {
  it('rejects permissions that the creator does not have', async () => {
    const more = await hub.create.role(tenancyId, [302, 1101]);
    expect(await user.send(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId: more })).toMatchObject({
      code: 'MENU_NOT_YOURS',
    });
    const small = await hub.create.user({ tenancyId, menus: [205] });
    const applicationId = await hub.create.application(tenancyId);
    const sync = { keyName: unique('key'), scope: 'sync', applicationId };
    expect(await small.send(apiKeyCalls.addApiKey, sync)).toMatchObject({ code: 'MENU_NOT_YOURS' });
    const broker = { keyName: unique('key'), scope: 'broker' };
    expect(await user.send(apiKeyCalls.addApiKey, broker)).toMatchObject({ code: 'API_KEY_SCOPE' });
    const operator = await hub.create.user({ tenancyId: '1', menus: [205] });
    expect(await operator.send(apiKeyCalls.addApiKey, broker)).toMatchObject({ code: 'MENU_NOT_YOURS' });
    expect(await hub.admin.send(apiKeyCalls.addApiKey, broker)).toMatchObject({ success: true });
  });

  it('rejects another tenant, another application, a duplicate name, and an expiry in the past', async () => {
    const elsewhere = await hub.create.tenancy();
    const roleId = await hub.create.role(elsewhere, [302]);
    expect(await user.send(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId })).toMatchObject({
      code: 'ROLE_NOT_FOUND',
    });
    expect(await hub.admin.send(apiKeyCalls.addApiKey, { keyName: unique('key'), roleId })).toMatchObject({
      code: 'ROLE_OF_OTHER_TENANCY',
    });
    const applicationId = await hub.create.application(elsewhere);
    const sync = { keyName: unique('key'), scope: 'sync', applicationId };
    expect(await user.send(apiKeyCalls.addApiKey, sync)).toMatchObject({ code: 'APPLICATION_NOT_FOUND' });
    const keyName = unique('Key');
    const own = await hub.create.role(tenancyId, [302]);
    await user.ok(apiKeyCalls.addApiKey, { keyName, roleId: own });
    const again = { keyName: keyName.toUpperCase(), roleId: own };
    expect(await user.send(apiKeyCalls.addApiKey, again)).toMatchObject({ code: 'API_KEY_NAME_TAKEN' });
    const past = { keyName: unique('key'), roleId: own, expireTime: Date.now() - 1 };
    expect(await user.send(apiKeyCalls.addApiKey, past)).toMatchObject({ code: 'EXPIRY_PAST' });
    for (const [scope, field] of [
      ['role', 'roleId'],
      ['sync', 'applicationId'],
    ])
      expect(await user.send(apiKeyCalls.addApiKey, { keyName: unique('key'), scope })).toMatchObject({
        code: 'BAD_INPUT',
        details: [{ field }],
      });
  });
});
