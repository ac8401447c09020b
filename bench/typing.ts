/** Typing in the editor of a model with 300 functions: blocking time per key. Reference: a plain input field. */
import { type ModelFunction, modelCalls } from '@device-center/contract';
import type { Page } from '@playwright/test';
import { spawnHub } from '../packages/server/test/hub.ts';
import { launchBrowser, logIn, openPage } from './browser.ts';
import { median } from './median.ts';
import { report } from './report.ts';

const FUNCTIONS = 300;
const TEXT = 'Temperature of the second inlet, as measured behind the valve';

const functions: ModelFunction[] = Array.from({ length: FUNCTIONS }, (_, index) => ({
  signCode: `measure${index}`,
  functionName: `Measure ${index}`,
  functionType: 32,
  description: 'One of many',
  functionDefinition: {
    callType: 'sync',
    input: Array.from({ length: 6 }, (_unused, place) => ({
      identifier: `input${place}`,
      name: `Input ${place}`,
      required: true,
      dataType: { type: 'integer', min: 0, max: 100 },
    })),
    output: [],
  },
}));

declare global {
  interface Window {
    blocked: number[];
  }
}

/** Main-thread time per key, as reported by the browser, and long tasks. */
const watch = (page: Page) =>
  page.evaluate(() => {
    window.blocked = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        window.blocked.push(entry.processingEnd - entry.processingStart);
    }).observe({ type: 'event', durationThreshold: 16, buffered: false } as PerformanceObserverInit);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.blocked.push(entry.duration);
    }).observe({ type: 'longtask' });
  });

/** `held`: maximum time that a key blocked the main thread. */
type Typed = { held: number; took: number[] };

/** Waits after each key until the page has rendered the result. */
const type = async (page: Page, text: string): Promise<Typed> => {
  await watch(page);
  const took: number[] = [];
  for (const character of text) {
    const began = performance.now();
    await page.keyboard.type(character);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
    took.push(performance.now() - began);
  }
  const blocked = await page.evaluate(() => window.blocked);
  return { held: Math.max(0, ...blocked), took };
};

const hub = await spawnHub();
const browser = await launchBrowser();
try {
  const productId = await hub.create.product('1', { inheritFunctions: 0 });
  const sent = { productId, modelVersion: 1, functions };
  await hub.admin.ok(modelCalls.saveProductModel, sent, { as: 'json' });
  const page = await openPage(browser);

  await page.setContent('<input autofocus>');
  await page.locator('input').focus();
  const bare = await type(page, TEXT);

  await logIn(page, hub.url);
  await page.goto(`${hub.url}/detail/detailProduct/${productId}?tab=model`);

  const show = (where: string, { held, took }: Typed) => {
    report({
      what: `typing: ${where}, key to frame`,
      value: median(took),
      unit: 'ms',
      worst: Math.max(...took),
      reference: { name: 'a bare field', value: median(bare.took) },
    });
    report({
      what: `typing: ${where}, a key holds the page at most`,
      value: held,
      unit: 'ms',
      reference: { name: 'a bare field', value: bare.held },
    });
  };
  console.log(`a model of ${FUNCTIONS} functions; ${TEXT.length} keys each`);
  show('a bare field', bare);
  await page.getByRole('textbox', { name: 'Search name or identifier' }).click();
  show('search in the list', await type(page, TEXT.slice(0, 20)));
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Measure 0', exact: true }).click();
  await page.getByLabel('Description').click();
  show('the description of a function', await type(page, TEXT));
  await page.getByRole('button', { name: /^Input parameter 3 / }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).click();
  show('the name of a nested parameter', await type(page, ' of the line'));
} finally {
  await browser.close();
  await hub.close();
}
