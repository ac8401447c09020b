import type { Page } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { screensOf, settled } from './screens.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, type Language, logIn, speak, test } from './support.ts';

type Look = { language: Language; scheme: 'light' | 'dark'; width: number; height: number };

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

// Between them: both languages, both themes, both sizes. SCREENS=all walks every combination.
const some: Look[] = [
  { language: 'zh_CN', scheme: 'light', ...desktop },
  { language: 'en_US', scheme: 'dark', ...desktop },
  { language: 'en_US', scheme: 'light', ...phone },
  { language: 'zh_CN', scheme: 'dark', ...phone },
];
const all: Look[] = (['zh_CN', 'en_US'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    [desktop, phone, { width: 1920, height: 1080 }].map((size) => ({ language, scheme, ...size })),
  ),
);
const looks = process.env.SCREENS === 'all' ? all : some;

// Each look on a worker of its own, with a hub of its own.
test.describe.configure({ mode: 'parallel' });

/** An i18next key that was never translated shows itself as `slice:key` or `{{name}}`. */
const expectTranslated = async (page: Page, where: string) => {
  const text = await page.locator('body').textContent();
  expect(text, where).not.toMatch(
    /\b(common|shell|account|tenancy|role|user|application|category|product|model|personal|audit|outbox|device|deviceDetail|deviceReasons|home|guide|mock|mockPanel|mockTabs|qrCode|refused|firmware|ota|otaForm|otaDetail|sync|zone|zoneForm|apiKey|auditActions|auditFields|layout):\w+|\{\{/,
  );
};

const inspect = async (page: Page, name: string, look: Look) => {
  await settled(page);
  const where = `${name} ${look.language} ${look.scheme} ${look.width}`;
  await expectNoSidewaysScroll(page, where);
  await expectTranslated(page, where);
  await expectAccessible(page, where);
  if (process.env.SCREENSHOTS)
    await page.screenshot({ path: `e2e/screenshots/${name}-${look.language}-${look.scheme}-${look.width}.png` });
};

/** By the address bar in the first look, so that each page is also seen to load by itself; then as a link would. */
const open = async (page: Page, url: string, address: string, look: Look) => {
  if (look === looks[0]) await page.goto(url + address);
  else
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
};

for (const look of looks) {
  test(`every screen, ${look.language}, ${look.scheme}, ${look.width} wide`, async ({ page, hub, sample }) => {
    // Sixty screens, each looked at by axe: minutes on an idle machine, more on a busy one.
    test.setTimeout(900_000);
    await page.setViewportSize(look);
    await page.emulateMedia({ colorScheme: look.scheme, reducedMotion: 'reduce' });
    await speak(page, look.language);
    await page.goto(hub.url);
    await inspect(page, 'login', look);
    await page.goto(`${hub.url}/validateAccount`);
    await inspect(page, 'validateAccount', look);
    await logIn(page, hub.url, 'admin', ADMIN_PASSWORD);
    await expect(page).toHaveURL(/messageChart/);
    for (const [name, address] of Object.entries(screensOf(sample))) {
      await open(page, hub.url, address, look);
      await inspect(page, name, look);
    }
  });
}
