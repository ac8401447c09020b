import { mockCalls, recordCalls } from '@device-center/contract';
import type { Browser, Page } from '@playwright/test';
import { type Hub, spawnHub } from '../packages/server/test/hub.ts';
import { expectAccessible } from './axe.ts';
import { enter, expect, test as shared, watchConsole } from './support.ts';

const CHILDREN = 10;
const WITHIN_MS = 1_000;
const A_MINUTE_MS = 60_000;

const test = shared.extend<{ empty: Hub; second: Page }>({
  /** A hub of its own: the guide begins where there is nothing. */
  empty: async ({ page, second }, use) => {
    const hub = await spawnHub();
    await use(hub);
    // Before the hub: a page that has lost its hub complains on the console.
    await page.close();
    await second.close();
    await hub.close();
  },
  /** The operator's window, in a browser that shares nothing with the first. */
  second: async ({ browser }: { browser: Browser }, use) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems: string[] = [];
    watchConsole(page, problems);
    await use(page);
    expect(problems, "the second browser's console").toEqual([]);
    await context.close();
  },
});

/** Records each text that appears there from now on, with its time. */
const watch = async (page: Page, selector: string): Promise<() => Promise<Record<string, number>>> => {
  await page.evaluate((where) => {
    const seen: Record<string, number> = {};
    const read = () => document.querySelector(where)?.textContent?.trim().split(/\s/)[0] ?? '';
    let last = read();
    const variant = () => {
      const text = read();
      if (text === last) return;
      last = text;
      seen[text] = Date.now();
    };
    new MutationObserver(variant).observe(document.body, { subtree: true, childList: true, characterData: true });
    Object.assign(window, { [`seen ${where}`]: seen });
  }, selector);
  return () => page.evaluate((where) => Reflect.get(window, `seen ${where}`) as Record<string, number>, selector);
};

/** How far apart in time two windows showed the same, in milliseconds. */
const apart = (one: Record<string, number>, other: Record<string, number>): number[] =>
  Object.entries(one).flatMap(([text, at]) => (other[text] === undefined ? [] : [Math.abs(other[text] - at)]));

const step = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Guide steps' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) });

const stepIs = (page: Page, name: string, state: string) =>
  expect(step(page, name).getByRole('heading')).toHaveText(`${name}: ${state}`, { timeout: A_MINUTE_MS });

test.setTimeout(180_000);

test('connects a first device of an empty hub within a minute, and shows it in two windows', async ({
  page,
  second,
  empty: hub,
}) => {
  await enter(page, hub, '/message/messageChart');
  await expectAccessible(page, 'the choice of a template');
  const began = Date.now();
  await page.getByRole('button', { name: /^Temperature sensor/ }).click();
  await stepIs(page, 'Mock device', 'done');
  const link = step(page, 'Mock device').getByRole('link');
  const deviceId = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';

  await enter(second, hub, `/detail/detailDevice/${deviceId}`);
  await stepIs(page, 'First command', 'action required');
  expect(Date.now() - began, 'from the click to the last step').toBeLessThan(A_MINUTE_MS);
  const header = second.locator('.dc-page-header');
  await expect(header.getByText('Online')).toBeVisible();
  await expect(header.getByText('Live', { exact: true })).toBeVisible();

  const [measured, shown] = await Promise.all([
    watch(page, '.dc-guide-measured .dc-number'),
    watch(second, 'article[aria-label="Temperature"] .dc-property-value strong'),
  ]);
  await expect.poll(async () => apart(await measured(), await shown()).length).toBeGreaterThan(1);
  expect(Math.min(...apart(await measured(), await shown())), 'a value in both windows').toBeLessThan(WITHIN_MS);

  await second.getByRole('button', { name: 'Set "Report interval"' }).click();
  const form = second.getByRole('form', { name: 'Report interval' });
  let seconds = 1;
  await expect(async () => {
    const wanted = String(++seconds);
    await form.getByRole('textbox').fill(wanted);
    const [obeyed, answered] = await Promise.all([
      watch(page, '.dc-guide-setting .dc-number'),
      watch(second, '.dc-answer .dc-status'),
    ]);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect.poll(async () => (await answered()).Succeeded, { timeout: 15_000 }).toBeDefined();
    await expect(page.getByRole('region', { name: 'My-temperature-sensor-1' })).toContainText(`${wanted} s`);
    const [obeyedAt = 0, answeredAt = 0] = [(await obeyed())[wanted], (await answered()).Succeeded];
    expect(Math.abs(answeredAt - obeyedAt), 'a command in both windows').toBeLessThan(WITHIN_MS);
    // Several tries: a single measurement on a busy machine is not reliable.
  }).toPass({ timeout: A_MINUTE_MS });
  await second.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Send command/ }).click();
  await stepIs(page, 'First command', 'done');
  await expect(step(page, 'First command')).toContainText(/responded within [\d,]+ ms/);
  await expectAccessible(page, 'the guide at its end');

  // A reload goes on with the same device.
  await page.reload();
  await stepIs(page, 'First command', 'done');
  await expect(page.getByRole('button', { name: /^Send another/ })).toBeVisible({ timeout: A_MINUTE_MS });
  const { total } = await hub.admin.ok(mockCalls.queryMockDeviceList, {});
  expect(total).toBe(1);

  await second.getByRole('tab', { name: 'Connections' }).click();
  const timeline = second.getByRole('list', { name: 'Connections' });
  await page.getByRole('link', { name: 'Open mock device console' }).click();
  await expect(page.getByText('Online, run by this page')).toBeVisible({ timeout: 30_000 });
  // The reload has broken the connection as well.
  const countBroken = async () => {
    const { list } = await hub.admin.ok(recordCalls.deviceConnectRecord, { deviceId, status: 2 });
    return list.filter(({ reason }) => reason === 'lost').length;
  };
  const before = await countBroken();
  await page.getByRole('tab', { name: 'Faults' }).click();
  await page.getByRole('button', { name: 'Drop connection now' }).click();
  await expect.poll(countBroken).toBe(before + 1);
  await expect(timeline.getByText('Network connection lost')).toHaveCount(before + 1, { timeout: 30_000 });
});

