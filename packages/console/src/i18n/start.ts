import type { Language } from '@device-center/contract';
import i18next, { type FormatterModule } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { currentLanguage, languageTag } from './language.ts';
import type { LazyResources } from './lazy.ts';
import { countText } from './numbers.ts';
import type { layoutTexts as zh } from './zh_CN/layout.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof zh & LazyResources;
  }
}

type Bundle = Record<string, Record<string, string>>;

/** Only the chosen language is fetched, and before login only the texts of the public pages. */
const first: Record<Language, () => Promise<Bundle>> = {
  zh_CN: async () => (await import('./zh_CN/first.ts')).firstTexts,
  en_US: async () => (await import('./en_US/first.ts')).firstTexts,
};
const layout: Record<Language, () => Promise<Bundle>> = {
  zh_CN: async () => (await import('./zh_CN/layout.ts')).layoutTexts,
  en_US: async () => (await import('./en_US/layout.ts')).layoutTexts,
};

/** Formats every number in a text for the language: 11,915. Numbers that are not quantities are passed as strings. */
const numbers: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (value) => (typeof value === 'number' ? countText(value) : value),
};

export const startTexts = async (): Promise<void> => {
  const language = currentLanguage();
  document.documentElement.lang = languageTag();
  await i18next
    .use(numbers)
    .use(initReactI18next)
    .init({
      lng: language,
      resources: { [language]: await first[language]() },
      defaultNS: 'common',
      interpolation: { escapeValue: false, alwaysFormat: true },
      // Makes a missing text visible to users and tests.
      parseMissingKeyHandler: (key) => `{{${key}}}`,
    });
  document.title = i18next.t('common:productTitle');
};

/** Loads the small namespaces before the layout is shown. Large ones are loaded with their pages (lazy.ts). */
export const loadAllTexts = async (): Promise<void> => {
  const language = currentLanguage();
  for (const [slice, texts] of Object.entries(await layout[language]()))
    i18next.addResourceBundle(language, slice, texts, true, true);
};
