import { fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MockUpgradeFault } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { createProductFixture, type ProductFixture } from '../packages/server/test/device-fixtures.ts';
import { createVersion } from '../packages/server/test/firmware-fixtures.ts';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { expireDeadline, recordsOf, taskOf } from '../packages/server/test/ota-fixtures.ts';
import { expectAccessible } from './axe.ts';
import { startDroppingProxy } from './cutting-proxy.ts';
import { LONG } from './display-variant.ts';
import type { FleetAnswer, FleetOrder } from './fleet-process.ts';
import { follow, settled } from './settled.ts';
import { enter, expect, test } from './support.ts';

const MB = 1024 * 1024;
/** Twenty devices download it: without LONG it is just large enough for two interruptions. */
const FIRMWARE_MB = LONG ? 50 : 9;
/** Devices that are notified per minute: so few that some are still waiting when the task is suspended. */
const PER_MINUTE = LONG ? '40' : '90';
const SLOW = { timeout: 60_000 };
const CUT = /Failed to load resource: net::ERR_(CONNECTION_RESET|CONNECTION_CLOSED|EMPTY_RESPONSE)$/;

/** Twenty devices: some fail in each way. */
const faults: MockUpgradeFault[] = [
  ...Array.from({ length: 12 }, () => '' as const),
  ...(['download', 'download', 'verification', 'verification', 'install', 'install', 'refuse', 'silent'] as const),
];
const FAILING = faults.filter((fault) => fault !== '').length;

const startFleet = async (hub: Hub, shop: ProductFixture, wanted: MockUpgradeFault[]) => {
  const child = fork(new URL('./fleet-process.ts', import.meta.url));
  const ask = (order: FleetOrder): Promise<FleetAnswer> =>
    new Promise((resolve, reject) => {
      const gone = () => reject(new Error('the devices are gone'));
      child.once('exit', gone);
      child.once('message', (told: FleetAnswer) => {
        child.off('exit', gone);
        resolve(told);
      });
      child.send(order);
    });
  const { ids } = await ask({ do: 'start', url: hub.url, shop, faults: wanted });
  return {
    ids,
    /** From now on no device fails. */
    mend: () => ask({ do: 'mend' }),
    installed: async () => (await ask({ do: 'tell' })).installed,
    stop: async () => {
      await ask({ do: 'stop' });
      child.disconnect();
    },
  };
};
type Fleet = Awaited<ReturnType<typeof startFleet>>;

const submitted = async (page: Page, button: string) => {
  await page.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('button', { name: 'OK', exact: true }).click();
};

/** The number that stands at a state of the fleet. */
const counted = (page: Page, state: string) =>
  page.getByRole('group', { name: 'Devices by state' }).getByRole('button', { name: state }).locator('b');

const expectStatus = (hub: Hub, taskId: string, status: number) =>
  expect.poll(async () => (await taskOf(hub.admin, taskId)).taskStatus, SLOW).toBe(status);

const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