// Spec 1.17, 9.32
test('creates ten children of a mock gateway and no eleventh', async ({ page, second, hub }) => {
  const applicationId = await hub.create.application('1');
  const gateway = await hub.create.product('1', { applicationId, nodeType: 2, categoryId: 'std-gateway' });
  const sensor = await hub.create.product('1', { applicationId, nodeType: 3, categoryId: 'std-environment-sensor' });
  const named = (count: number, from = 1) =>
    Array.from({ length: count }, (_, index) => ({ deviceName: `Child-${from + index}`, productId: sensor }));
  const asked = { deviceName: 'Ten', productId: gateway };
  const many = await hub.admin.error(
    mockCalls.createMockDevice,
    { ...asked, children: named(CHILDREN + 1) },
    { as: 'json' },
  );
  expect(many.details?.map(({ message }) => message)).toEqual(['At most 10 child devices can be mounted']);
  const created = { ...asked, children: named(CHILDREN) };
  const { deviceId } = await hub.admin.ok(mockCalls.createMockDevice, created, { as: 'json' });

  await enter(page, hub, `/detail/detailMock/${deviceId}?start=1&tab=children`);
  await expect(page.getByText('Online, run by this page')).toBeVisible({ timeout: A_MINUTE_MS });
  await page.getByRole('button', { name: 'Mount all' }).click();
  await expect(page.getByText('Mounted, online')).toHaveCount(CHILDREN, { timeout: A_MINUTE_MS });
  await enter(second, hub, `/detail/detailDevice/${deviceId}?tab=children`);
  const rows = second.getByRole('row').filter({ hasText: 'Child-' });
  await expect(rows).toHaveCount(CHILDREN);
  await expect(rows.getByText('Online', { exact: true })).toHaveCount(CHILDREN);

  const eleventh = { deviceId, children: named(1, CHILDREN + 1) };
  const refused = await hub.admin.error(mockCalls.addMockChildren, eleventh, { as: 'json' });
  expect(refused).toMatchObject({ code: 'MOCK_CHILDREN_FULL', message: 'At most 10 child devices can be mounted' });
  await expect(page.getByRole('button', { name: 'Add child devices' })).toBeDisabled();
  await expect(page.getByText('A mock gateway can have at most 10 child devices')).toBeVisible();
  const { children } = await hub.admin.ok(mockCalls.getMockDeviceDetails, { deviceId });
  expect(children).toHaveLength(CHILDREN);
});
