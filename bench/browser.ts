import { type Browser, chromium, type Page } from '@playwright/test';
import { ADMIN_PASSWORD } from '../packages/server/test/hub.ts';
import { findChromium } from '../scripts/lib/system.mjs';

const executablePath = findChromium();

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ['--no-sandbox'] });

export const openPage = async (browser: Browser): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(() => localStorage.setItem('language', 'en_US'));
  return page;
};

export const logIn = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.locator('input[name=username]').fill('admin');
  await page.locator('input[name=password]').fill(ADMIN_PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForFunction(() => localStorage.getItem('Authorization') !== null);
};