// Spec 8.30-8.33
test('resumes a large upload after two dropped connections, and upgrades twenty devices live', async ({
  page,
  hub,
  problems,
}) => {
  test.setTimeout(300_000);
  const shop = await createProductFixture(hub);
  const folder = mkdtempSync(join(tmpdir(), 'dc-firmware-'));
  const bytes = randomBytes(FIRMWARE_MB * MB);
  const file = join(folder, 'lamp-2.0.0.bin');
  writeFileSync(file, bytes);
  const proxy = await startDroppingProxy(hub.url);
  const fleet = await startFleet(hub, shop, faults);
  try {
    await enter(page, proxy, `/add/addOta/0/0?productId=${shop.productId}`);
    await page.getByLabel('Version name').fill('Winter');
    await page.getByLabel('Version number').fill('2.0.0');
    const input = page.locator('input[type=file]');
    // The page takes no file before it knows the product.
    await expect(input).toBeEnabled(SLOW);
    proxy.dropAfter(0.24 * FIRMWARE_MB * MB, 0.66 * FIRMWARE_MB * MB);
    await input.setInputFiles(file);
    await expect(page.getByText('Uploaded and checked')).toBeVisible({ timeout: 120_000 });
    expect(proxy.cuts()).toBe(2);
    // Depending on the progress of a request, the browser logs the dropped connection.
    problems.splice(0, problems.length, ...problems.filter((problem) => !CUT.test(problem)));
    await expect(page.getByText(createHash('sha256').update(bytes).digest('hex'))).toBeVisible();
    await submitted(page, 'Submit');
    await expect(page.getByRole('heading', { name: 'Winter' })).toBeVisible();
    const versionId = new URL(page.url()).pathname.split('/')[3] ?? '';

    await rollOut(page, hub, fleet, versionId);
  } finally {
    await fleet.stop();
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

const rollOut = async (page: Page, hub: Hub, fleet: Fleet, versionId: string) => {
  const { ids } = fleet;
  // The hub itself from here on: another origin, another storage.
  await enter(page, hub, `/add/addMission?versionId=${versionId}&deviceIds=${ids.join()}`);
  await page.getByLabel('Task name').fill('Winter-rollout');
  await page.getByLabel('Devices per minute').fill(PER_MINUTE);
  await expect(page.getByText('Devices to upgrade')).toBeVisible(SLOW);
  await settled(page);
  await expectAccessible(page, 'the form of a task');
  await submitted(page, 'Create task');
  await expect(page.getByRole('heading', { name: 'Winter-rollout' })).toBeVisible(SLOW);
  const taskId = idIn(page);

  // Live: without reloading the page.
  await expect(counted(page, 'Waiting')).not.toHaveText(String(ids.length), SLOW);
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible(SLOW);
  const waiting = Number(await counted(page, 'Waiting').textContent());
  expect(waiting).toBeGreaterThan(0);
  await expect
    .poll(async () => (await recordsOf(hub.admin, taskId)).filter(({ status }) => status === 0).length)
    .toBe(waiting);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(counted(page, 'Success')).toHaveText(String(ids.length - FAILING), SLOW);
  await expect(counted(page, 'Notified')).toHaveText('1', SLOW);
  await expireDeadline(hub, taskId, ids.at(-1) ?? '');
  await expect(counted(page, 'Failed')).toHaveText(String(FAILING), SLOW);
  await expect(page.getByText('12 succeeded, 8 failed')).toBeVisible(SLOW);
  for (const reason of ['Download failed', 'Verification failed', 'Installation failed', 'Timeout'])
    await expect(page.getByText(reason).first()).toBeVisible();
  await settled(page);
  await expectAccessible(page, 'the page of a task');

  await fleet.mend();
  await page.getByRole('button', { name: 'Retry failed', exact: true }).click();
  await submitted(page, 'Retry failed devices');
  await follow(page, `/detail/updLogDetail/${taskId}`);
  await expect(counted(page, 'Success')).toHaveText(String(ids.length), SLOW);
  await expectStatus(hub, taskId, 5);
  expect(await fleet.installed()).toEqual(ids.map(() => ['2.0.0']));
  await follow(page, '/OTAUpdate/updateMission');
  await expect(page.getByRole('row').filter({ hasText: 'Winter-rollout' }).getByText('20 of 20')).toBeVisible();
};

// Spec 4.46, 8.34
test('lets a task of higher priority take over devices, and rejects one of lower priority', async ({ page, hub }) => {
  test.setTimeout(180_000);
  const shop = await createProductFixture(hub);
  const version = await createVersion(hub, shop, '2.0.0');
  const next = await createVersion(hub, shop, '3.0.0');
  const fleet = await startFleet(hub, shop, ['silent', 'silent']);
  const { ids } = fleet;
  const names = { low: unique('low'), high: unique('high') };
  const fillIn = async (versionId: string, taskName: string, rank: string) => {
    await enter(page, hub, `/add/addMission?versionId=${versionId}&deviceIds=${ids.join()}`);
    await page.getByLabel('Task name').fill(taskName);
    await page.getByLabel('Priority').fill(rank);
    await page.getByLabel('Devices per minute').fill('1');
    await expect(page.getByText('Devices to upgrade')).toBeVisible(SLOW);
  };
  try {
    await fillIn(version.versionId, names.low, '5');
    await submitted(page, 'Create task');
    await expect(page.getByRole('heading', { name: names.low })).toBeVisible(SLOW);
    const low = idIn(page);

    await fillIn(next.versionId, unique('lower'), '4');
    await expect(page.getByText('Create failed, a task in progress cannot be created').first()).toBeVisible(SLOW);
    await page.getByRole('button', { name: 'Create task', exact: true }).click();
    await expect(page.getByText('Create failed, a task in progress cannot be created').first()).toBeVisible();

    await fillIn(next.versionId, names.high, '6');
    await expect(page.getByText('Taken over from lower-priority tasks')).toBeVisible(SLOW);
    await fleet.mend();
    await submitted(page, 'Create task');
    await expect(page.getByRole('heading', { name: names.high })).toBeVisible(SLOW);
    await follow(page, `/detail/updLogDetail/${low}`);
    await expect(page.getByText('A higher-priority task ran').first()).toBeVisible(SLOW);
    await expectStatus(hub, low, 6);
  } finally {
    await fleet.stop();
  }
});
