import type { Locator, Page } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { unreadableIn } from './axe.ts';
import { screensOf, settled } from './screens.ts';
import { expect, logIn, speak, test } from './support.ts';

/** Between them they have every kind of button, tab, link and switch, and none draws itself anew while it is looked at. */
const screens = ['productList', 'qrCodes', 'productModel', 'taskFailed', 'taskAdd', 'roleAdd'] as const;
const CONTROLS = 'main :is(button, a, [role=tab], label):visible, header :is(button, a):visible';

/** One of each kind: those of the same classes look alike. */
const kindsOn = async (page: Page): Promise<Locator[]> => {
  const seen = new Set<string>();
  const kinds: Locator[] = [];
  for (const control of await page.locator(CONTROLS).all()) {
    const kind = await control.evaluate((element) => `${element.tagName} ${element.className} ${element.ariaSelected}`);
    if (seen.has(kind)) continue;
    seen.add(kind);
    kinds.push(control);
  }
  return kinds;
};

const unreadable = async (page: Page, control: Locator): Promise<string[]> => {
  await control.evaluate((element) => element.setAttribute('data-looked-at', ''));
  const found = await unreadableIn(page, '[data-looked-at]')
    // Drawn anew under the pointer, and so without the mark: there is nothing to be looked at.
    .catch((error: Error) => {
      if (error.message.includes('No elements found')) return [];
      throw error;
    });
  await page.locator('[data-looked-at]').evaluateAll((marked) => {
    for (const element of marked) element.removeAttribute('data-looked-at');
  });
  return found;
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing becomes unreadable under the pointer, ${colorScheme}`, async ({ page, hub, sample }) => {
    test.setTimeout(300_000);
    const addresses = screensOf(sample);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await speak(page, 'en_US');
    await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
    const found: string[] = [];
    for (const name of screens) {
      await page.goto(hub.url + addresses[name]);
      await settled(page);
      for (const control of await kindsOn(page)) {
        await control.hover({ force: true, timeout: 5_000 });
        // A colour may be changing just then.
        await expect(async () => expect(await unreadable(page, control)).toEqual([]))
          .toPass({ timeout: 2_000 })
          .catch(async () => found.push(...(await unreadable(page, control)).map((what) => `${name}: ${what}`)));
      }
    }
    expect(found).toEqual([]);
  });
}
