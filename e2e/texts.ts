import { readdirSync } from 'node:fs';
import { texts as en } from '../packages/console/src/i18n/en_US/index.ts';
import { texts as zh } from '../packages/console/src/i18n/zh_CN/index.ts';
import type { Language } from './support.ts';

/** The console's texts, so that a test works in both languages. */
export const wordsOf = (language: Language): typeof zh => (language === 'zh_CN' ? zh : (en as unknown as typeof zh));

/** Texts by slice and key. */
export type Slices = Record<string, Record<string, string>>;

const PARTS_OF_ALL = ['index.ts', 'first.ts', 'layout.ts'];

/** All text files by slice, including those that are loaded with their pages. */
const read = async (language: Language): Promise<Slices> => {
  const folder = new URL(`../packages/console/src/i18n/${language}/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => !PARTS_OF_ALL.includes(name));
  return Object.assign({}, ...(await Promise.all(files.map((name) => import(new URL(name, folder).href)))));
};

export const slices: Record<Language, Slices> = { zh_CN: await read('zh_CN'), en_US: await read('en_US') };
