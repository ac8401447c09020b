import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { accountCalls, applicationCalls, personalCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../src/db/connect.ts';
import { readSettings } from '../src/platform/settings.ts';
import { createClient } from './client.ts';
import { createEnvironment, type Environment, prepare } from './environment.ts';
import { launch, startHubProcess, testSettings } from './hub-process.ts';
import { startPreparedHub } from './in-process-hub.ts';
import { waitFor } from './mailbox.ts';
import { runCli } from './run-cli.ts';

let environment: Environment;
beforeAll(async () => {
  environment = await createEnvironment();
});
afterAll(() => environment.dispose());

const PRINTED = /^ {2}account {3}admin\n {2}password {2}(\S+) {3}\(one-time/gm;
const passwordsIn = (output: string): string[] => [...output.matchAll(PRINTED)].map((match) => match[1] ?? '');

/** A later start, within this process. `shown`: the accounts whose passwords it would print. */
const startHere = async (env: Record<string, string>) => {
  const shown: string[] = [];
  const showAccount = (username: string): void => void shown.push(username);
  await prepare({ ...testSettings, ...env }, showAccount);
  return { ...(await startPreparedHub(env)), shown };
};

const dataOf = ({ env }: Environment): string => env.DATA_DIR ?? '';
const modeOf = (path: string): number => statSync(path).mode & 0o7777;
const readableByOthers = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => modeOf(join(folder, name)) & 0o077);

describe('the first start without ADMIN_PASSWORD', () => {
  it('prints a password once, which must be changed first', async () => {
    const hub = await startHubProcess({ ...environment.env, LOG_LEVEL: 'info' });
    expect(hub.output()).toMatch(new RegExp(`^ready ${hub.url} mqtt://127\\.0\\.0\\.1:${hub.mqttPort}$`, 'm'));
    expect((await fetch(`${hub.url}/health/ready`)).status).toBe(200);
    expect(readdirSync(dataOf(environment))).toEqual(expect.arrayContaining(['hub.db', 'hub.db-wal', 'secret.key']));
    expect(readableByOthers(dataOf(environment))).toEqual([]);
    const [password = '', ...more] = passwordsIn(hub.output());
    expect(more).toEqual([]);
    expect(password).toMatch(/^[A-Za-z2-9]{14}$/);
    expect(hub.errors()).not.toContain(password);
    const anonymous = createClient(hub.url);
    const { token, isFirst } = await anonymous.ok(accountCalls.login, { username: 'admin', password });
    expect(isFirst).toBe(1);
    const admin = createClient(hub.url, token);
    expect((await admin.error(applicationCalls.queryApplicationList, {})).code).toBe('FIRST_LOGIN');
    await admin.ok(personalCalls.firstLoginUpdatePassword, { oldPassword: password, newPassword: 'Chosen-11' });
    await admin.ok(applicationCalls.queryApplicationList, {});
    expect(await hub.stop()).toBe(0);
    for (const side of ['admin', 'device'])
      expect(hub.errors()).toMatch(new RegExp(`"process":"${side}".*"msg":"stopped"`));

    const again = await startHere({ ...environment.env, ADMIN_PASSWORD: 'Not-taken-1' });
    expect(again.shown).toEqual([]);
    const login = (tried: string) =>
      createClient(again.url).call(accountCalls.login, { username: 'admin', password: tried });
    expect(await login(password)).toMatchObject({ success: false, code: 'LOGIN_FAILED' });
    expect(await login('Not-taken-1')).toMatchObject({ success: false, code: 'LOGIN_FAILED' });
    expect(await login('Chosen-11')).toMatchObject({ success: true, data: { isFirst: 0 } });
    await again.stop();
  });

  it('prints the password also when the port is in use, since it is printed only once', async () => {
    const fresh = await createEnvironment();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const failed = launch({ ...fresh.env, PORT: String(port) });
    expect(await failed.exited).toBe(1);
    await waitFor('the reason', () => (failed.errors().includes('the admin process ended') ? true : undefined));
    expect(failed.errors()).toContain(`PORT ${port} is in use`);
    const [password = ''] = passwordsIn(failed.output());
    taken.close();

    const hub = await startHere(fresh.env);
    expect(hub.shown).toEqual([]);
    await createClient(hub.url).ok(accountCalls.login, { username: 'admin', password });
    await hub.stop();
    await fresh.dispose();
  });
});

describe('the data folder', () => {
  it('of an earlier version is closed to other users of the machine', async () => {
    const fresh = await createEnvironment();
    const folder = dataOf(fresh);
    await prepare({ ...testSettings, ...fresh.env });
    mkdirSync(join(folder, 'firmware'), { recursive: true });
    const files = ['hub.db', 'records.db', 'secret.key'].map((name) => join(folder, name));
    for (const path of files) chmodSync(path, 0o644);
    for (const path of [folder, join(folder, 'firmware')]) chmodSync(path, 0o755);
    await prepare({ ...testSettings, ...fresh.env });
    expect(modeOf(folder)).toBe(0o700);
    expect(readableByOthers(folder)).toEqual([]);
    await fresh.dispose();
  });

  it('that other users may write to is left open, and the hub starts', async () => {
    const fresh = await createEnvironment();
    chmodSync(dataOf(fresh), 0o1777);
    await prepare({ ...testSettings, ...fresh.env });
    expect(modeOf(dataOf(fresh))).toBe(0o1777);
    await fresh.dispose();
  });
});

it('prints an IPv6 address that can be opened, or that the machine has none', async () => {
  const hub = launch({ ...environment.env, HOST: '::1' });
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

describe('weak secrets', () => {
  const strong = { SECRET_KEY: 'q8Zt-2mVx-91Lc-77Hd', ADMIN_PASSWORD: 'Adm1n-pass' };

  it.each([
    ['SECRET_KEY', 'x'],
    ['SECRET_KEY', 'fifteen-letters'],
    ['SECRET_KEY', 'abcabcabcabcabcabcabc'],
    ['ADMIN_PASSWORD', '1'],
    ['ADMIN_PASSWORD', 'onlyletters'],
    ['ADMIN_PASSWORD', 'admin-2026'],
  ])('prevent a first start: %s=%s', async (name, weak) => {
    const fresh = await createEnvironment();
    await expect(prepare({ ...fresh.env, ...strong, [name]: weak })).rejects.toThrow(new RegExp(`^${name}: `));
    await prepare({ ...fresh.env, ...strong });
    await fresh.dispose();
  });

  it('do not prevent the start of an existing installation', async () => {
    const fresh = await createEnvironment();
    await prepare({ ...fresh.env, ...strong });
    const db = connect(readSettings(fresh.env));
    // As a version left it that took any key.
    await db.deleteFrom('hub_fact').execute();
    await db.destroy();
    await prepare({ ...fresh.env, SECRET_KEY: 'x', ADMIN_PASSWORD: '1' });
    await fresh.dispose();
  });
});

describe("a SECRET_KEY that differs from the first start's", () => {
  it('prevents the start with its name; the right one works', async () => {
    const fresh = await createEnvironment();
    const first = { ...fresh.env, SECRET_KEY: 'the key of the first hub' };
    await prepare(first);
    const refusal = 'SECRET_KEY: this database was created with another key; ';
    const ports = { PORT: '0', MQTT_PORT: '0' };
    const { code, out, err } = await runCli('main.ts', { ...fresh.env, ...ports, SECRET_KEY: 'another key' });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(new RegExp(`^cannot start: ${refusal}.+\\n$`));
    await expect(prepare(fresh.env)).rejects.toThrow(refusal);
    await prepare(first);
    await fresh.dispose();
  });
});

describe('an unreachable database', () => {
  it('prevents the start with a clear message', async () => {
    const env = { ...environment.env, DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const { code, err } = await runCli('main.ts', env);
    expect(code).toBe(1);
    expect(err).toBe('cannot start: the database cannot be opened or migrated: connect ECONNREFUSED 127.0.0.1:1\n');
  });

  it('is reported like a data folder that cannot be created', async () => {
    await expect(prepare({ DATA_DIR: '/dev/null/data' })).rejects.toThrow(
      /^the database cannot be opened or migrated: .*\/dev\/null\/data/,
    );
  });
});
