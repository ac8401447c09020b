import { expect, type Page } from '@playwright/test';
import { axeFaults } from './axe.ts';
import { type Control, readSurface, type Surface } from './controls.ts';
import { type DisplayVariant, faultsIn, nameOf, picture } from './display-variant.ts';
import { waitForShortTimers } from './due.ts';
import { requestsOf } from './requests.ts';
import { openByLink, settled } from './settled.ts';
import { slices } from './texts.ts';

export type Counts = { pressed: number; opened: number };
export type Place = { screen: string; address: string; variant: DisplayVariant; surface: string };

type CrawlNeeds = { page: Page; url: string; faults: string[] };

const MOST_LAYERS = 3;
const CLOSED_WITHIN_MS = 1_000;

/** Words of destructive actions: their confirmations are not answered. */
const DESTROYING = [
  'common.delete',
  'device.kick',
  'device.blacklist',
  'deviceDetail.resetSecret',
  'product.resetSecret',
  'apiKey.revoke',
  'user.resetPassword',
  'shell.logOut',
  'ota.cancelOk',
  'personal.sessionEnd',
  'personal.endOthers',
];
const destroying = (language: DisplayVariant['language']): RegExp => {
  const words = DESTROYING.map((key) => {
    const [slice = '', name = ''] = key.split('.');
    const word = slices[language][slice]?.[name];
    if (!word) throw new Error(`no text ${key}`);
    return word.replace(/[()?*+.]/g, '.');
  });
  return new RegExp(words.join('|'));
};

const keys: Record<DisplayVariant['language'], Map<string, string>> = {
  zh_CN: new Map(),
  en_US: new Map(),
};
for (const [language, texts] of Object.entries(slices))
  for (const [slice, keyed] of Object.entries(texts))
    for (const [key, text] of Object.entries(keyed))
      keys[language as DisplayVariant['language']].set(text, `${slice}.${key}`);

/** The key of a path: the same in both languages, and for all rows of a kind. */
const keyOfPath = ({ address, surface, variant }: Place, path: readonly string[]): string => {
  const route = (address.split('?')[0] ?? '').replace(/[\w-]*\d[\w-]*/g, '#');
  const frame = surface === 'main' ? '' : variant.width < 992 ? 'narrow frame' : 'wide frame';
  const steps = path.map((sign) => {
    const [kind = '', ...words] = sign.split(' ');
    return `${kind} ${keys[variant.language].get(words.join(' ')) ?? words.join(' ')}`;
  });
  // All lists share the same toolbar: click it on the first list only, in each width.
  const [first = ''] = steps;
  const where = frame === '' && / common\./.test(first) ? `any ${variant.width}` : route;
  return [where, frame, ...steps].join(' > ');
};

