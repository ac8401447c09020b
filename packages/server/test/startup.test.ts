import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { accountCalls, applicationCalls, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { runCommand } from './command.ts';
import { freshPlace, launch, type Place, startHubProcess } from './hub-process.ts';
import { eventually } from './mailbox.ts';

let place: Place;
beforeAll(async () => {
  place = await freshPlace();
});
afterAll(() => place.dispose());

const PRINTED = /^ {2}account {3}admin\n {2}password {2}(\S+) {3}\(one-time/gm;
const passwordsIn = (output: string): string[] => [...output.matchAll(PRINTED)].map((match) => match[1] ?? '');

describe('the first start without ADMIN_PASSWORD', () => {
  it('prints a password once, and the hub asks for another one first of all', async () => {
    const hub = await startHubProcess(place.env);
    const [password = '', ...more] = passwordsIn(hub.output());
    expect(more).toEqual([]);
    expect(password).toMatch(/^[A-Za-z2-9]{14}$/);
    expect(hub.errors()).not.toContain(password);
    const stranger = createClient(hub.url);
    const { token, isFirst } = await stranger.get(accountCalls.login, { username: 'admin', password });
    expect(isFirst).toBe(1);
    const admin = createClient(hub.url, token);
    expect((await admin.refused(applicationCalls.queryApplicationList, {})).code).toBe('FIRST_LOGIN');
    await admin.get(personalCalls.firstLoginUpdatePassword, { oldPassword: password, newPassword: 'Chosen-11' });
    await admin.get(applicationCalls.queryApplicationList, {});
    expect(await hub.stop()).toBe(0);

    const again = await startHubProcess({ ...place.env, ADMIN_PASSWORD: 'Not-taken-1' });
    expect(passwordsIn(again.output())).toEqual([]);
    const login = (tried: string) =>
      createClient(again.url).call(accountCalls.login, { username: 'admin', password: tried });
    expect(await login(password)).toMatchObject({ success: false, code: 'LOGIN_FAILED' });
    expect(await login('Not-taken-1')).toMatchObject({ success: false, code: 'LOGIN_FAILED' });
    expect(await login('Chosen-11')).toMatchObject({ success: true, data: { isFirst: 0 } });
    expect(await again.stop()).toBe(0);
  });

  it('prints the password also where the port is taken, since there is no second chance', async () => {
    const fresh = await freshPlace();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const failed = launch({ ...fresh.env, PORT: String(port) });
    expect(await failed.exited).toBe(1);
    await eventually('the reason', () => (failed.errors().includes('the admin side ended') ? true : undefined));
    expect(failed.errors()).toContain(`PORT ${port} is in use`);
    const [password = ''] = passwordsIn(failed.output());
    taken.close();

    const hub = await startHubProcess(fresh.env);
    expect(passwordsIn(hub.output())).toEqual([]);
    await createClient(hub.url).get(accountCalls.login, { username: 'admin', password });
    await hub.stop();
    await fresh.dispose();
  });
});

it('a hub on an address of IPv6 tells one that opens, or that this machine has none', async () => {
  const hub = launch({ ...place.env, HOST: '::1' });
  if (Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))) {
    const [url] = await hub.ready;
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(hub.output()).toMatch(/ mqtt:\/\/\[::1\]:\d+$/m);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    expect(await hub.stop()).toBe(0);
  } else {
    expect(await hub.exited).toBe(1);
    expect(hub.errors()).toContain('HOST is not an address of this machine');
  }
});

describe('a setting that cannot be', () => {
  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['MQTT_PORT', '-1'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['SMTP_URL', 'mail.example.com'],
    ['SMS_WEBHOOK_URL', 'ftp://example.com'],
    ['FILE_STORE', 'ftp://example.com/x'],
    ['FILE_STORE', 's3://'],
    ['FILE_STORE', 's3://bucket?endpoint=nowhere'],
    ['FILE_STORE', 's3://bucket?regoin=x'],
    ['FILE_STORE', 's3://key@bucket'],
    ['FILE_STORE', '/dev/null/firmware'],
    ['FIRMWARE_MAX', 'huge'],
    ['SESSION_IDLE', 'soon'],
    ['RATE_LIMIT', '0'],
    ['LOG_LEVEL', 'loud'],
    ['TRUST_PROXY', 'everyone'],
    ['NODE_NETWORKS', 'everyone'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['SIDES', 'none'],
    ['DEVICE_SIDE_URL', 'mqtt://example.com'],
    ['MENU_LINKS', '{not json'],
    ['MENU_LINKS', '{"name":"a","url":"https://example.com"}'],
    ['MENU_LINKS', '[{"name":"a","url":"javascript:alert(1)"}]'],
  ])('%s=%s stops the start, which names it', async (name, value) => {
    const { code, out, err } = await runCommand('main.ts', { ...place.env, PORT: '0', MQTT_PORT: '0', [name]: value });
    expect(code).toBe(1);
    expect(err).toMatch(new RegExp(`^cannot start: ${name}: .+\\n$`));
    expect(out).toBe('');
  });
});

