import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  accountCalls,
  apiKeyCalls,
  applicationCalls,
  deviceCalls,
  personalCalls,
  productCalls,
  tenancyCalls,
  userCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './broker-fixtures.ts';
import { type Client, createClient } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { PASSWORD } from './hub.ts';
import { configurationsOfPages, readFile } from './pages/commands.ts';
import { copyOf, expectReady, fromPage, passwordIn, ran, shown } from './pages/fixtures.ts';
import { coveredElsewhere } from './pages/known.ts';
import { endAll, type Running, run, start } from './pages/shell.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder('page commands ');
const settings = (place: string) => ({
  DATA_DIR: join(folder, place),
  PORT: '0',
  MQTT_PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_PUBLIC: '10000',
});
const first = { env: settings('first') };
const READY = /^ready (http:\S+) mqtt:\S+$/m;

let hub: Running;
let url: string;
let admin: Client;
let product: { productId: string; productSecret: string };

const logIn = async (username: string, password: string): Promise<Client> =>
  createClient(url, (await createClient(url).ok(accountCalls.login, { username, password })).token);

// npm, the shell and two processes of a hub start one after another.
const SLOW_MS = 120_000;

beforeAll(async () => {
  hub = start(fromPage(LONG ? 'npm start -- --demo' : 'npm start'), first);
  [, url = ''] = await hub.says(READY);
}, SLOW_MS);
afterAll(endAll);

