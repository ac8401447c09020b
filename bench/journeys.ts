/**
 * Measures tasks in the console from start to result: number of clicks and fields, and the time that the user waits for
 * the product. A new hub for each task; docs/journeys.md has the results.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { deviceCalls } from '@device-center/contract';
import type { Browser } from '@playwright/test';
import { createProductFixture } from '../packages/server/test/device-fixtures.ts';
import { randomContent } from '../packages/server/test/firmware-fixtures.ts';
import { type Hub, spawnHub } from '../packages/server/test/hub.ts';
import { startMember } from '../packages/server/test/ota-fixtures.ts';
import { loginFields, tryLogin } from '../packages/server/test/raw-device.ts';
import { launchBrowser, logIn, openPage } from './browser.ts';
import { createUserDriver, type Effort, type Person } from './person.ts';
import { report } from './report.ts';

const DEVICES = 1_000;
const FIRMWARE_BYTES = 1024 * 1024;
const NEW_PASSWORD = 'First-Change1';
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'device-center-journeys-'));
const fileOf = (name: string, contents: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, contents);
  return path;
};

const tell = (journey: string, { clicks, fields, seconds }: Effort): void => {
  report({ what: `journey: ${journey}, by hand`, value: clicks, unit: 'clicks' });
  report({ what: `journey: ${journey}, by hand`, value: fields, unit: 'fields' });
  report({ what: `journey: ${journey}, waiting`, value: seconds, unit: 's' });
};

/** `npm start` with everything installed and built, in an empty data folder. */
const startFirst = async () => {
  const hub = spawn('node', ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, PORT: '0', MQTT_PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = new Promise((resolve) => hub.once('exit', resolve));
  const output = await new Promise<string>((resolve, reject) => {
    let told = '';
    hub.stdout.on('data', (bytes: Buffer) => {
      told += bytes.toString();
      if (/^ready /m.test(told)) resolve(told);
    });
    void gone.then((code) => reject(new Error(`the hub exited with ${code}`)));
  });
  return {
    url: /^ready (\S+)/m.exec(output)?.[1] ?? '',
    password: /password {2}(\S+)/.exec(output)?.[1] ?? '',
    stop: async () => {
      hub.kill('SIGTERM');
      await gone;
    },
  };
};

const firstSteps = async (person: Person): Promise<void> => {
  const { page } = person;
  person.effort();
  const hub = await startFirst();
  try {
    await page.goto(hub.url);
    await person.fill(page.locator('input[name=username]'), 'admin');
    await person.fill(page.locator('input[name=password]'), hub.password);
    await person.button('Log in');
    await person.fill(page.getByLabel('Current password', { exact: true }), hub.password);
    await person.fill(page.getByLabel('New password', { exact: true }), NEW_PASSWORD);
    await person.fill(page.getByLabel('Confirm new password', { exact: true }), NEW_PASSWORD);
    await person.button('Change password');
    await person.button(/^Temperature sensor/);
    await person.sees(page.getByRole('heading').filter({ hasText: 'First value: done' }));
    tell('install to first value', person.effort());

    await person.button(/^Send command/);
    await person.sees(page.getByText(/responded within \d+ ms/));
    tell('first command answered', person.effort());
  } finally {
    await hub.stop();
  }
};

const importMany = async (person: Person, hub: Hub): Promise<void> => {
  const { page } = person;
  await createProductFixture(hub);
  const lines = Array.from({ length: DEVICES }, (_, index) => `pump-${index},Pump-${index}`);
  const sheet = fileOf('pumps.csv', ['deviceId,deviceName', ...lines].join('\n'));
  await atHome(person, hub);

  await person.menu('Devices');
  await person.button('Import CSV');
  await person.file('Choose file', sheet);
  await person.button(/^Register 1,?000 devices$/);
  const saved = page.waitForEvent('download');
  await person.button(/^Save the credentials of 1,?000 devices$/);
  await saved;
  tell('1,000 devices imported', person.effort());
  const { total } = await hub.admin.ok(deviceCalls.queryDeviceList, {});
  if (total !== DEVICES) throw new Error(`${total} devices`);
};

const firstUpgrade = async (person: Person, hub: Hub): Promise<void> => {
  const { page } = person;
  const { device, installed } = await startMember(hub, await createProductFixture(hub));
  const firmware = fileOf('lamp-2.0.0.bin', randomContent(FIRMWARE_BYTES));
  try {
    await atHome(person, hub);
    await person.menu('Firmware versions');
    await person.button('Create firmware version');
    await person.sees(page.getByRole('heading', { name: 'Create firmware version' }));
    await person.file('Choose file', firmware);
    await person.sees(page.getByText('Uploaded and checked'));
    await person.button('Submit');
    await person.button('Roll out this version');
    // The summary shows whether the right devices are selected.
    await person.sees(page.getByText('Devices to upgrade'));
    await person.button('Create task');
    await person.button('OK');
    await person.sees(
      page.getByRole('group', { name: 'Devices by state' }).getByRole('button', { name: /Success.*1/ }),
    );
    tell('first upgrade done', person.effort());
    if (installed.join() !== '2.0.0') throw new Error(`installed: ${installed}`);
  } finally {
    await device.stop();
  }
};

const giveRole = async (person: Person, hub: Hub): Promise<void> => {
  const { page } = person;
  await atHome(person, hub);
  await person.menu('Roles');
  await person.button('Create role');
  await person.sees(page.getByRole('heading', { name: 'Create role' }));
  await person.fill(page.getByLabel('Role name', { exact: true }), 'Operators');
  await person.click(page.getByRole('checkbox', { name: 'Applications', exact: true }));
  await person.click(page.getByRole('checkbox', { name: 'Users', exact: true }));
  await person.button('Submit');
  await person.button('Create user with this role');
  await person.sees(page.getByRole('heading', { name: 'Create user' }));
  await person.fill(page.getByLabel('Account', { exact: true }), 'hanmeimei');
  await person.fill(page.getByLabel('Name', { exact: true }), 'Han Meimei');
  await person.fill(page.getByLabel('E-mail', { exact: true }), 'han@example.com');
  await person.button('Submit');
  await person.button('OK');
  await person.sees(page.getByRole('row').filter({ hasText: 'hanmeimei' }));
  tell('a role given to a colleague', person.effort());
  await hub.mailbox.readPassword('han@example.com');
};

const whyOffline = async (person: Person, hub: Hub): Promise<void> => {
  const { page } = person;
  const { productId, applicationId } = await createProductFixture(hub);
  const deviceId = await hub.create.device({ productId, applicationId });
  await tryLogin(hub.url, loginFields({ productId, deviceId, secret: 'not-its-secret' }));
  await atHome(person, hub);
  await person.press('Control+k');
  await person.fill(page.getByRole('combobox', { name: 'Search or jump to' }), deviceId);
  await person.click(page.getByRole('option', { name: deviceId }));
  const diagnosis = page.getByRole('region', { name: 'Why this device is offline' });
  await person.sees(diagnosis.getByText('The device tried to connect and was rejected'));
  await person.sees(diagnosis.locator('.dc-muted'));
  tell('why a device is offline', person.effort());
};

const atHome = async (person: Person, hub: Hub): Promise<void> => {
  await logIn(person.page, hub.url);
  await person.page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first().waitFor();
  person.effort();
};

const onItsHub = (journey: (person: Person, hub: Hub) => Promise<void>) => async (person: Person) => {
  const hub = await spawnHub();
  await journey(person, hub).finally(hub.close);
};

const journeys: Record<string, (person: Person) => Promise<void>> = {
  first: firstSteps,
  import: onItsHub(importMany),
  upgrade: onItsHub(firstUpgrade),
  role: onItsHub(giveRole),
  offline: onItsHub(whyOffline),
};

const walk = async (browser: Browser, journey: (person: Person) => Promise<void>): Promise<void> => {
  const page = await openPage(browser);
  await journey(createUserDriver(page)).finally(() => page.close());
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const browser = await launchBrowser();
try {
  for (const [name, journey] of Object.entries(journeys))
    if (only === undefined || only.split(',').includes(name)) await walk(browser, journey);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
