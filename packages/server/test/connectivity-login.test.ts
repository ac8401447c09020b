import { deviceCalls, productCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signByHand } from './connectivity-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { connectDevice, type Identity, login, loginFields, tryLogin } from './raw-device.ts';

let hub: Hub;
let fixture: ProductFixture;
beforeAll(async () => {
  hub = await sharedHub();
  fixture = await createProductFixture(hub);
});
afterAll(() => hub.close());

const newcomer = (of: ProductFixture = fixture): Identity => ({
  productId: of.productId,
  deviceId: unique('dev'),
  secret: of.productSecret,
});

const attempt = async (body: unknown) => {
  const { code, statusCode, message, data } = await tryLogin(hub.url, body);
  return { code, statusCode, message, data };
};

const isThere = async (deviceId: string): Promise<boolean> =>
  (await hub.admin.call(deviceCalls.getDeviceDetails, { deviceId })).success;

describe('the login signature of the protocol page', () => {
  const vector = {
    deviceId: 'dev0001',
    deviceName: 'lamp',
    mac: '00:11:22:33:44:55',
    nonce: '6f1e2d3c4b5a',
    productId: 'P1a2b3c4',
    timestamp: 1767225600000,
    versionNumber: '1.0.0',
  };
  const signed = {
    md5: '95a5c71011c5e46d1298ab398fa4d6da',
    hmacsha256: 'a585cf2560da7e6d70ce15adc64dee8df66c26b3d46f1c630065996d70088002',
  };

  // Spec 7.126
  it.each(['md5', 'hmacsha256'] as const)('with %s matches the test vector and the hub', async (signMethod) => {
    expect(signByHand({ ...vector, signMethod }, signMethod, 's3cr3t-of-device-0001')).toBe(signed[signMethod]);
    const { productId, deviceId, secret } = newcomer();
    const fields = {
      productId,
      deviceId,
      signMethod,
      timestamp: Date.now(),
      nonce: unique('nonce'),
      deviceName: '客厅lamp',
      mac: '00:11:22:33:44:55',
      // Empty: there, but not signed.
      versionNumber: '',
    };
    const signature = signByHand(fields, signMethod, secret);
    const { data } = await attempt({ ...fields, signature });
    expect(data).toMatchObject({ tenantId: '1', expireIn: 86_400 });
    const details = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });
    expect(details).toMatchObject({ deviceName: '客厅lamp', mac: '00:11:22:33:44:55', signMethod, versionNumber: '' });
  });

  it.each(['deviceName', 'mac', 'versionNumber'])('covers %s', async (name) => {
    const who = newcomer();
    const fields = loginFields(who, { deviceName: 'lamp', mac: '00:11', versionNumber: '1' });
    expect(await attempt({ ...fields, [name]: 'other' })).toMatchObject({ code: 'SIGNATURE', statusCode: 401 });
    expect(await isThere(who.deviceId)).toBe(false);
  });
});

