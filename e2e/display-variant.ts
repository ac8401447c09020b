import type { Page } from '@playwright/test';
import { settled } from './settled.ts';
import type { Language } from './support.ts';
import { type Slices, slices } from './texts.ts';
import { findTruncatedTexts } from './truncated-texts.ts';

export type Scheme = 'light' | 'dark';
export type DisplayVariant = { language: Language; scheme: Scheme; width: number };

export const languages: readonly Language[] = ['zh_CN', 'en_US'];
export const schemes: readonly Scheme[] = ['light', 'dark'];
const heights: Record<number, number> = { 1920: 1080, 1440: 900, 390: 844 };
export const widths = [1920, 1440, 390] as const;
export const PHONE = 390;

/** All twelve: two languages, two themes, three widths. */
export const allVariants: readonly DisplayVariant[] = languages.flatMap((language) =>
  schemes.flatMap((scheme) => widths.map((width) => ({ language, scheme, width }))),
);

export const LONG = process.env.TEST_LONG === '1' || process.env.SCREENS === 'all';

/** A pass over some of the screens in these variants. */
export type Pass = {
  variants: readonly DisplayVariant[];
  takes: (index: number) => boolean;
  hasAxe: (variant: DisplayVariant, index: number) => boolean;
};

const at = (language: Language, scheme: Scheme, width: (typeof widths)[number]): DisplayVariant => ({
  language,
  scheme,
  width,
});

/**
 * The variants of each quarter of the screens: each language once, in opposite themes, on a phone and on a desktop. The
 * eight variants cover every pair of language and theme, language and width, theme and width. The window keeps its
 * variant for a quarter of the pass: a change of theme and width costs about half as much as opening a screen.
 */
const quarters: readonly Record<Language, DisplayVariant>[] = [
  { zh_CN: at('zh_CN', 'light', 1920), en_US: at('en_US', 'dark', PHONE) },
  { zh_CN: at('zh_CN', 'dark', PHONE), en_US: at('en_US', 'light', 1440) },
  { zh_CN: at('zh_CN', 'dark', 1440), en_US: at('en_US', 'light', PHONE) },
  { zh_CN: at('zh_CN', 'light', PHONE), en_US: at('en_US', 'dark', 1920) },
];

/** Contrast and accessible names depend on theme and layout, not on language: axe checks each of the four once. */
const isAxeVariant = ({ language, scheme, width }: DisplayVariant, index: number): boolean => {
  if (process.env.SCREENS === 'all') return true;
  if (width === 1920) return false;
  const turn = (index + Number(language === 'en_US') + Number(width === PHONE)) % 2;
  return schemes[turn] === scheme;
};

/** The passes of a language: all screens in six variants with LONG, else a quarter of them in each of four. */
export const passesIn = (language: Language): Pass[] => {
  if (LONG)
    return [
      {
        variants: allVariants.filter((variant) => variant.language === language),
        takes: () => true,
        hasAxe: isAxeVariant,
      },
    ];
  return quarters.map((quarter, turn) => ({
    variants: [quarter[language]],
    takes: (index) => index % quarters.length === turn,
    // Once per screen; the four quarters cover both layouts in both themes.
    hasAxe: () => turn < 2 === (language === 'zh_CN'),
  }));
};

export const nameOf = ({ language, scheme, width }: DisplayVariant): string => `${language}-${scheme}-${width}`;

const appliedVariant = new WeakMap<Page, Scheme>();

/** Applies theme and window size to the open page, and waits for the transitions. */
export const applyVariant = async (page: Page, { scheme, width }: DisplayVariant): Promise<void> => {
  if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: heights[width] ?? 900 });
  if (appliedVariant.get(page) !== scheme) await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  appliedVariant.set(page, scheme);
  await settled(page);
};

const CHINESE = /[\u4e00-\u9fff]/;

const flat = (texts: Slices): string[] => Object.values(texts).flatMap((slice) => Object.values(slice));
const words: Record<Language, Set<string>> = {
  zh_CN: new Set(flat(slices.zh_CN)),
  en_US: new Set(flat(slices.en_US)),
};
/** Single words may be names that users entered: only words of the shared texts identify a language. */
const isWordOf = (language: Language, text: string): boolean =>
  CHINESE.test(text) || / .* /.test(text) || Object.values(slices[language].common ?? {}).includes(text);
const onlyIn = (one: Language, other: Language): Set<string> =>
  new Set([...words[one]].filter((text) => !words[other].has(text) && isWordOf(one, text)));
/** Texts that only the other language has. */
const foreign: Record<Language, Set<string>> = { zh_CN: onlyIn('en_US', 'zh_CN'), en_US: onlyIn('zh_CN', 'en_US') };

/** An i18next key that was never translated shows itself as `slice:key` or `{{name}}`. */
const KEY = new RegExp(`\\b(${Object.keys(slices.en_US).join('|')}):[a-z]\\w+|\\{\\{`);
/** Chinese names in the sample data. */
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

/** Visible faults of the page or a layer: horizontal scrolling, truncated or untranslated text. */
export const faultsIn = async (page: Page, { language, within = 'body' }: Where): Promise<string[]> => {
  const { texts, cut, wide } = await page.evaluate(findTruncatedTexts, within);
  return [...wide, ...untranslated(texts, language), ...cut];
};

export const picture = async (page: Page, name: string, variant: DisplayVariant): Promise<void> => {
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `e2e/screenshots/${name}-${nameOf(variant)}.png` });
};

/** Collects faults; PRINT_FAULTS=1 also prints each at once. */
export const createFaults = (): string[] => {
  const faults: string[] = [];
  if (!process.env.PRINT_FAULTS) return faults;
  return new Proxy(faults, {
    set: (list, key, value) => {
      if (typeof value === 'string') console.log(`FAULT ${value}`);
      return Reflect.set(list, key, value);
    },
  });
};
