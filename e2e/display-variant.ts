import type { Page } from '@playwright/test';
import { settled } from './settled.ts';
import type { Language } from './support.ts';
import { type Slices, slices } from './texts.ts';
import { cutTexts } from './truncated-texts.ts';

export type Scheme = 'light' | 'dark';
export type Look = { language: Language; scheme: Scheme; width: number };

export const languages: readonly Language[] = ['zh_CN', 'en_US'];
export const schemes: readonly Scheme[] = ['light', 'dark'];
const heights: Record<number, number> = { 1920: 1080, 1440: 900, 390: 844 };
export const widths = [1920, 1440, 390] as const;
export const PHONE = 390;

/** The twelve: both languages, both themes, three widths. */
export const allLooks: readonly Look[] = languages.flatMap((language) =>
  schemes.flatMap((scheme) => widths.map((width) => ({ language, scheme, width }))),
);

export const LONG = process.env.TEST_LONG === '1' || process.env.SCREENS === 'all';

/** A walk over some of the screens, which it sees in these looks. */
export type Pass = {
  looks: readonly Look[];
  takes: (index: number) => boolean;
  hasAxe: (look: Look, index: number) => boolean;
};

const at = (language: Language, scheme: Scheme, width: (typeof widths)[number]): Look => ({ language, scheme, width });

/**
 * What a quarter of the screens is seen in: once in each language, in opposite themes, on a phone and on a desktop. The
 * eight looks have every pair of language and theme, of language and width, and of theme and width. The window keeps
 * its look for a quarter of the walk: a change of theme and width costs about half of opening a screen.
 */
const quarters: readonly Record<Language, Look>[] = [
  { zh_CN: at('zh_CN', 'light', 1920), en_US: at('en_US', 'dark', PHONE) },
  { zh_CN: at('zh_CN', 'dark', PHONE), en_US: at('en_US', 'light', 1440) },
  { zh_CN: at('zh_CN', 'dark', 1440), en_US: at('en_US', 'light', PHONE) },
  { zh_CN: at('zh_CN', 'light', PHONE), en_US: at('en_US', 'dark', 1920) },
];

/** Contrast and names differ by theme and by layout, not by language: each of the four is seen once, in turn. */
const longAxe = ({ language, scheme, width }: Look, index: number): boolean => {
  if (process.env.SCREENS === 'all') return true;
  if (width === 1920) return false;
  const turn = (index + Number(language === 'en_US') + Number(width === PHONE)) % 2;
  return schemes[turn] === scheme;
};

/** How the screens are seen in a language: all of them in six looks in the long form, else a quarter in each of four. */
export const passesIn = (language: Language): Pass[] => {
  if (LONG)
    return [{ looks: allLooks.filter((look) => look.language === language), takes: () => true, hasAxe: longAxe }];
  return quarters.map((quarter, turn) => ({
    looks: [quarter[language]],
    takes: (index) => index % quarters.length === turn,
    // Once for each screen, and in the four quarters on both layouts in both themes.
    hasAxe: () => turn < 2 === (language === 'zh_CN'),
  }));
};

export const nameOf = ({ language, scheme, width }: Look): string => `${language}-${scheme}-${width}`;

const worn = new WeakMap<Page, Scheme>();

/** The browser takes on a theme and a size while the page stays; what moves is over when this returns. */
export const applyVariant = async (page: Page, { scheme, width }: Look): Promise<void> => {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: heights[width] ?? 900 });
  if (worn.get(page) !== scheme) await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  worn.set(page, scheme);
  await settled(page);
};

const CHINESE = /[\u4e00-\u9fff]/;

const flat = (texts: Slices): string[] => Object.values(texts).flatMap((slice) => Object.values(slice));
const words: Record<Language, Set<string>> = {
  zh_CN: new Set(flat(slices.zh_CN)),
  en_US: new Set(flat(slices.en_US)),
};
/** Single words are also names that somebody gave: only those that every page uses betray a language. */
const betrays = (language: Language, text: string): boolean =>
  CHINESE.test(text) || / .* /.test(text) || Object.values(slices[language].common ?? {}).includes(text);
const onlyIn = (one: Language, other: Language): Set<string> =>
  new Set([...words[one]].filter((text) => !words[other].has(text) && betrays(one, text)));
/** Texts that betray the other language; what both languages say alike betrays nothing. */
const foreign: Record<Language, Set<string>> = { zh_CN: onlyIn('en_US', 'zh_CN'), en_US: onlyIn('zh_CN', 'en_US') };

/** An i18next key that was never translated shows itself as `slice:key` or `{{name}}`. */
const KEY = new RegExp(`\\b(${Object.keys(slices.en_US).join('|')}):[a-z]\\w+|\\{\\{`);
/** Chinese that people wrote: names in the sample, in which language it was made. */
const WRITTEN =
  /青岚|北辰|云栖|楼宇|运维|韩梅梅|王芳|冷链|走廊|模拟|在仓库|华东|集团|夜间|备用|上海|简体中文|有限公司|监控|平台租户|管理员/;

const untranslated = (texts: readonly string[], language: Language): string[] =>
  texts
    .filter(
      (text) =>
        KEY.test(text) ||
        foreign[language].has(text) ||
        (language === 'en_US' && CHINESE.test(text) && !WRITTEN.test(text)),
    )
    .map((text) => `untranslated: ${text.slice(0, 120)}`);

type Where = { language: Language; within?: string };

/** What anybody would see to be wrong, in the page or in a layer of it: sideways scrolling, cut or untranslated text. */
export const faultsIn = async (page: Page, { language, within = 'body' }: Where): Promise<string[]> => {
  const { texts, cut, wide } = await page.evaluate(cutTexts, within);
  return [...wide, ...untranslated(texts, language), ...cut];
};

export const picture = async (page: Page, name: string, look: Look): Promise<void> => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `e2e/screenshots/${name}-${nameOf(look)}.png` });
};

/** What was found; told at once as well where somebody waits for it (TOLD=1). */
export const createFaults = (): string[] => {
  const faults: string[] = [];
  if (!process.env.TOLD) return faults;
  return new Proxy(faults, {
    set: (list, key, value) => {
      if (typeof value === 'string') console.log(`FAULT ${value}`);
      return Reflect.set(list, key, value);
    },
  });
};
