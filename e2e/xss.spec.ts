import { categoryCalls, controlCalls, personalCalls, zoneCalls } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { connectNewDevice, createProductFixture } from '../packages/server/test/device-fixtures.ts';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { tryLogin } from '../packages/server/test/raw-device.ts';
import { zoneFields } from '../packages/server/test/zone-fixtures.ts';
import { follow, settled } from './settled.ts';
import { enter, expect, test } from './support.ts';

/** It would run if it were ever taken for a page. */
const scriptOf = (where: string): string => `<img src=x onerror=alert('${where}')>`;

/** Script in every text that users or devices may choose. */
const seed = async (hub: Hub): Promise<[path: string, shown: string][]> => {
  const place = await createProductFixture(hub, { description: scriptOf('product') });
  const device = await connectNewDevice(hub, place);
  const { deviceId } = device;
  await device.send({ type: 6, payload: { logs: [{ level: 6, time: Date.now(), log: scriptOf('log') }] } });
  await device.send({ type: 3, payload: { event: scriptOf('event'), output: {} } });
  await device.end();
  await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: scriptOf('reason') });
  await hub.admin.ok(zoneCalls.addZone, zoneFields({ zoneName: scriptOf('zone') }) as never);
  const category = { categoryName: unique('cat-'), description: scriptOf('category') };
  const { categoryId } = await hub.admin.ok(categoryCalls.addCategory, category);
  await hub.admin.ok(personalCalls.getPersonalMessage, {}, { headers: { 'User-Agent': scriptOf('browser') } });
  await tryLogin(hub.url, { productId: place.productId, deviceId: scriptOf('id') });
  return [
    [`/detail/detailDevice/${deviceId}?tab=logs`, scriptOf('log')],
    [`/detail/detailDevice/${deviceId}?tab=messages`, scriptOf('event')],
    [`/detail/realTimeLog/${deviceId}`, ''],
    ['/productConfig/blackDeviceList', scriptOf('reason')],
    ['/avaConfig/availableList', scriptOf('zone')],
    [`/detail/detailCategory/${categoryId}/category`, scriptOf('category')],
    [`/detail/detailProduct/${place.productId}`, scriptOf('product')],
    ['/systemConfig/auditLog', ''],
    ['/person/personCenter', ''],
  ];
};

const variant = async (page: Page, url: string, shown: string): Promise<void> => {
  await expect(page.getByRole('heading').first()).toBeVisible();
  if (shown !== '') await expect(page.getByText(shown, { exact: false }).first()).toBeVisible({ timeout: 30_000 });
  // A picture that was made of the text would be in the page.
  expect(await page.locator('img[src="x"], [onerror], script:not([src])').count(), url).toBe(0);
};

test('shows script in names, logs, reasons and events as text', async ({ page, hub }) => {
  test.setTimeout(180_000);
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const pages = await seed(hub);
  await enter(page, hub, '/person/personCenter');
  for (const [path, shown] of pages) {
    await follow(page, path);
    await variant(page, path, shown);
  }
  for (const path of [scriptOf('path'), `systemConfig/roleList?roleName=${scriptOf('search')}`]) {
    await page.goto(`${hub.url}/${encodeURI(path)}`);
    await settled(page);
    await variant(page, path, '');
  }
  expect(dialogs).toEqual([]);
});
