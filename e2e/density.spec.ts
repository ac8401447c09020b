import { personalCalls } from '@device-center/contract';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { dress, faultsIn, type Look, PHONE } from './look.ts';
import { openByLink, screensOf, settled } from './screens.ts';
import { expect, logIn, speak, test } from './support.ts';

// With a hub of its own: the density is kept for its user, and shows on every screen.
test.use({ purpose: 'density' });

const look: Look = { language: 'en_US', scheme: 'light', width: PHONE };

test('lists in compact rows leave their actions on a phone', async ({ page, hub, sample }) => {
  test.setTimeout(120_000);
  await hub.admin.get(personalCalls.savePreferences, { preferences: { density: 'compact' } }, { as: 'json' });
  await speak(page, look.language);
  await dress(page, look);
  await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
  const lists = Object.entries(screensOf(sample)).filter(([name]) => name.endsWith('List'));
  for (const [name, address] of lists) {
    await openByLink(page, address);
    await settled(page);
    await expect(page.locator('.dc-table-comfortable')).toHaveCount(0);
    await expect.poll(() => faultsIn(page, look), { message: name, timeout: 10_000 }).toEqual([]);
  }
  expect(lists.length).toBeGreaterThan(12);
});
