const ROW = /^- ((\d+)\.\d+) (.*)$/;

/** The sections of docs/spec-rows.md: a heading, an optional paragraph, and a line for each row. */
export const parseRows = (text) => {
  const sections = [];
  for (const line of text.split('\n')) {
    const [, number, title] = /^## (\d+)\. (.*)$/.exec(line) ?? [];
    const [, id, , content] = ROW.exec(line) ?? [];
    const section = sections.at(-1);
    if (number) sections.push({ number, title, intro: '', rows: [] });
    else if (id) section.rows.push({ id, texts: content.split(' | ') });
    else if (section && line) section.intro += line;
  }
  return sections;
};

// `it('…', async`, `test('…', {` and the `)('…', (` of a loop. A mere call with a string is no test.
const TITLE = /(?:\b(?:it|test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,\s*(?=async\b|\(|\{)/g;

/** The tags of a test file, `// Spec 2.33, 8.1-8.4`, each with the title of the test that follows it. */
export const parseTags = (path, text) =>
  [...text.matchAll(/^[ \t]*\/\/ Spec (\d.*)$/gm)].map((tag) => {
    const pattern = new RegExp(TITLE);
    pattern.lastIndex = tag.index;
    const [, , title] = pattern.exec(text) ?? [];
    const readable = title?.replace(/\\(['"`\\])/g, '$1').replaceAll('${', '{');
    return { path, names: tag[1].split(/,\s*/), title: readable };
  });

/** The ids that a name in a tag stands for: a row, a range of rows or a whole section. Empty where there is none. */
const idsOf = (name, sections) => {
  const all = sections.flatMap(({ number, rows }) => [number, ...rows.map(({ id }) => id)]);
  const [first, last = first] = name.split('-');
  const [from, to] = [all.indexOf(first), all.indexOf(last)];
  return from < 0 || to < from ? [] : all.slice(from, to + 1);
};

/** The tests of each row id and section number. */
export const testsById = (sections, tags) => {
  const tests = new Map();
  for (const { path, names, title } of tags)
    for (const id of names.flatMap((name) => idsOf(name, sections)))
      tests.set(id, [...(tests.get(id) ?? []), { path, title }]);
  return tests;
};

/** Rows without a test or with a used id, and tags without a row or a test, each as a line. */
export const problemsOf = (sections, tags) => {
  const tests = testsById(sections, tags);
  const rows = sections.flatMap((section) => section.rows.map((row) => ({ ...row, section: section.number })));
  const ids = rows.map(({ id }) => id);
  return [
    ...rows.filter(({ id }) => !tests.has(id)).map(({ id, texts }) => `${id} ${texts[0]}: no test has the tag`),
    ...rows.filter(({ id }, index) => ids.indexOf(id) < index).map(({ id }) => `${id}: used for two rows`),
    ...rows.filter(({ id, section }) => id.split('.')[0] !== section).map(({ id }) => `${id}: in the wrong section`),
    ...tags
      .filter(({ title }) => !title)
      .map(({ path, names }) => `${path}: no test after the tag ${names.join(', ')}`),
    ...tags.flatMap(({ path, names }) =>
      names.filter((name) => !idsOf(name, sections).length).map((name) => `${path}: there is no row ${name}`),
    ),
  ];
};

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;');

const nameOf = (path) =>
  path
    .replace(/^packages\//, '')
    .replace(/\/(src|test)\//, '/')
    .replace(/\.(process\.)?(test|spec)\.\w+$/, '');

const link = ({ path, title }) => `[${nameOf(path)}](../${path}): ${cell(title ?? '')}`;

const sectionLines = ({ number, title, intro, rows }, tests) => [
  `## ${number}. ${title}`,
  '',
  `${rows.length} rows.${intro && ` ${intro}`}`,
  '',
  ...(tests.has(number) ? [...tests.get(number).map((test) => `- ${link(test)}`), ''] : []),
  '| Row | Specification | Tests |',
  '| --- | --- | --- |',
  ...rows.map(
    ({ id, texts }) => `| ${id} | ${texts.map(cell).join('<br>')} | ${(tests.get(id) ?? []).map(link).join('<br>')} |`,
  ),
  '',
];

/** What the product has beyond the rows: calls of the contract and pages of the console, as lists. */
const beyondLines = (sections, { calls, pages }) => {
  const named = new Set(sections.flatMap(({ rows }) => rows.map(({ texts }) => texts[0].split(/ \{|,/)[0])));
  const isNamed = (address) => named.has(address) || named.has(address.replace('/iot-hub/admin', ''));
  const list = (title, items) => [`${title} (${items.length}):`, '', ...items.map((item) => `- ${item}`), ''];
  const otherCalls = calls.filter(({ address }) => !isNamed(address)).map(({ name, address }) => `${name}: ${address}`);
  return [
    '## Beyond the specification',
    '',
    ...list('Calls of the contract that the specification does not have', otherCalls),
    ...list(
      'Pages of the console that it does not have',
      pages.filter((path) => !isNamed(path)),
    ),
  ];
};

/** The whole page. */
export const pageOf = (sections, tags, product) => {
  const tests = testsById(sections, tags);
  const count = sections.reduce((sum, { rows }) => sum + rows.length, 0);
  const counts = sections.map(({ number, title, rows }) => `${title.toLowerCase()} ${rows.length} (§${number})`);
  return [
    '# Specification coverage',
    '',
    'The tests that prove each row of the specification. Made by `node scripts/spec-coverage.mjs --write` from [the rows](spec-rows.md) and from the comments `// Spec <ids>` above the tests; do not edit. `npm run check` fails when a row has no test, when such a comment names no row, and when this page is out of date.',
    '',
    `${count} rows: ${counts.join(', ')}.`,
    '',
    ...sections.flatMap((section) => sectionLines(section, tests)),
    ...beyondLines(sections, product),
  ].join('\n');
};
