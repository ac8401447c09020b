import { deviceCalls } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { unique } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { enter, expect, expectNoSidewaysScroll, test } from './support.ts';

const HOME = '/message/messageChart';

/** How many colours the chart is drawn in: none, where nothing was drawn. */
const coloursDrawn = (page: Page): Promise<number> =>
  page.locator('.dc-chart canvas').evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    const colours = new Set<string>();
    for (let place = 0; place < pixels.length; place += 4)
      if (pixels[place + 3] === 255) colours.add(pixels.slice(place, place + 3).join());
    return colours.size;
  });

test('draws, labels and updates the chart under the content security policy, in both themes and sizes', async ({
  page,
  hub,
}) => {
  // What other tests send is other tenants'.
  const tenancyId = await hub.create.tenancy();
  const applicationId = await hub.create.application(tenancyId);
  const productId = await hub.create.product(tenancyId, { applicationId });
  await hub.create.device({ productId, applicationId });
  await hub.records
    .insertInto('quarter_counter')
    .values({
      quarter: Math.floor(Date.now() / 900_000),
      tenancy_id: tenancyId,
      hub_no: 900,
      messages: 4_321,
      accesses: 12,
    })
    .execute();
  await enter(page, hub, `${HOME}?tenancyId=${tenancyId}`);
  const chart = page.getByRole('img', { name: /^Bar chart: Messages per day/ });
  await expect(chart).toBeVisible();
  await expect.poll(() => coloursDrawn(page)).toBeGreaterThan(1);

  // The tooltip sets styles by script: the fixture fails the test where the policy refuses one.
  const box = await chart.boundingBox();
  if (!box) throw new Error('the chart has no place');
  await page.mouse.move(box.x + box.width - 20, box.y + box.height / 2);
  await expect(page.locator('.dc-chart-tip')).toContainText('4,321');
  await expectAccessible(page, 'home');

  // Another device is counted while the page stands there.
  const figure = page.locator('.dc-figure-number').first();
  const before = Number((await figure.textContent())?.replaceAll(',', ''));
  await hub.admin.ok(deviceCalls.addDevice, { deviceId: unique('dev'), productId, applicationId });
  await expect(figure).toHaveText((before + 1).toLocaleString('en-US'));

  const light = await chart.screenshot();
  await page.getByRole('button', { name: /^Theme/ }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect.poll(async () => light.equals(await chart.screenshot())).toBe(false);
  await expectAccessible(page, 'home in the dark');

  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() =>
      page
        .locator('.dc-chart')
        .evaluate((element) => element.clientWidth - (element.querySelector('canvas')?.clientWidth ?? 0)),
    )
    .toBe(0);
  await expectNoSidewaysScroll(page, 'home on a phone');
});
