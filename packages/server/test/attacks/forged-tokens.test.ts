import { createHash } from 'node:crypto';
import { apiKeyCalls, bucketCalls, personalCalls, roleCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../client.ts';
import { connectCode } from '../connectivity-fixtures.ts';
import { createProductFixture } from '../device-fixtures.ts';
import { type Hub, unique } from '../hub.ts';
import { startHub } from '../in-process-hub.ts';
import { getBucket, login } from '../raw-device.ts';

let hub: Hub;
let other: Hub;
beforeAll(async () => {
  [hub, other] = [await startHub(), await startHub()];
});
afterAll(async () => {
  await hub.close();
  await other.close();
});

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Known kinds of forged tokens: unsigned claims, and the digest from the database. */
const forgeries = async (): Promise<Record<string, string>> => {
  const session = await hub.db.selectFrom('session').selectAll().orderBy('created_at').executeTakeFirstOrThrow();
  const claims = { sub: session.user_id, username: 'admin', roleId: '1', tenancyId: '1', exp: 4e9 };
  const { token } = hub.admin;
  return {
    'claims without a signature': `${base64({ alg: 'none', typ: 'JWT' })}.${base64(claims)}.`,
    'claims with an empty key': `${base64({ alg: 'HS256' })}.${base64(claims)}.${createHash('sha256').digest('base64url')}`,
    'another hub’s token': other.admin.token,
    'the digest that is stored': session.token_hash,
    'the digest in hex': Buffer.from(session.token_hash).toString('hex'),
    'the number of the session': session.session_id,
    'the number of the user': session.user_id,
    'the account': 'admin',
    'another case': token === token.toUpperCase() ? token.toLowerCase() : token.toUpperCase(),
    'a beginning of it': token.slice(0, -1),
    'more than it': `${token}=`,
    'two at once': `${token}, ${token}`,
    'the token of Basic': `Basic ${Buffer.from(`admin:${token}`).toString('base64')}`,
    'an API key that nobody has': `dck_${'A'.repeat(43)}`,
    'a pattern': '%',
    'a list': '["admin"]',
  };
};

describe('a forged token', () => {
  it('is rejected for a user', async () => {
    for (const [what, token] of Object.entries(await forgeries()))
      for (const call of [personalCalls.getPersonalMessage, roleCalls.queryRoleList])
        expect(await createClient(hub.url, token).send(call), what).toMatchObject({ statusCode: 401, data: null });
    expect(await hub.admin.send(personalCalls.getPersonalMessage)).toMatchObject({ success: true });
  });

  it('is rejected for a device', async () => {
    const fixture = await createProductFixture(hub);
    const who = { productId: fixture.productId, deviceId: unique('dev'), secret: fixture.productSecret };
    const { token, sessionId } = await login(hub.url, who);
    const bucket = await getBucket(hub.url, token);
    const row = await hub.db
      .selectFrom('device_session')
      .selectAll()
      .where('device_id', '=', who.deviceId)
      .executeTakeFirstOrThrow();
    const forged = [row.token_hash, sessionId, who.deviceId, who.secret, `${token}x`, hub.admin.token, ''];
    for (const password of forged) {
      expect(await createClient(hub.url, password).send(bucketCalls.getConnectBucket), password).toMatchObject({
        statusCode: 401,
      });
      expect(await connectCode({ ...bucket, password })).toBe(4);
    }
    expect(await connectCode(bucket)).toBe(0);
  });

  it('is rejected in places that browsers send automatically', async () => {
    const { token } = hub.admin;
    const path = personalCalls.getPersonalMessage.path;
    const places: [string, Record<string, string>][] = [
      [`?Authorization=${token}`, {}],
      [`?token=${token}&access_token=${token}`, {}],
      ['', { Cookie: `Authorization=${token}; token=${token}` }],
      ['', { 'Proxy-Authorization': token, 'X-Authorization': token, Token: token }],
    ];
    for (const [query, headers] of places) {
      const answer = await fetch(`${hub.url}${path}${query}`, { headers });
      expect(answer.status, JSON.stringify([query, headers])).toBe(401);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
  });

  it('is rejected for an API key: its digest, prefix and number open nothing', async () => {
    const user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [205, 302] });
    const { keyId, key } = await user.ok(apiKeyCalls.addApiKey, { keyName: unique('k'), roleId: user.roleId });
    const row = await hub.db.selectFrom('api_key').selectAll().where('key_id', '=', keyId).executeTakeFirstOrThrow();
    for (const token of [row.key_hash, `dck_${row.key_hash}`, row.key_hint, keyId, key.slice(4), key.slice(0, -1)])
      expect(await createClient(hub.url, token).send(roleCalls.queryMenuList), token).toMatchObject({
        statusCode: 401,
        data: null,
      });
    expect(await createClient(hub.url, key).send(roleCalls.queryMenuList)).toMatchObject({ success: true });
  });
});
