import type { Language } from '@device-center/contract';
import { languageNames } from '../i18n/language.ts';

/** What a language calls itself, to be spoken in that language. */
export const LanguageName = ({ language }: { language: Language }) => (
  <span lang={language.replace('_', '-')}>{languageNames[language]}</span>
);
