import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pages } from '../packages/console/src/app/pages.ts';
import * as contract from '../packages/contract/src/index.ts';
import { entities } from '../packages/server/test/entities.ts';
import { inRoot } from './lib/root.mjs';
import { parseRows } from './lib/spec-coverage.mjs';

const rows = parseRows(readFileSync(inRoot('docs/spec-rows.md'), 'utf8')).flatMap((section) => section.rows);

/** The rows whose text has the form of the pattern, as the arguments of a test: id, then the groups. */
const rowsLike = (section, pattern) =>
  rows.flatMap(({ id, texts }) => {
    const [, ...groups] = (id.startsWith(`${section}.`) && pattern.exec(texts[0])) || [];
    return groups.length ? [[id, ...groups]] : [];
  });

const I18N = 'packages/console/src/i18n';
/** All texts of the console in a language, by file and key. */
const consoleTexts = async (language) => {
  const files = readdirSync(inRoot(I18N, language));
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(inRoot(I18N, language, file))))));
};

/** Each Chinese text of the product, with its English texts. */
const pairs = [];
const collect = (zh, en) => {
  if (typeof zh === 'string') pairs.push([zh, en]);
  else for (const [key, value] of Object.entries(zh ?? {})) collect(value, en?.[key]);
};
collect(await consoleTexts('zh_CN'), await consoleTexts('en_US'));
for (const table of Object.values(contract))
  for (const entry of Object.values(table ?? {})) if (entry?.zh_CN) collect(entry.zh_CN, entry.en_US);

describe('calls of the specification', () => {
  const calls = rowsLike(7, /^((?:GET|POST|PUT|DELETE) \S+)(?: \{ (.*) \})?$/);

  it('are found among the rows', () => expect(calls).toHaveLength(119));

  it.each(calls)('%s: the contract has %s', (_id, address, fields = '') => {
    const path = address.replace(/ (?!\/api\/)/, ' /iot-hub/admin');
    const { call } = contract.allCalls.find(({ call }) => `${call.method} ${call.path}` === path) ?? {};
    const names = [...Object.keys(call?.input.shape ?? {}), call?.file?.field];
    expect(names).toEqual(expect.arrayContaining(fields.split(', ').filter(Boolean)));
  });
});

describe('pages of the specification', () => {
  const routes = rowsLike(2, /^(\/[\w/$]+)(?:, menu (\d+))?$/);

  it('are found among the rows', () => expect(routes).toHaveLength(40));

  it.each(routes)('%s: the console has %s', (_id, route, menu) => {
    const page = pages.find(({ path }) => path === route);
    if (menu) expect(page?.menus).toContain(Number(menu));
    else expect(page?.menus).toEqual([]);
  });
});

describe('fields of the specification', () => {
  const fields = rowsLike(3, /^([\w ]+): (\w+), (text|number|list|object)$/);

  it('are found among the rows', () => expect(fields).toHaveLength(151));

  it.each(fields)('%s: the hub answers %s %s', (_id, title, field, kind) => {
    const name = Object.keys(entities).find((one) => one.toLowerCase() === title.toLowerCase()) ?? 'blacklist entry';
    expect(entities[name][field]).toBe(kind);
  });
});

describe('sentences of the specification', () => {
  const sentences = rows.filter(({ texts }) => texts.length > 1).map(({ id, texts }) => [id, ...texts]);

  it('are found among the rows', () => expect(sentences).toHaveLength(51));

  it.each(sentences)('%s: the product says %s', (_id, text, ...chinese) => {
    for (const sentence of chinese) {
      const [zh, en] = sentence.split(' = ').reverse();
      const found = pairs.filter((pair) => pair[0] === zh).map((pair) => pair[1]);
      if (en) expect(found).toContain(en);
      else
        expect(
          found.some((one) => text.toLowerCase().includes(one.toLowerCase())),
          zh,
        ).toBe(true);
    }
  });
});
