import type { Bucket } from '@device-center/contract';
import { accountCalls, type Failure, personalCalls, roleCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRows } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture } from './device-fixtures.ts';
import { ADMIN_PASSWORD, type Hub, unique } from './hub.ts';
import { startHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';
import { connectClient, getBucket } from './raw-device.ts';

/** A hub behind one proxy, with few log-ins a minute, links in its menu, and a log. */
let hub: Hub;
/** A separate hub. */
let alone: Hub;

const links = [
  { name: { zh_CN: '帮助', en_US: 'Help' }, url: 'https://example.com/help' },
  { name: 'Mail', url: 'mailto:ops@example.com', icon: 'mail' },
];

beforeAll(async () => {
  hub = await startHub({
    RATE_LIMIT_PUBLIC: '5',
    TRUST_PROXY: '1',
    MENU_LINKS: JSON.stringify(links),
    LOG_LEVEL: 'info',
    PUBLIC_URL: 'https://iot.example.com',
  });
  alone = await startHub();
});
afterAll(async () => {
  await hub.close();
  await alone.close();
});

const login = (at: Hub, from: string, username: string = unique('nobody'), password = 'Wrong-pass1') =>
  fetch(`${at.url}${accountCalls.login.path}`, {
    method: 'POST',
    headers: { 'X-Forwarded-For': from, 'Accept-Language': 'en-US' },
    body: new URLSearchParams({ username, password }),
  });

describe('RATE_LIMIT_PUBLIC', () => {
  it('rejects the sixth login of an address within a minute, in the envelope', async () => {
    for (let time = 0; time < 5; time++) expect((await login(hub, '10.0.0.1')).status).toBe(400);
    const sixth = await login(hub, '10.0.0.1', 'admin', ADMIN_PASSWORD);
    expect(sixth.status).toBe(429);
    const { requestId, ...rest } = (await sixth.json()) as Failure;
    expect(rest).toEqual({
      success: false,
      statusCode: 429,
      code: 'TOO_MANY_REQUESTS',
      message: 'Too many requests, please try again later',
      data: null,
    });
    expect(requestId).toBe(sixth.headers.get('x-request-id'));
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(sixth.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(sixth.headers.get('cache-control')).toBe('no-store');
    // It was not even looked at.
    const sessions = await hub.db.selectFrom('session').select('ip').where('ip', '=', '10.0.0.1').execute();
    expect(sessions).toEqual([]);
  });

  it('applies per address, and not to calls with a token or to monitoring', async () => {
    expect((await login(hub, '10.0.0.2')).status).toBe(400);
    const headers = { 'X-Forwarded-For': '10.0.0.1', Authorization: hub.admin.token };
    for (let time = 0; time < 10; time++) {
      expect((await fetch(`${hub.url}${personalCalls.getPersonalMessage.path}`, { headers })).status).toBe(200);
      for (const path of ['/health/live', '/health/ready', '/metrics'])
        expect((await fetch(`${hub.url}${path}`, { headers })).status).toBe(200);
    }
  });
});

describe('TRUST_PROXY', () => {
  const addressOf = async (at: Hub, forwarded: string): Promise<string[]> => {
    expect((await login(at, forwarded, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    const rows = await at.db.selectFrom('session').select('ip').orderBy('created_at', 'desc').limit(1).execute();
    return rows.map((row) => row.ip);
  };

  it('trusts the one proxy in front, and no address before it', async () => {
    expect(await addressOf(hub, '10.0.0.3')).toEqual(['10.0.0.3']);
    expect(await addressOf(hub, '6.6.6.6, 10.0.0.4')).toEqual(['10.0.0.4']);
  });

  it('applies to MQTT over WebSocket as to HTTP', async () => {
    const deviceIps = async (at: Hub): Promise<string[]> => {
      const device = await connectNewDevice(at, await createProductFixture(at));
      await device.end();
      const told = await getBucket(at.url, device.answer.token, 'ws');
      const { hostname: host, port } = new URL(at.url);
      const bucket: Bucket = { ...told, protocol: 'ws', host, port: Number(port) };
      const headers = { 'X-Forwarded-For': '6.6.6.6, 10.0.0.7' };
      const client = await connectClient(bucket, { wsOptions: { headers } });
      await expect
        .poll(async () => (await connectRows(at, device.deviceId))[0])
        .toMatchObject({ status: 1, transport: 'ws' });
      await client.endAsync();
      return (await connectRows(at, device.deviceId)).filter(({ transport }) => transport === 'ws').map(({ ip }) => ip);
    };
    expect(new Set(await deviceIps(hub))).toEqual(new Set(['10.0.0.7']));
    expect(new Set(await deviceIps(alone))).toEqual(new Set(['127.0.0.1']));
  });

  it('trusts no proxy when it is not set', async () => {
    expect(await addressOf(alone, '10.0.0.3')).toEqual(['127.0.0.1']);
  });
});

describe('PUBLIC_URL', () => {
  it('with https sends HSTS, and otherwise not', async () => {
    const said = async (at: Hub) => (await fetch(`${at.url}/health/live`)).headers.get('strict-transport-security');
    expect(await said(hub)).toBe('max-age=31536000');
    expect(await said(alone)).toBeNull();
  });
});

describe('MENU_LINKS', () => {
  // Spec 7.33
  it('appear in the menu list, in both languages, and in the menus of a login', async () => {
    const external = async (language: string) =>
      (await hub.admin.ok(roleCalls.queryMenuList, {}, { language })).filter((menu) => menu.external === 1);
    expect(await external('en-US')).toMatchObject([
      { menuId: 9001, parentId: 0, name: 'Help', path: 'https://example.com/help', icon: 'external-link' },
      { menuId: 9002, parentId: 0, name: 'Mail', path: 'mailto:ops@example.com', icon: 'mail' },
    ]);
    expect((await external('zh-CN')).map((menu) => menu.name)).toEqual(['帮助', 'Mail']);
    const answer = await login(hub, '10.0.0.5', 'admin', ADMIN_PASSWORD);
    const { data } = (await answer.json()) as { data: { menus: number[] } };
    expect(data.menus).toEqual([
      1, 2, 4, 5, 6, 201, 202, 203, 204, 205, 301, 302, 401, 501, 502, 503, 601, 602, 603, 604, 1101, 9001, 9002,
    ]);
  });

  it('are empty when not set', async () => {
    expect((await alone.admin.ok(roleCalls.queryMenuList, {})).filter((menu) => menu.external === 1)).toEqual([]);
  });
});

describe('the log', () => {
  type Line = { level: number; reqId?: string; call?: string; status?: number; ip?: string; side?: string };
  const lines = (): Line[] =>
    hub.process
      .errors()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);

  it('has a line for each call, with the id of its answer', async () => {
    const good = await fetch(`${hub.url}${personalCalls.getPersonalMessage.path}`, {
      headers: { Authorization: hub.admin.token, 'X-Forwarded-For': '10.0.0.6' },
    });
    const bad = await login(hub, '10.0.0.7', unique('nobody'), 'Never-logged-1');
    for (const [answer, call, status, ip] of [
      [good, 'personal.getPersonalMessage', 200, '10.0.0.6'],
      [bad, 'account.login', 400, '10.0.0.7'],
    ] as const) {
      const reqId = answer.headers.get('x-request-id');
      const line = await waitFor('the line', () => lines().find((one) => one.reqId === reqId));
      expect(line).toMatchObject({ call, status, ip, process: 'admin' });
    }
    expect(((await bad.json()) as Failure).requestId).toBe(bad.headers.get('x-request-id'));
  });

  it('contains no secret', async () => {
    const log = hub.process.errors();
    expect(log).toContain('account.login');
    for (const secret of ['Never-logged-1', ADMIN_PASSWORD, hub.admin.token]) expect(log).not.toContain(secret);
  });
});
