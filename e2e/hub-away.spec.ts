import { deviceCalls, mockCalls } from '@device-center/contract';
import { createDevice } from '@device-center/device-sdk';
import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { type SpawnedHub, spawnHub, unique } from '../packages/server/test/hub.ts';
import { enter, test as shared } from './support.ts';
import { slices } from './texts.ts';

const text = (slice: string, key: string): string => slices.en_US[slice]?.[key] ?? key;
const WITHIN = { timeout: 5_000 };
const BANNER = 'Platform unreachable';

const test = shared.extend<{ lost: { hub: SpawnedHub; open: (address: string) => Promise<Page> } }>({
  // A page that has lost its hub complains on the console. Without the shared page, no second hub is started.
  problems: ({ browser: _browser }, use) => use([]),
  lost: async ({ browser }, use) => {
    const hub = await spawnHub();
    const context: BrowserContext = await browser.newContext({ reducedMotion: 'reduce' });
    await use({
      hub,
      open: async (address) => {
        const page = await context.newPage();
        await enter(page, hub, address);
        return page;
      },
    });
    await context.close();
    await hub.close();
  },
});

/** A device with a line in its log, whose real-time push is on. */
const seed = async (hub: SpawnedHub) => {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  const deviceId = unique('lamp-');
  const { deviceSecret } = await hub.admin.ok(deviceCalls.addDevice, { deviceId, productId, applicationId });
  await hub.db.updateTable('device').set({ real_time_push: 1 }).where('device_id', '=', deviceId).execute();
  const mock = await hub.admin.ok(
    mockCalls.createMockDevice,
    { deviceName: 'mock-lamp', productId, children: [] },
    { as: 'json' },
  );
  const device = createDevice({
    hubUrl: hub.url,
    productId,
    deviceId,
    secret: deviceSecret,
    backoff: { first: 200, max: 1_000, slow: 1_000 },
  });
  await device.start();
  return { device, deviceId, mockId: mock.deviceId };
};

const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

test('shows a killed hub on five screens, keeps their input, and recovers by itself', async ({
  lost: { hub, open },
}) => {
  const { device, deviceId, mockId } = await seed(hub);
  const list = await open('/productConfig/deviceList');
  const row = list.getByRole('row', { name: new RegExp(deviceId) });
  await expect(row).toContainText(text('device', 'online'));
  const detail = await open(`/detail/detailDevice/${deviceId}`);
  await expect(detail.getByRole('tab', { name: text('deviceDetail', 'tab_messages') })).toBeVisible();
  const form = await open('/add/addTenant/0/0');
  const name = form.getByLabel(text('tenancy', 'tenancyName'), { exact: true });
  await name.fill('Typed before');
  const log = await open(`/detail/realTimeLog/${deviceId}`);
  await expect(log.getByText(text('common', 'live'), { exact: true })).toBeVisible();
  const panel = await open(`/detail/detailMock/${mockId}`);
  await button(panel, text('mockPanel', 'goOnline')).click();
  await expect(panel.getByText(text('mockPanel', 'onlineHere'))).toBeVisible();
  const pages = [list, detail, form, log, panel];

  await hub.process.kill();
  for (const page of pages) await expect(page.getByText(BANNER)).toBeVisible(WITHIN);

  await expect(row).toContainText(text('common', 'presenceUnknown'));
  await expect(button(list, text('shell', 'registerTitle'))).toBeDisabled();
  // Two tabs of its own code, the first of them brought by another slice.
  await detail.getByRole('tab', { name: text('shell', 'upgradesTab') }).click();
  await expect(button(detail, text('common', 'refresh'))).toBeVisible();
  await detail.getByRole('tab', { name: text('deviceDetail', 'tab_connections') }).click();
  await expect(detail.getByRole('heading', { level: 1, name: deviceId })).toBeVisible();
  await expect(detail.getByRole('alert')).toHaveCount(0);
  await expect(detail.getByText(text('common', 'presenceUnknown'), { exact: true })).toBeVisible();
  await name.fill('Typed while away');
  await expect(button(form, text('common', 'submit'))).toBeDisabled();
  await expect(log.getByText(text('common', 'live'), { exact: true })).toHaveCount(0);
  await expect(log.getByRole('switch')).toBeDisabled();
  await expect(panel.getByText(text('mockPanel', 'onlineHere'))).toHaveCount(0);
  await expect(button(panel, text('mockPanel', 'relogin'))).toBeDisabled();

  const { port } = new URL(hub.url);
  const again = await hub.start({ PORT: port, MQTT_PORT: String(hub.process.mqttPort) });
  try {
    for (const page of pages) await expect(page.getByText(BANNER)).toHaveCount(0, WITHIN);
    await expect(button(list, text('shell', 'registerTitle'))).toBeEnabled();
    await expect(row).toContainText(text('device', 'online'));
    await expect(detail.getByText(text('deviceDetail', 'disconnect_hubStopped'))).toBeVisible();
    await expect(name).toHaveValue('Typed while away');
    await expect(button(form, text('common', 'submit'))).toBeEnabled();
    await expect(log.getByText(text('common', 'live'), { exact: true })).toBeVisible(WITHIN);
    await expect.poll(() => device.online).toBe(true);
    await device.log(4, 'back with the hub');
    await expect(log.getByText('back with the hub')).toBeVisible();
    await expect(panel.getByText(text('mockPanel', 'onlineHere'))).toBeVisible(WITHIN);
  } finally {
    await device.stop();
    await again.process.stop();
  }
});