describe('an invalid login', () => {
  it('gets the same answer for a wrong secret, product, device, or a device of another product', async () => {
    const other = await createProductFixture(hub);
    const known = newcomer();
    await login(hub.url, known);
    const wrong: Identity[] = [
      { ...known, secret: 'wrong' },
      { ...newcomer(), secret: 'wrong' },
      { ...newcomer(), productId: 'NoSuchProduct' },
      { ...known, productId: 'NoSuchProduct' },
      { ...known, productId: other.productId, secret: other.productSecret },
    ];
    const answers = await Promise.all(wrong.map((who) => attempt(loginFields(who))));
    expect(answers).toEqual(wrong.map(() => answers[0]));
    expect(answers[0]).toMatchObject({ code: 'SIGNATURE', statusCode: 401, data: null });
  });

  it('does not reveal existing products or devices without the secret', async () => {
    const strict = await createProductFixture(hub, { allowMd5: 0 });
    const known = newcomer();
    await login(hub.url, known);
    const late = { timestamp: Date.now() - 6 * 60_000 };
    const anonymous = { deviceId: unique('dev'), secret: 'guessed' };
    const probes = [
      loginFields({ ...anonymous, productId: 'NoSuchProduct' }, late),
      loginFields({ ...anonymous, productId: fixture.productId }, late),
      loginFields({ ...anonymous, productId: strict.productId, deviceId: known.deviceId }, late),
      loginFields({ ...anonymous, productId: strict.productId, signMethod: 'md5' }),
    ];
    const answers = await Promise.all(probes.map(attempt));
    expect(answers).toEqual(probes.map(() => answers[0]));
  });

  it('reports a clock that is off by 6 minutes, with the hub’s time', async () => {
    for (const offset of [-6, 6]) {
      const who = newcomer();
      const response = await fetch(`${hub.url}/api/bucket/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(loginFields(who, { timestamp: Date.now() + offset * 60_000 })),
      });
      expect(await response.json()).toMatchObject({ code: 'CLOCK', statusCode: 401 });
      expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(30_000);
      expect(await isThere(who.deviceId)).toBe(false);
    }
    await login(hub.url, newcomer(), { timestamp: Date.now() - 4 * 60_000 });
  });

  it('is rejected when replayed, also after other logins', async () => {
    const who = newcomer();
    const first = loginFields(who);
    const { data } = await attempt(first);
    const own = { ...who, secret: data?.deviceSecret ?? '' };
    expect(await attempt(first)).toMatchObject({ code: 'REPLAY', statusCode: 401 });
    const second = loginFields(own);
    expect((await attempt(second)).code).toBeUndefined();
    expect(await attempt(second)).toMatchObject({ code: 'REPLAY' });
    // A new signature with a used nonce.
    expect(await attempt(loginFields(own, { nonce: first.nonce }))).toMatchObject({ code: 'REPLAY' });
    // The same nonce is another device’s own.
    await login(hub.url, newcomer(), { nonce: first.nonce });
    await hub.db
      .updateTable('device_nonce')
      .set({ used_at: Date.now() - 601_000 })
      .execute();
    await login(hub.url, own, { nonce: first.nonce });
  });

  it('is accepted once when sent twice concurrently', async () => {
    const who = newcomer();
    const fields = loginFields(who);
    const answers = await Promise.all(Array.from({ length: 8 }, () => attempt(fields)));
    expect(answers.map(({ code }) => code ?? 'in').sort()).toEqual([
      'REPLAY',
      'REPLAY',
      'REPLAY',
      'REPLAY',
      'REPLAY',
      'REPLAY',
      'REPLAY',
      'in',
    ]);
  });
});

describe('the product secret', () => {
  it('is valid until the device’s own was used once; each login with it returns a new device secret', async () => {
    const who = newcomer();
    const first = await login(hub.url, who);
    const second = await login(hub.url, who);
    expect(second.deviceSecret).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(second.deviceSecret).not.toBe(first.deviceSecret);
    // The first secret was never used and is invalid.
    expect(await attempt(loginFields({ ...who, secret: first.deviceSecret ?? '' }))).toMatchObject({
      code: 'SIGNATURE',
    });
    const own = await login(hub.url, { ...who, secret: second.deviceSecret ?? '' });
    expect(own.deviceSecret).toBeUndefined();
    expect(await attempt(loginFields(who))).toMatchObject({ code: 'SIGNATURE' });
    await login(hub.url, { ...who, secret: second.deviceSecret ?? '' });
  });

  it('registers no device when the product forbids it or has no default application', async () => {
    const closedPlace = await createProductFixture(hub, { allowRegister: 0 });
    const who = newcomer(closedPlace);
    expect(await attempt(loginFields(who))).toMatchObject({ code: 'REGISTRATION_CLOSED', statusCode: 403 });
    expect(await isThere(who.deviceId)).toBe(false);
    const homeless = newcomer(await createProductFixture(hub, { applicationId: '' }));
    expect(await attempt(loginFields(homeless))).toMatchObject({ code: 'REGISTRATION_CLOSED' });
  });

  it('is invalid after a reset', async () => {
    const other = await createProductFixture(hub);
    await hub.admin.ok(productCalls.resetProductSecret, { productId: other.productId });
    expect(await attempt(loginFields(newcomer(other)))).toMatchObject({ code: 'SIGNATURE' });
  });

  it('rejects md5 when the product forbids it', async () => {
    const strict = newcomer(await createProductFixture(hub, { allowMd5: 0 }));
    expect(await attempt(loginFields({ ...strict, signMethod: 'md5' }))).toMatchObject({
      code: 'MD5_FORBIDDEN',
      statusCode: 403,
    });
    await login(hub.url, strict);
  });
});

describe('an invalid MAC', () => {
  const BAD = '<img src=x>';
  const macOf = async (deviceId: string) => (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId })).mac;

  it('is logged and not stored, at login or in a message; the device is accepted', async () => {
    const who = newcomer();
    await login(hub.url, who, { mac: BAD });
    expect(await macOf(who.deviceId)).toBe('');
    await login(hub.url, who, { mac: 'AA:01' });
    const device = await connectDevice(hub.url, who, { before: { mac: BAD } });
    expect((await device.ask({ type: 5, payload: { mac: BAD } })).code).toBe(200);
    expect(await macOf(who.deviceId)).toBe('AA:01');
    const lines = hub.process.errors().split('\n');
    const noted = lines.filter((line) => line.includes(who.deviceId) && line.includes('malformed device attribute'));
    expect(noted).toHaveLength(3);
    await device.end();
  });

  it('stored by an earlier version is shown as unknown, so that the device can be saved', async () => {
    const { deviceId, ...who } = newcomer();
    await login(hub.url, { deviceId, ...who });
    await hub.db.updateTable('device').set({ mac: BAD, mac_key: BAD }).where('device_id', '=', deviceId).execute();
    const mac = await macOf(deviceId);
    expect(mac).toBe('');
    await hub.admin.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'pump', mac });
    const { list } = await hub.admin.ok(deviceCalls.queryDeviceList, { mac: 'img src' });
    expect(list).toEqual([]);
  });
});

it('shows control and direction characters of a version as marks, from a login or a message', async () => {
  const who = newcomer();
  const versionOf = async () =>
    (await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: who.deviceId })).versionNumber;
  const device = await connectDevice(hub.url, who, { before: { versionNumber: '1.0\u202e1.2' } });
  expect(await versionOf()).toBe('1.0⟨U+202E⟩1.2');
  expect((await device.ask({ type: 5, payload: { versionNumber: '\u001b[31m2' } })).code).toBe(200);
  expect(await versionOf()).toBe('␛[31m2');
  await device.end();
});

describe('more than 10 logins a minute', () => {
  it('are rejected, for this device and this minute only', async () => {
    const who = newcomer();
    for (let count = 0; count < 10; count++) await login(hub.url, who);
    expect(await attempt(loginFields(who))).toMatchObject({ code: 'TOO_MANY', statusCode: 429 });
    await login(hub.url, newcomer());
    await hub.db
      .updateTable('device_nonce')
      .set({ used_at: Date.now() - 61_000 })
      .where('device_id', '=', who.deviceId)
      .execute();
    await login(hub.url, who);
  });
});

describe('an unreadable login', () => {
  const bad: [string, Record<string, unknown>][] = [
    ['deviceId', { deviceId: 'a/b' }],
    ['deviceId', { deviceId: '#' }],
    ['deviceId', { deviceId: 'x'.repeat(65) }],
    ['deviceId', { deviceId: 5 }],
    ['productId', { productId: '' }],
    ['productId', { productId: 'a\0b' }],
    ['timestamp', { timestamp: '1767225600000' }],
    ['timestamp', { timestamp: -1 }],
    ['nonce', { nonce: 'short' }],
    ['nonce', { nonce: 'with space12' }],
    ['signMethod', { signMethod: 'sha1' }],
    ['signature', { signature: '' }],
    ['mac', { mac: 'x'.repeat(65) }],
    ['deviceName', { deviceName: 'a\0b' }],
    ['versionNumber', { versionNumber: {} }],
    ['extra', { extra: 1 }],
  ];
  it.each(bad)('is rejected with the field: %s of %j', async (field, corrupted) => {
    const answer = await tryLogin(hub.url, { ...loginFields(newcomer()), ...corrupted });
    expect(answer).toMatchObject({ statusCode: 400, code: 'MALFORMED', details: [{ field }] });
  });

  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['a prototype', '{"__proto__":{"productId":"x"}}'],
    ['5,000 braces', '{'.repeat(5_000)],
  ])('is rejected: %s', async (_what, body) => {
    const response = await fetch(`${hub.url}/api/bucket/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false, statusCode: 400, data: null });
  });
});
