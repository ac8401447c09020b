import { ARROW, fileOf, problemOfTest } from './spec-tests.mjs';

const asTest = (shown) => (typeof shown === 'string' ? { test: shown } : shown);

/** A row's tests: those that it names, and those that what it names stands for, such as a rule of the rule table. */
const testsOf = (row, product) =>
  row.shown.flatMap((shown) => (shown.tests ? shown.tests(product) : [asTest(shown)])).map(asTest);

const problemsOfRow = (row, product) => {
  const held = row.holds.map((holds) => holds(product));
  const evidence = row.shown.filter(({ problem }) => problem).map(({ problem }) => problem(product));
  const tests = testsOf(row, product);
  const untested = tests.length ? [] : ['no test shows it'];
  return [...held, ...evidence, ...untested, ...tests.map((test) => problemOfTest(test, product.read))].filter(Boolean);
};

const twice = (names) => names.filter((name, index) => names.indexOf(name) !== index);

/** Every row that nothing shows, or whose test, item or literal is not there, each as a line. */
export const problemsOf = (sections, product) =>
  sections.flatMap(({ number, rows, also = [] }) => [
    ...rows.flatMap((row, index) =>
      problemsOfRow(row, product).map((problem) => `${number}.${index + 1} ${row.what}: ${problem}`),
    ),
    ...also.map((test) => problemOfTest(asTest(test), product.read)).filter(Boolean),
    ...twice(rows.map(({ what }) => what)).map((what) => `${number} ${what}: stands there twice`),
  ]);

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

const link = ({ test, has = [], about }, product) => {
  const [name, title] = test.split(ARROW);
  const told = about ? [about] : has;
  const items = told.length ? ` (${told.map((item) => `\`${cell(item)}\``).join(', ')})` : '';
  return `[${name}](../${fileOf(name, product.read) ?? ''}): ${cell(title)}${items}`;
};

/** What a row is about, with its sentences in Chinese. */
const about = ({ what, holds }, product) => {
  const chinese = holds.flatMap((one) => one.chinese?.(product) ?? []);
  return [what, ...new Set(chinese)].map(cell).join('<br>');
};

/** What the product has that no row names, so that the page says which of it is an extension. */
const beyondLines = (sections, { contract, pages }) => {
  const rows = sections.flatMap((section) => section.rows);
  const [addresses, routes] = [new Set(rows.map(({ address }) => address)), new Set(rows.map(({ route }) => route))];
  const calls = contract.everyCall
    .map(({ slice, name, call }) => ({ slice, name, address: `${call.method} ${call.path}` }))
    .filter(({ address }) => !addresses.has(address));
  const others = pages.map(({ path }) => path).filter((path) => !routes.has(path));
  return [
    '## Beyond the specification',
    '',
    `Calls of the contract that the specification does not have (${calls.length}):`,
    '',
    ...calls.map(({ slice, name, address }) => `- ${slice}.${name}: ${address}`),
    '',
    `Pages of the console that it does not have (${others.length}):`,
    '',
    ...others.map((path) => `- ${path}`),
    '',
  ];
};

const sectionLines = ({ number, title, intro = [], rows, also = [] }, product) => [
  `## ${number}. ${title}`,
  '',
  `${rows.length} rows.${intro.length ? ` ${intro.join(' ')}` : ''}`,
  '',
  ...(also.length ? [...also.map((test) => `- ${link(asTest(test), product)}`), ''] : []),
  '| | What the specification has | Shown by |',
  '| --- | --- | --- |',
  ...rows.map(
    (row, index) =>
      `| ${number}.${index + 1} | ${about(row, product)} | ${testsOf(row, product)
        .map((test) => link(test, product))
        .join('<br>')} |`,
  ),
  '',
];

/** The page, whole. */
export const pageOf = (sections, product) =>
  [
    '# What the specification has, and the test that shows it',
    '',
    'Made by `node scripts/spec-coverage.mjs --write` from the rows in `scripts/spec/`; `npm test` fails when a row has no test, when a test that is named is gone, when a path, field, sentence or number of the specification is not that of the product, and when this page is not what the script makes. The numbers are those of the sections of the specification.',
    '',
    `${sections.reduce((sum, { rows }) => sum + rows.length, 0)} rows: ${sections
      .map(({ number, title, rows }) => `${title.toLowerCase()} ${rows.length} (§${number})`)
      .join(', ')}.`,
    '',
    ...sections.flatMap((section) => sectionLines(section, product)),
    ...beyondLines(sections, product),
  ].join('\n');