describe('one side without the other', () => {
  it.each(['admin', 'device'])('needs PostgreSQL: SIDES=%s', async (SIDES) => {
    const { code, err } = await runCommand('main.ts', { DATA_DIR: place.env.DATA_DIR ?? '', SIDES });
    expect([code, err]).toEqual([
      1,
      `cannot start: SIDES: ${SIDES} alone needs PostgreSQL (DATABASE_URL); SQLite is for one machine\n`,
    ]);
  });

  it('is told where devices connect, where it is the admin side', async () => {
    const env = { DATA_DIR: place.env.DATA_DIR ?? '', DATABASE_URL: 'postgres://127.0.0.1:1/x', SIDES: 'admin' };
    const { code, err } = await runCommand('main.ts', env);
    expect([code, err]).toEqual([
      1,
      'cannot start: MQTT_PUBLIC_URL: needed with SIDES=admin, so that devices are told where to connect\n',
    ]);
  });
});

describe('another SECRET_KEY than that of the first start', () => {
  it('stops the start, which names it; the right one goes on', async () => {
    const fresh = await freshPlace();
    const first = await startHubProcess({ ...fresh.env, SECRET_KEY: 'the key of the first hub' });
    await first.stop();
    for (const other of [{ SECRET_KEY: 'another key' }, {} as Record<string, string>]) {
      const { code, out, err } = await runCommand('main.ts', { ...fresh.env, PORT: '0', MQTT_PORT: '0', ...other });
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^cannot start: SECRET_KEY: this database was made with another key; .+\n$/);
    }
    const again = await startHubProcess({ ...fresh.env, SECRET_KEY: 'the key of the first hub' });
    expect(await again.stop()).toBe(0);
    await fresh.dispose();
  });
});

describe('a database out of reach', () => {
  it('stops the start with a clear message', async () => {
    const env = { ...place.env, DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const { code, err } = await runCommand('main.ts', env);
    expect(code).toBe(1);
    expect(err).toBe('cannot start: the database cannot be opened or migrated: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it('is what a data folder that cannot be made is', async () => {
    const { code, err } = await runCommand('main.ts', { DATA_DIR: '/dev/null/data' });
    expect(code).toBe(1);
    expect(err).toMatch(/^cannot start: the database cannot be opened or migrated: .*\/dev\/null\/data.*\n$/);
  });
});

describe('--help', () => {
  it('lists every setting with what it is when missing, and starts nothing', async () => {
    const { code, out, err } = await runCommand('main.ts', { DATA_DIR: '/dev/null/data' }, '--help');
    expect([code, err]).toEqual([0, '']);
    const listed = [...out.matchAll(/^ {2}([A-Z_]+) +\S.* \[.+\]$/gm)].map((match) => match[1]);
    expect(listed).toEqual([
      ...['PORT', 'HOST', 'DATA_DIR', 'DATABASE_URL', 'SIDES', 'DEVICE_SIDE_URL'],
      ...[
        'MQTT_PORT',
        'MQTT_PUBLIC_URL',
        'TLS_CERT',
        'TLS_KEY',
        'MQTTS_PORT',
        'DEVICE_TOKEN_LIFE',
        'RETENTION_DAYS',
        'RETENTION_BYTES',
        'RETENTION_EVERY',
        'SYNC_COMPARE_EVERY',
      ],
      ...['FILE_STORE', 'FIRMWARE_MAX', 'FIRMWARE_LINK_LIFE', 'FIRMWARE_SWEEP'],
      ...['ADMIN_PASSWORD', 'SECRET_KEY', 'SMTP_URL'],
      ...['MAIL_FROM', 'SMS_WEBHOOK_URL', 'PUBLIC_URL', 'SESSION_IDLE', 'SESSION_LIFE', 'MENU_LINKS', 'RATE_LIMIT'],
      ...['RATE_LIMIT_PUBLIC', 'RATE_LIMIT_DEVICES', 'MQTT_CONNECTIONS', 'TRUST_PROXY', 'NODE_NETWORKS', 'LOG_LEVEL'],
    ]);
  });
});
