import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { deviceCalls } from '@device-center/contract';
import type { Download } from '@playwright/test';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { follow } from './settled.ts';
import { enter, expect, test } from './support.ts';

const newProduct = async (hub: Hub) => {
  const applicationId = await hub.create.application('1');
  return { applicationId, productId: await hub.create.product('1', { applicationId }) };
};

/** Runs the command as an operator pastes it; ended by Ctrl-C. */
const inTerminal = (command: string) => {
  const shell = spawn('bash', ['-c', command], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => shell.once('exit', () => resolve()));
  return {
    interrupt: async () => {
      process.kill(-(shell.pid ?? 0), 'SIGINT');
      await ended;
    },
  };
};

const textOf = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8');

test('connects a registered device by the command of its page, and updates the open list', async ({
  page,
  context,
  hub,
}) => {
  const { productId } = await newProduct(hub);
  const deviceId = unique('pasted-');
  await enter(page, hub, `/add/addDevice?productId=${productId}`);
  await page.getByRole('textbox', { name: 'Device ID' }).fill(deviceId);
  await page.getByRole('button', { name: 'Add device', exact: true }).click();
  await expect(page.getByText('The device secret is shown only once')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Contains the secret' })).toBeVisible();
  await expect(page.getByText('Waiting for the device to come online…')).toBeVisible();

  const list = await context.newPage();
  await list.goto(`${hub.url}/productConfig/deviceList?productId=${productId}`);
  const row = list.getByRole('row').filter({ hasText: deviceId });
  await expect(row.getByText('Offline')).toBeVisible();
  await expect(list.getByText('Live', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Shell (curl + mosquitto)' }).click();
  const command = await page.getByRole('region', { name: 'Shell (curl + mosquitto)' }).textContent();
  const terminal = inTerminal(command ?? '');
  await expect(page.getByText('The device is online')).toBeVisible({ timeout: 30_000 });
  await expect(row.getByText('Online')).toBeVisible();
  await terminal.interrupt();
  await expect(row.getByText('Offline')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('The device was online and is now offline')).toBeVisible();
});

test('imports devices from a sheet, finds, exports and blacklists them', async ({ page, hub }) => {
  const { productId } = await newProduct(hub);
  const [one, other] = [unique('sheet-'), unique('sheet-')];
  await enter(page, hub, `/add/addDevice?from=file&productId=${productId}`);
  const sheet = `deviceId,deviceName,mac\n${one},Pump-1,00:11:22:33:44:55\nnot an id,Pump-2,\n${other},Pump-3,\n`;
  const file = { name: 'pumps.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText('2 valid rows')).toBeVisible();
  await expect(page.getByText('1 rejected row')).toBeVisible();
  await page.getByRole('button', { name: 'Add 2 devices' }).click();
  const secrets = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download credentials of 2 devices' }).click();
  expect(await textOf(await secrets)).toContain(one);

  await follow(page, `/productConfig/deviceList?productId=${productId}`);
  await expect(page.getByRole('row').filter({ hasText: 'Pump' })).toHaveCount(2);
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const csv = await textOf(await exported);
  for (const known of [one, other, 'Pump-1', 'Pump-3', '00:11:22:33:44:55']) expect(csv).toContain(known);

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill(one);
  await page.getByRole('option', { name: 'Pump-1' }).click();
  await expect(page).toHaveURL(new RegExp(`/detail/detailDevice/${one}`));
  await page.goBack();

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByRole('button', { name: 'Blacklist', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Blacklist', exact: true }).click();
  await expect(page.getByText('2 succeeded, 0 failed')).toBeVisible();
  // From the address bar: the list of results still covers the page.
  await page.goto(`${hub.url}/productConfig/blackDeviceList?productId=${productId}`);
  await expect(page.getByRole('row').filter({ hasText: 'Pump' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Remove Pump-1 from the blacklist' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove from blacklist' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Pump' })).toHaveCount(1);
  const { blacklisted } = await hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: other });
  expect(blacklisted).toBe(1);
});
