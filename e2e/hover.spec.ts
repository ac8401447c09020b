import type { Locator, Page } from '@playwright/test';
import { lowContrastIn } from './axe.ts';
import { LONG } from './display-variant.ts';
import { screensOf } from './screens.ts';
import { follow, settled } from './settled.ts';
import { enter, expect, test } from './support.ts';

/** Together they have every kind of button, tab, link and switch, and none rerenders during the check. */
const screens = ['productList', 'qrCodes', 'productModel', 'taskFailed', 'taskAdd', 'roleAdd'] as const;
const CONTROLS = 'main :is(button, a, [role=tab], label):visible, header :is(button, a):visible';
const MARK = 'data-looked-at';

/** The indexes of one control per kind: controls with the same classes have the same appearance. */
const kindsOn = (page: Page): Promise<number[]> =>
  page.locator(CONTROLS).evaluateAll((controls) => {
    const seen = new Set<string>();
    return controls.flatMap((element, index) => {
      const kind = `${element.tagName} ${element.className} ${element.ariaSelected}`;
      if (seen.has(kind)) return [];
      seen.add(kind);
      return [index];
    });
  });

const mark = (control: Locator) => control.evaluate((element, name) => element.setAttribute(name, ''), MARK);
const unmark = (page: Page) =>
  page.locator(`[${MARK}]`).evaluateAll((marked, name) => {
    for (const element of marked) element.removeAttribute(name);
  }, MARK);

/** Each under the real pointer, one after the other. */
const underPointer = async (page: Page): Promise<string[]> => {
  const found: string[] = [];
  for (const index of await kindsOn(page)) {
    const control = page.locator(CONTROLS).nth(index);
    await control.hover({ force: true, timeout: 5_000 });
    let last: string[] = [];
    const variant = async () => {
      await mark(control);
      last = await lowContrastIn(page, `[${MARK}]`)
        // Rerendered on hover, and so without the mark: nothing to check.
        .catch((error: Error) => {
          if (error.message.includes('No elements found')) return [];
          throw error;
        });
      await unmark(page);
      return last;
    };
    // A colour may be changing just then.
    await expect
      .poll(variant, { timeout: 2_000 })
      .toEqual([])
      .catch(() => found.push(...last));
  }
  return found;
};

/** All of them at once: the browser's developer tools hold each, and what it stands in, in the state `:hover`. */
const allHovered = async (page: Page): Promise<string[]> => {
  await page.locator(CONTROLS).evaluateAll(
    (controls, [name, kinds]) => {
      for (const index of kinds) controls[index]?.setAttribute(name, '');
    },
    [MARK, await kindsOn(page)] as const,
  );
  const tools = await page.context().newCDPSession(page);
  await tools.send('DOM.enable');
  await tools.send('CSS.enable');
  const { root } = await tools.send('DOM.getDocument', { depth: 0 });
  await page.locator(`[${MARK}]`).evaluateAll((marked) => {
    for (const element of marked)
      for (let at: Element | null = element; at; at = at.parentElement) at.setAttribute('data-hovered', '');
  });
  const { nodeIds } = await tools.send('DOM.querySelectorAll', { nodeId: root.nodeId, selector: '[data-hovered]' });
  const hover = (nodeId: number) => tools.send('CSS.forcePseudoState', { nodeId, forcedPseudoClasses: ['hover'] });
  await Promise.all(nodeIds.map(hover));
  await settled(page);
  const found = await lowContrastIn(page, `[${MARK}]`);
  // The state ends with the session.
  await tools.detach();
  await page.locator('[data-hovered]').evaluateAll((held) => {
    for (const element of held) element.removeAttribute('data-hovered');
  });
  await unmark(page);
  return found;
};

test('keeps texts readable under the pointer, light and dark', async ({ page, hub, sample }) => {
  test.setTimeout(600_000);
  const addresses = screensOf(sample);
  await enter(page, hub, addresses[screens[0]] ?? '');
  const found: string[] = [];
  for (const name of screens) {
    await follow(page, addresses[name] ?? '');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      const unreadable = LONG ? await underPointer(page) : await allHovered(page);
      found.push(...unreadable.map((what) => `${name}, ${colorScheme}: ${what}`));
    }
  }
  expect(found).toEqual([]);
});
