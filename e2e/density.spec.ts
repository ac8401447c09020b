import { Menu, personalCalls } from '@device-center/contract';
import { PASSWORD } from '../packages/server/test/hub.ts';
import { applyVariant, type DisplayVariant, faultsIn, PHONE } from './display-variant.ts';
import { screensOf } from './screens.ts';
import { follow } from './settled.ts';
import { enter, expect, test } from './support.ts';

/** Users of this tenant operate the platform. */
const PLATFORM_TENANCY_ID = '1';
const variant: DisplayVariant = { language: 'en_US', scheme: 'light', width: PHONE };

test('keeps the row actions of compact lists reachable on a phone', async ({ page, hub, sample }) => {
  test.setTimeout(120_000);
  // A user of its own: the density belongs to the user, and shows on every screen.
  const user = await hub.create.user({ tenancyId: PLATFORM_TENANCY_ID, menus: Object.values(Menu) });
  await user.ok(personalCalls.savePreferences, { preferences: { density: 'compact' } }, { as: 'json' });
  const lists = Object.entries(screensOf(sample)).filter(([name]) => name.endsWith('List'));
  const asUser = { url: hub.url, language: variant.language, username: user.username, password: PASSWORD };
  await enter(page, asUser, lists[0]?.[1] ?? '');
  await applyVariant(page, variant);
  for (const [name, address] of lists) {
    await follow(page, address);
    await expect(page.locator('.dc-table-comfortable')).toHaveCount(0);
    await expect.poll(() => faultsIn(page, variant), { message: name, timeout: 10_000 }).toEqual([]);
  }
  expect(lists.length).toBeGreaterThan(12);
});