/** Clicks through screens. It clicks a control only once among the screens of a route. */
export const createCrawl = ({ page, url, faults }: CrawlNeeds) => {
  const pressed = new Set<string>();
  const tried = new Set<string>();
  const checked = new Set<string>();
  const counts = new Map<string, Counts>();
  const arrived = requestsOf(page);
  let doing = '';

  const read = async (place: Place): Promise<Surface> => {
    const surface = await page.evaluate(readSurface, place.surface);
    if (!surface.closing) return surface;
    // A layer that does not close intercepts the next click, which then fails.
    const closed = () =>
      ![...document.querySelectorAll('[data-walk-closing]')].some((cover) => cover.checkVisibility());
    await page.waitForFunction(closed, undefined, { timeout: CLOSED_WITHIN_MS }).catch(() => undefined);
    return page.evaluate(readSurface, place.surface);
  };
  const fault = (place: Place, what: string): void => {
    const told = `${place.screen} ${nameOf(place.variant)} ${doing}: ${what}`;
    if (!faults.includes(told)) faults.push(told);
  };
  /** On a slow machine a late dialog may cover the next control: retry that click once. */
  const retryOnce = (key: string): boolean => {
    const again = tried.has(key);
    tried.add(key);
    return again;
  };
  const count = (place: Place, what: keyof Counts): void => {
    const sum = counts.get(place.screen) ?? { pressed: 0, opened: 0 };
    counts.set(place.screen, { ...sum, [what]: sum[what] + 1 });
  };

  /** Waits until menus, lazily loaded dialogs and the requests of their lists are done. */
  const waitUntilIdle = async (): Promise<void> => {
    do await waitForShortTimers(page);
    while (await arrived());
    await settled(page);
  };

  const open = async ({ address }: Place): Promise<void> => {
    await page.goto(url + address);
    await settled(page);
  };

  /** Navigates by a link, which is faster; a screen that blocks leaving an unsaved form is reloaded. */
  const reopen = async (place: Place): Promise<void> => {
    await openByLink(page, place.address);
    await waitUntilIdle();
    if (page.url() !== url + place.address || (await read(place)).layer) await open(place);
  };

  /** Clicks the control. Returns the reason when that is not possible. */
  const press = async (control: Control): Promise<string | undefined> => {
    const target = page.locator(`[data-walk="${control.mark}"]`).first();
    try {
      // On a phone antd scrolls its tabs by transform, and the browser cannot scroll one into view.
      if (control.sign.startsWith('tab ')) await target.dispatchEvent('click');
      else await target.click({ timeout: 4_000 });
    } catch (error) {
      const lines = String(error).split('\n');
      const why = lines.find((line) => line.includes('intercepts')) ?? lines.slice(0, 6).join(' ');
      return `cannot be pressed: ${why.trim().slice(0, 400)}`;
    }
    await waitUntilIdle();
  };

  /** Reports only faults that persist: one that disappears within a transition does not matter. */
  const lastingFaults = async (variant: DisplayVariant): Promise<string[]> => {
    const found = await faultsIn(page, variant);
    if (found.length === 0) return found;
    let lasting = found;
    await expect
      .poll(
        async () => {
          const still = await faultsIn(page, variant);
          lasting = lasting.filter((fault) => still.includes(fault));
          return lasting;
        },
        { timeout: 1_000 },
      )
      .toEqual([])
      .catch(() => undefined);
    return lasting;
  };

  const inspect = async (place: Place, path: readonly string[], { layer }: Surface): Promise<void> => {
    for (const what of await lastingFaults(place.variant)) {
      const known = `${place.screen} ${what}`;
      if (checked.has(known)) continue;
      checked.add(known);
      fault(place, what);
    }
    if (!layer) return;
    if (!layer.inWindow) fault(place, `${layer.name} stands out of the window`);
    const key = keyOfPath(place, path);
    if (checked.has(key)) return;
    checked.add(key);
    count(place, 'opened');
    for (const what of await axeFaults(page, `[data-walk-layer="${layer.serial}"]`)) fault(place, what);
    await picture(page, `layers/${place.screen}-${counts.get(place.screen)?.opened}`, place.variant);
  };

  /** Closes layers until the one with this serial is the topmost, or none is open. */
  const closeTo = async (place: Place, serial: number | undefined): Promise<boolean> => {
    for (let tries = 0; tries < 4; tries++) {
      const { layer } = await read(place);
      if (layer?.serial === serial) return true;
      if (!layer || (serial !== undefined && layer.serial < serial)) return false;
      await page.keyboard.press('Escape');
      await settled(page);
      const after = await read(place);
      if (after.layer?.serial === layer.serial) {
        // Escape may be handled by a field in the layer: use its close button then.
        const cross = page
          .locator(`[data-walk-layer="${layer.serial}"]`)
          .locator('.ant-modal-close, .ant-drawer-close, .ant-modal-confirm-btns button');
        if (await cross.first().isVisible())
          await cross
            .first()
            .click({ timeout: 3_000 })
            .catch(() => undefined);
        else await page.mouse.click(2, 2);
        await settled(page);
      }
    }
    return (await read(place)).layer?.serial === serial;
  };

  /** Repeats the clicks of the path; reloads the screen first when `reload` is set. */
  const returnTo = async (place: Place, path: readonly string[], anew: boolean): Promise<Surface | undefined> => {
    if (anew) await reopen(place);
    let surface = await read(place);
    if (!anew && surface.layer) return undefined;
    for (const sign of path) {
      const control = surface.controls.find((one) => one.sign === sign);
      if (!control) return undefined;
      const why = await press(control);
      if (why) {
        fault(place, why);
        return undefined;
      }
      surface = await read(place);
    }
    return surface;
  };

  const walk = async (place: Place, path: readonly string[], first: Surface): Promise<void> => {
    let surface = first;
    let serial = first.layer?.serial;
    const keyOf = ({ sign }: Control) => keyOfPath(place, [...path, sign]);
    let again = 0;
    for (;;) {
      const next = surface.controls.find((control) => !pressed.has(keyOf(control)));
      if (!next) return;
      const key = keyOf(next);
      pressed.add(key);
      doing = [...path, next.sign].join(' > ');
      const before = page.url();
      if (process.env.PRINT_FAULTS) console.log(`${place.screen}: ${doing}`);
      const why = await press(next);
      if (why && retryOnce(key)) fault(place, why);
      else if (why) pressed.delete(key);
      else {
        count(place, 'pressed');
        surface = await read(place);
        await inspect(place, [...path, next.sign], surface);
        const opened = surface.layer && surface.layer.serial !== serial && surface.layer.serial > (serial ?? 0);
        const left = page.url() !== before;
        const asks = surface.layer?.isQuestion || next.danger || destroying(place.variant.language).test(next.sign);
        if (opened && !left && !asks && path.length < MOST_LAYERS) await walk(place, [...path, next.sign], surface);
      }
      const isThere = page.url() === before && (await closeTo(place, serial));
      const here = isThere ? await read(place) : undefined;
      if (here) surface = here;
      else {
        if (again++ > 40) return fault(place, 'does not come to an end');
        const inPlace = page.url() === before ? await returnTo(place, path, false) : undefined;
        const back = inPlace ?? (await returnTo(place, path, true));
        if (!back) return;
        surface = back;
        serial = back.layer?.serial;
      }
    }
  };

  const crawl = async (place: Place): Promise<void> => {
    doing = '';
    await open(place);
    await walk(place, [], await read(place));
    if (!counts.has(place.screen)) counts.set(place.screen, { pressed: 0, opened: 0 });
  };
  return { crawl, counts, doing: () => doing };
};