// The demo data takes long to write and remove: without LONG only demo.process.test.ts does it.
describe('commands of the docs: hub', () => {
  it('starts it with the printed passwords', async () => {
    await expectReady(url);
    const oldPassword = passwordIn(hub.output(), 'admin');
    admin = await logIn('admin', oldPassword);
    await admin.ok(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
    if (!LONG) return;
    for (const account of ['yunling-ops', 'harbor-ops']) await logIn(account, passwordIn(hub.output(), account));
    await expect
      .poll(async () => (await admin.ok(deviceCalls.queryDeviceList, { online: 1 })).total, { timeout: 20_000 })
      .toBeGreaterThan(0);
  });

  it('removes the demo data', async () => {
    const removed = LONG ? '200 devices with their history' : 'there is no demonstration';
    expect(await run(fromPage('npm run remove-demo'), first)).toContain(removed);
    expect((await admin.ok(tenancyCalls.queryTenancyList, {})).total).toBe(1);
  });
});

describe('commands of the docs: administration', () => {
  it('shows the first password of a new user in the outbox', async () => {
    expect(await run(fromPage('npm run outbox'), first)).toContain('the outbox is empty');
    const who = { username: 'another-account', name: 'Han Mei', email: 'han@example.com' };
    await admin.ok(userCalls.addUser, { ...who, roleId: '1', tenancyId: '1' });
    expect(await run(fromPage('npm run outbox'), first)).toContain('han@example.com');
  });

  it('resets a lost password', async () => {
    const other = await run(fromPage('npm run reset-admin -- another-account'), first);
    await logIn('another-account', passwordIn(other, 'another-account'));
    const oldPassword = passwordIn(await run(fromPage('npm run reset-admin'), first), 'admin');
    admin = await logIn('admin', oldPassword);
    await admin.ok(personalCalls.firstLoginUpdatePassword, { oldPassword, newPassword: PASSWORD });
  });
});

describe('commands of the docs: devices', () => {
  beforeAll(async () => {
    const tenancyId = '1';
    const application = await admin.ok(applicationCalls.addApplication, { applicationName: 'lamps', tenancyId });
    const kind = { categoryId: 'std-lighting', nodeType: 1, protocolId: 1, classId: 1 } as const;
    const { applicationId } = application;
    product = await admin.ok(productCalls.addDeviceProduct, {
      productName: 'lamp',
      ...kind,
      tenancyId,
      applicationId,
    });
  });

  const DEVICES = LONG ? 20 : 5;
  const online = async (): Promise<number> => (await admin.ok(deviceCalls.queryDeviceList, { online: 1 })).total;
  const stored = async (): Promise<number> =>
    Number(/^device_messages_stored_total (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1] ?? 0);
  const address = () => ({ 'http://127.0.0.1:8080': url, KEY: product.productId });
  const simulated = (prefix: string) => ` --prefix ${prefix} --state '${join(folder, prefix)}'`;

  it('connects a fleet, and disconnects it on Ctrl-C', async () => {
    const shownHere =
      'npm run simulate -- --hub http://127.0.0.1:8080 --product KEY --secret SECRET --devices 1000 --rate 500';
    const line = fromPage(shownHere, {
      ...address(),
      ' SECRET': ` ${product.productSecret}`,
      'devices 1000': `devices ${DEVICES}`,
    });
    const before = await stored();
    const fleet = start(line + simulated('one-'));
    await expect.poll(online, { timeout: 20_000 }).toBe(DEVICES);
    await expect.poll(stored, { timeout: 20_000 }).toBeGreaterThan(before + 100);
    await fleet.signal('SIGINT');
    expect(fleet.output()).toMatch(/^Ran .+ s; devices came online \d+ times/m);
    await expect.poll(online, { timeout: 20_000 }).toBe(0);
  });

  it('disconnects a fleet when its time is over', async () => {
    const shownHere =
      'npm run simulate -- --hub http://127.0.0.1:8080 --product KEY --secret PRODUCT_SECRET --devices 1000 --rate 500 --duration 60';
    const short = { 'devices 1000': `devices ${DEVICES}`, 'duration 60': 'duration 1' };
    await run(
      fromPage(shownHere, { ...address(), PRODUCT_SECRET: product.productSecret, ...short }) + simulated('two-'),
    );
    expect((await admin.ok(deviceCalls.queryDeviceList, { deviceName: '' })).total).toBe(2 * DEVICES);
  });

  const WHO = 'HUB_URL=http://127.0.0.1:8080 PRODUCT_ID=… DEVICE_ID=… SECRET=… ';
  const compiled = join(folder, 'device');

  it('compiles the device in C', async () => {
    const line = 'cc -std=c11 -Wall -Wextra -pedantic -o device docs/examples/device.c';
    expect(await run(fromPage(line, { '-o device': `-o '${compiled}'` }))).toBe('');
  });

  it.each([
    ['device.sh', 'docs/examples/device.sh'],
    ['device.py', 'docs/examples/device.py'],
    ['device', './device'],
    ['device.mjs', 'node scripts/with-node.mjs docs/examples/device.mjs'],
  ])('connects %s', async (deviceId, program) => {
    const { productId, productSecret } = product;
    const filled = {
      'http://127.0.0.1:8080': url,
      'PRODUCT_ID=…': `PRODUCT_ID=${productId}`,
      'DEVICE_ID=…': `DEVICE_ID=${deviceId}`,
      ' SECRET=…': ` SECRET=${productSecret}`,
      ...(program === './device' ? { './device': `'${compiled}'` } : {}),
    };
    // Debian's own Python is the one which has Debian's paho.
    const env = { PATH: `/usr/bin:${process.env.PATH}` };
    const device = start(fromPage(WHO + program, filled), program.endsWith('.py') ? { env } : {});
    await device.says(/^waiting for a command$/m);
    await device.signal('SIGTERM');
    expect((await admin.ok(deviceCalls.getDeviceDetails, { deviceId })).versionNumber).toBe('1.0.0');
  });
});

it('calls the sync API of another platform', async () => {
  const { tenancyId } = await admin.ok(tenancyCalls.addTenancy, {
    ...{ tenancyName: 'Harbor', companyName: 'Harbor', contactName: 'Li Lei', phone: '13800138000' },
    ...{ email: 'contact@example.com', companyAddress: 'Pier 1' },
  });
  const { applicationId } = await admin.ok(applicationCalls.addApplication, { applicationName: 'cranes', tenancyId });
  const where = { tenancyId, applicationId };
  const { key } = await admin.ok(apiKeyCalls.addApiKey, { keyName: 'other-hub', scope: 'sync', ...where });
  const filled = { 'https://hub.example.com': url, 'dck_…': key };
  const [ask = '', deliver = ''] = [...shown.keys()].filter((command) => command.startsWith('curl '));
  expect(JSON.parse(await run(fromPage(ask, filled)))).toMatchObject({ data: { tenancyName: 'Harbor', zoneKnown: 1 } });
  const answer = await run(fromPage(deliver, filled));
  expect(JSON.parse(answer), answer).toMatchObject({ success: true });
  expect([...answer.matchAll(/"(created|refused)"/g)].map(([, what]) => what)).toEqual(['created', 'created']);
  expect(await admin.ok(deviceCalls.getDeviceDetails, { deviceId: 'lamp-17' })).toMatchObject({ applicationId });
});

it(
  'restores and starts a backup of the running hub in another folder',
  async () => {
    const backup = { '/backups/2026-11-16': `'${join(folder, '2026-11-16')}'` };
    const saved = await run(fromPage('npm run backup -- /backups/2026-11-16', backup), first);
    expect(saved).toContain(join(folder, '2026-11-16'));
    await hub.signal('SIGTERM');
    const second = { env: settings('second') };
    await run(fromPage('npm run restore -- /backups/2026-11-16', backup), second);
    hub = start(fromPage('npm start'), second);
    [, url = ''] = await hub.says(READY);
    await expectReady(url);
    admin = await logIn('admin', PASSWORD);
    expect(await admin.ok(deviceCalls.getDeviceDetails, { deviceId: 'device.sh' })).toMatchObject({ online: 2 });
    await hub.signal('SIGINT');
    expect(await fetch(url).catch(() => 'gone')).toBe('gone');
  },
  SLOW_MS,
);

describe('commands of the docs: contributors', () => {
  it('starts hub and console by npm run dev, and ends both on Ctrl-C', async () => {
    const [port, consolePort] = [await freePort(), await freePort()];
    const env = { ...settings('third'), PORT: String(port), CONSOLE_PORT: String(consolePort) };
    const development = start(fromPage('npm run dev'), { env });
    const addresses = [`http://127.0.0.1:${port}`, `http://localhost:${consolePort}`];
    await expectReady(addresses[0] ?? '');
    const page = async () => (await fetch(addresses[1] ?? '').catch(() => undefined))?.text();
    await expect.poll(page, { timeout: 30_000 }).toContain('<div id="root"');
    await development.signal('SIGINT');
    for (const address of addresses) expect(await fetch(address).catch(() => 'gone')).toBe('gone');
  });

  it('formats the sources', async () => {
    const copy = copyOf(join(folder, 'untidy'), ['package.json', 'package-lock.json', 'biome.json', 'scripts']);
    const untidy = join(copy, 'scripts', 'untidy.mjs');
    writeFileSync(untidy, 'export  const one = 1\n');
    await run(fromPage('npm run format'), { cwd: copy });
    expect(readFileSync(untidy, 'utf8')).toBe('export const one = 1;\n');
  });

  it('updates docs/spec-coverage.md by spec-coverage --write', async () => {
    const copy = copyOf(join(folder, 'old'), ['package.json', 'docs', 'scripts'], ['e2e', 'packages']);
    const page = join(copy, 'docs', 'spec-coverage.md');
    writeFileSync(page, 'old');
    await run(fromPage('node scripts/spec-coverage.mjs --write'), { cwd: copy });
    expect(readFileSync(page, 'utf8')).toBe(readFile('docs/spec-coverage.md'));
  });

  it("lists the hub's dependencies in the bill of materials", async () => {
    const said = await run(fromPage('npm run sbom'));
    const { bomFormat, components } = JSON.parse(said.slice(said.search(/^\{/m))) as Bill;
    expect(bomFormat).toBe('CycloneDX');
    expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'pg', 'mqtt', 'react']));
    expect(components.map(({ name }) => name)).not.toContain('vitest');
  });
  type Bill = { bomFormat: string; components: { name: string }[] };

  it.each(['npm start -- --help', 'npm run simulate -- --help'])('prints every setting of %s', async (command) => {
    expect(await run(fromPage(command))).toMatch(/MQTT_PORT|--upgrade-faults/);
  });

  it('runs one project and some of its files', async () => {
    const line = fromPage('npx vitest --project server roles', { 'npx vitest': 'npx vitest list --filesOnly' });
    const files = (await run(line)).split('\n').filter((text) => text.includes('.test.'));
    expect(files).toEqual(['[server] packages/server/test/roles.test.ts']);
  });

  // These commands take minutes to hours, and this test is part of some: only check that they accept their arguments.
  it.each([...shown.keys()].filter((command) => /npm (test|run (test:|bench|check))/.test(command)))(
    'accepts %s',
    async (command) => {
      const line = fromPage(command);
      expect(await run(`${line}${line.includes(' -- ') ? '' : ' --'} --help`)).toContain('Usage: npm ');
    },
  );

  it('prints the limit of open files', async () => {
    expect(Number(await run(fromPage('ulimit -n')))).toBeGreaterThan(0);
  });
});

it('covers every command of the docs', () => {
  const all = [...shown.keys(), ...configurationsOfPages()];
  const known = new Set([...ran, ...Object.keys(coveredElsewhere)]);
  expect(all.filter((one) => !known.has(one)).map((one) => `${shown.get(one) ?? ''}: ${one}`)).toEqual([]);
  expect([...known].filter((one) => !all.includes(one))).toEqual([]);
  expect(Object.values(coveredElsewhere).filter(({ test }) => readFile(test) === undefined)).toEqual([]);
});
