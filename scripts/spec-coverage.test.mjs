import { describe, expect, it } from 'vitest';
import { pageOf, parseRows, parseTags, problemsOf } from './lib/spec-coverage.mjs';

const TAG = '// Spec';
const rows = `# Rows

Ignored.

## 4. States

States of entities.

- 4.1 A tenant is enabled or not
- 4.2 'It is gone' | 不存在
- 4.3 POST /user/login { username }

## 7. Calls

- 7.1 /detail/user, menu 202`;
const sections = parseRows(rows);
const product = {
  calls: [
    { name: 'account.login', address: 'POST /iot-hub/admin/user/login' },
    { name: 'account.logout', address: 'GET /iot-hub/admin/user/logout' },
  ],
  pages: ['/detail/user', '/detail/role'],
};
const tagged = (names) => parseTags('packages/server/test/login.test.ts', `${TAG} ${names}\nit('logs in', () => {});`);

describe('parseRows', () => {
  it('reads sections with their paragraph, ids and texts', () => {
    expect(sections).toMatchObject([
      { number: '4', title: 'States', intro: 'States of entities.', rows: [{}, { id: '4.2' }, {}] },
      { number: '7', title: 'Calls', intro: '', rows: [{ id: '7.1' }] },
    ]);
    expect(sections[0].rows[1].texts).toEqual(["'It is gone'", '不存在']);
  });
});

describe('parseTags', () => {
  it.each([
    ["it('logs in', async () => {});", 'logs in'],
    ['test("it\'s one", async ({ page }) => {});', "it's one"],
    ["it('two\\'s', { timeout: 1 }, () => {});", "two's"],
    ["it.each([\n  ['a', () => it],\n  ['b', f('c')],\n])('three %s', (row) => {});", 'three %s'],
    [['test(`four of $', '{many}`, () => {});'].join(''), 'four of {many}'],
    ["describe('login', () => {", 'login'],
    ["// Another comment.\nit('five', () => {});", 'five'],
    ["expect(read('six', 6)).toBe(1);", undefined],
  ])('finds the title of the test after the tag: %s', (test, title) => {
    const text = `it('before', () => {});\n  ${TAG} 4.1, 4.2-4.3\n  ${test}`;
    expect(parseTags('a.test.ts', text)).toEqual([{ path: 'a.test.ts', names: ['4.1', '4.2-4.3'], title }]);
  });

  it('ignores comments that have no id', () => {
    expect(parseTags('a.test.ts', `${TAG} of the protocol\nit('a', () => {});`)).toEqual([]);
  });
});

describe('problemsOf', () => {
  it.each(['4.1, 4.2, 4.3, 7.1', '4.1-4.3, 7.1', '4, 7.1-7.1, 4.1-4.3'])(
    'accepts a test for every row: %s',
    (names) => {
      expect(problemsOf(sections, tagged(names))).toEqual([]);
    },
  );

  it.each([
    [
      'a row without a test',
      sections,
      tagged('4.1-4.2, 7.1'),
      '4.3 POST /user/login { username }: no test has the tag',
    ],
    ['a section tag for a row', sections, tagged('4.1-4.3, 7'), '7.1 /detail/user, menu 202: no test has the tag'],
    ['a tag for an unknown row', sections, tagged('4.1-4.3, 4.9, 7.1'), 'there is no row 4.9'],
    ['a range with an unknown end', sections, tagged('4.1-4.3, 7.1-7.2, 7.1'), 'there is no row 7.1-7.2'],
    ['a reversed range', sections, tagged('4.1-4.3, 4.3-4.1, 7.1'), 'there is no row 4.3-4.1'],
    ['a malformed tag', sections, tagged('4.1-4.3 7.1, 7.1, 4.1-4.3'), 'there is no row 4.1-4.3 7.1'],
    ['a tag without a test', sections, [...tagged('4.1-4.3, 7.1'), ...parseTags('a.test.ts', `${TAG} 4.1`)], 'no test'],
    ['an id used twice', parseRows(`${rows}\n- 7.1 Again`), tagged('4.1-4.3, 7.1'), '7.1: used for two rows'],
    ['a row of another section', parseRows(`${rows}\n- 8.1 Text`), tagged('4.1-4.3, 7.1, 8.1'), '8.1: in the wrong'],
  ])('reports %s', (_what, wrong, tags, problem) => {
    expect(problemsOf(wrong, tags)).toEqual([expect.stringContaining(problem)]);
  });
});

describe('pageOf', () => {
  const page = pageOf(sections, tagged('4, 4.1-4.3, 7.1'), product);
  const link = '[server/login](../packages/server/test/login.test.ts): logs in';

  it('counts the rows of each section', () => {
    expect(page).toContain('4 rows: states 3 (§4), calls 1 (§7).');
    expect(page).toContain('## 4. States\n\n3 rows. States of entities.\n');
  });

  it('links the tests of a row and of a whole section', () => {
    expect(page).toContain(`| 4.2 | 'It is gone'<br>不存在 | ${link} |`);
    expect(page).toContain(`\n- ${link}\n`);
  });

  it('lists the calls and pages that no row names', () => {
    expect(page).toContain('does not have (1):\n\n- account.logout: GET /iot-hub/admin/user/logout\n');
    expect(page).toContain('does not have (1):\n\n- /detail/role\n');
  });
});
