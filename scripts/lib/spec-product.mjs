import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inRoot } from './root.mjs';

const load = (...parts) => import(pathToFileURL(inRoot(...parts)).href);

const texts = new Map();
const read = (path) => {
  if (!texts.has(path)) texts.set(path, existsSync(inRoot(path)) ? readFileSync(inRoot(path), 'utf8') : undefined);
  return texts.get(path);
};

/** The addresses that the browser test of all screens opens, with `x` for every id. */
const screens = () =>
  readdirSync(inRoot('e2e'))
    .filter((name) => name.endsWith('screens.ts'))
    .flatMap((name) => [...(read(`e2e/${name}`) ?? '').matchAll(/(['`])(\/[^'`]*)\1/g)])
    .map(([, , address]) => address.replace(/\$\{[^}]*\}/g, 'x').split('?')[0]);

const PARTS_OF_ALL = ['index.ts', 'first.ts', 'layout.ts'];

/** All words of the console in a language, by slice, as its files export them. */
const wordsOf = async (language) => {
  const folder = ['packages', 'console', 'src', 'i18n', language];
  const files = readdirSync(inRoot(...folder)).filter((name) => !PARTS_OF_ALL.includes(name));
  return Object.assign({}, ...(await Promise.all(files.map((name) => load(...folder, name)))));
};

/** What the rows are held against: the contract, its rule table, the entities that the hub answers, the console's pages and words, and the files. */
export const loadProduct = async () => {
  const [contract, { rules }, { entities }, { pages }, zh_CN, en_US] = await Promise.all([
    load('packages', 'contract', 'src', 'index.ts'),
    load('packages', 'contract', 'test', 'rule-table.ts'),
    load('packages', 'server', 'test', 'entities.ts'),
    load('packages', 'console', 'src', 'app', 'pages.ts'),
    wordsOf('zh_CN'),
    wordsOf('en_US'),
  ]);
  return { contract, rules, entities, pages, words: { zh_CN, en_US }, screens: screens(), read };
};
