import type { Language } from '@device-center/contract';
import { languageNames } from '../i18n/language.ts';

/** The native name of a language, marked up so that screen readers pronounce it in that language. */
export const LanguageName = ({ language }: { language: Language }) => (
  <span lang={language.replace('_', '-')}>{languageNames[language]}</span>
);
