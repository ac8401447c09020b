import { texts as en } from '../packages/console/src/i18n/en_US/index.ts';
import { texts as zh } from '../packages/console/src/i18n/zh_CN/index.ts';
import type { Language } from './support.ts';

/** The console's own words, so that a walk reads the same in both languages. */
export const wordsOf = (language: Language): typeof zh => (language === 'zh_CN' ? zh : (en as unknown as typeof zh));
