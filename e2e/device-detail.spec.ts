import { deviceCalls, modelCalls, recordCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { param, property } from '../packages/server/test/functions.ts';
import { type Hub, unique } from '../packages/server/test/hub.ts';
import { enter, expect, test } from './support.ts';

/** A lamp as the library has it, registered and not yet online. */
const newLamp = async (hub: Hub) => {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  const deviceId = unique('lamp');
  const { deviceSecret } = await hub.admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
  const device = createDevice({ hubUrl: hub.url, productId, deviceId, secret: deviceSecret, versionNumber: '1.4.0' });
  return { deviceId, productId, device };
};

test('shows a device connecting, reporting, executing commands and disconnecting on an open page', async ({
  page,
  hub,
}) => {
  const { deviceId, device } = await newLamp(hub);
  const received: unknown[] = [];
  device.onSet((properties) => {
    received.push(properties);
    return properties;
  });
  await enter(page, hub, `/detail/detailDevice/${deviceId}`);
  const header = page.locator('.dc-page-header');
  await expect(header.getByText('Offline')).toBeVisible();
  await expect(page.getByText('The device has never connected')).toBeVisible();
  await expect(header.getByText('Live', { exact: true })).toBeVisible();

  await device.start();
  await expect(header.getByText('Online')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Why this device is offline' })).toBeHidden();
  const card = page.getByRole('article', { name: 'Brightness' });
  await device.report({ brightness: 41 });
  await expect(card.getByText('41', { exact: true })).toBeVisible();
  await device.report({ brightness: 57 });
  await expect(card.getByText('57', { exact: true })).toBeVisible();
  await expect(card.getByRole('img', { name: /minimum 41, maximum 57/ })).toBeVisible();

  await card.getByRole('button', { name: 'Set "Brightness"' }).click();
  const form = page.getByRole('form', { name: 'Brightness' });
  await form.getByRole('textbox').fill('500');
  await expect(form.getByText('Must not be above 100')).toBeVisible();
  await form.getByRole('textbox').fill('80');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect(form.getByText('Succeeded')).toBeVisible();
  await expect(form.getByRole('definition').filter({ hasText: /^80$/ })).toBeVisible();
  expect(received).toEqual([{ brightness: 80 }]);
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Messages' }).click();
  await expect(page.getByRole('cell', { name: 'Brightness', exact: true }).first()).toBeVisible();
  await device.report({ brightness: 58, power: true });
  await expect(page.getByRole('cell', { name: /^(Brightness, Power|Power, Brightness)$/ })).toBeVisible();
  await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: '57', exact: true }) })
    .first()
    .getByRole('button', { name: /Open message/ })
    .click();
  await expect(page.getByRole('region', { name: 'Payload' })).toContainText('"brightness": 57');
  await page.keyboard.press('Escape');

  await device.stop();
  await expect(header.getByText('Offline')).toBeVisible();
  await page.getByRole('tab', { name: 'Connections' }).click();
  const timeline = page.getByRole('list', { name: 'Connections' });
  await expect(timeline.getByText('The device disconnected')).toBeVisible();
});

test('keeps an object and its fields inside the card of their function, on a desktop and on a phone', async ({
  page,
  hub,
}) => {
  const { deviceId, productId, device } = await newLamp(hub);
  const fields = ['upperThresholdColdRoom', 'lower'].map((identifier) =>
    param(identifier, { type: 'string', length: 200 }),
  );
  const functions = [property('limits', { type: 'json', fields }, { functionName: 'Limits' })];
  await hub.admin.ok(modelCalls.addProductFunctions, { productId, functions });
  await device.start();
  await device.report({ limits: { upperThresholdColdRoom: 'x'.repeat(150), lower: '1' } });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await enter(page, hub, `/detail/detailDevice/${deviceId}?tab=functions`);
    const card = page.getByRole('article', { name: 'Limits' });
    await expect(card.getByRole('term')).toHaveCount(2);
    const beyond = await card.evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      return [...element.querySelectorAll('*')].filter((child) => child.getBoundingClientRect().right > right).length;
    });
    expect(beyond, `elements beyond the card at ${size.width}`).toBe(0);
    await expect(card).not.toContainText('{');
  }
  await device.stop();
});

// Spec 2.39
test('starts the real-time log, follows it, pauses for the reader, and handles thousands of lines', async ({
  page,
  hub,
}) => {
  const { deviceId, device } = await newLamp(hub);
  await device.start();
  await enter(page, hub, `/detail/realTimeLog/${deviceId}`);
  await page.getByRole('button', { name: 'Turn on real-time push' }).click();
  await expect(page.getByRole('switch', { name: 'Real-time push' })).toBeChecked();
  await expect(page.getByText('Waiting for logs')).toBeVisible();

  const log = page.getByRole('region', { name: 'Device log' });
  const write = (from: number, to: number) =>
    Promise.all(Array.from({ length: to - from }, (_, index) => device.log(4, `line ${from + index} end`)));
  await write(0, 300);
  await expect(log.getByText('line 299 end')).toBeVisible();
  await expect(page.getByText('300 lines')).toBeVisible();

  await log.hover();
  await page.mouse.wheel(0, -600);
  await expect(page.getByText('Paused')).toBeVisible();
  // The hub sends at most 500 lines at once and reports a gap beyond; this test must stay below.
  for (let written = 0; written < 2_000; written += 400) {
    await write(300 + written, 700 + written);
    await expect(
      page.getByRole('button', { name: `${(written + 400).toLocaleString('en-US')} new lines` }),
    ).toBeVisible();
  }
  await expect(log.getByText('line 2299 end')).toBeHidden();
  await page.getByRole('button', { name: '2,000 new lines' }).click();
  await expect(log.getByText('line 2299 end')).toBeVisible();
  expect(await page.locator('.dc-live-line').count(), 'rows in the page').toBeLessThan(100);

  await page.getByRole('checkbox', { name: 'Regex' }).check();
  await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('line 12\\d{2} ');
  await expect(page.getByText('100 of 2,300 lines')).toBeVisible();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('0 lines')).toBeVisible();

  const { total } = await hub.admin.ok(recordCalls.queryDeviceLogList, { deviceId });
  expect(total, 'the list shows the latest 1000').toBe(1_000);
  await device.stop();
});
