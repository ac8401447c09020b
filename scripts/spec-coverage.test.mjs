import { describe, expect, it } from 'vitest';
import { pageOf, problemsOf } from './lib/spec-coverage.mjs';
import { titlesIn } from './lib/spec-tests.mjs';
import { call, is, loop, row, rule, says, screen, source } from './spec/rows.mjs';

const files = {
  'packages/server/test/login.test.ts': `
    import { rows } from './login-rows.ts';
    describe('log-in', () => {
      it('lets one in', async () => { await hub.admin.get(accountCalls.login, {}); });
      it.each(rows)('refuses %s', (row) => {});
    });`,
  'packages/server/test/login-rows.ts': `export const rows = ['nobody', 'the wrong password'];`,
  'packages/server/test/validation.test.ts': `
    it('refuses what the rule refuses, at that field, in both languages, and changes nothing', async () => {});`,
  'packages/contract/src/fields.test.ts': `
    it.each(values)('takes %j', (value) => {});
    it.each(values)('refuses %j', (value) => {});`,
  'e2e/screens.spec.ts':
    'test(`every screen as {role}, {language}, light and dark, 1920, 1440 and 390 wide`, async () => {});',
};

const login = { method: 'POST', path: '/iot-hub/admin/user/login', input: { shape: { username: 1, password: 1 } } };

const product = {
  read: (path) => files[path],
  rules: [
    {
      rule: 'phone',
      places: [{ call: 'user.addUser', field: 'phone' }],
      accepted: ['13800138000'],
      refused: [{ value: '1380013800' }],
    },
  ],
  pages: [{ path: '/detail/detailUser/$userId', menus: [202] }],
  screens: ['/detail/detailUser/x'],
  contract: {
    everyCall: [
      { slice: 'account', name: 'login', call: login },
      { slice: 'account', name: 'logout', call: { method: 'GET', path: '/iot-hub/admin/user/logout' } },
    ],
    errors: { GONE: { zh_CN: '不存在', en_US: 'It is gone' } },
    MAX: 10,
  },
  words: { zh_CN: { common: { error: 'Error' } }, en_US: { common: { error: 'Error' } } },
};

const told = (...rows) => problemsOf([{ number: 4, title: 'States', rows }], product);

describe('the titles of a file', () => {
  it('are those of tests and loops, whatever quotes they have, and not those of groups', () => {
    const text = [
      "describe('a group', () => {});",
      "describe.each(rows)('$name', () => {});",
      'it("it\'s one", () => {});',
      "test('two\\'s', async ({ page }) => {});",
      "it.each([['a', () => it], ['b', 2]])('three %s', async () => {});",
      ['it(`four of $', '{many}`, () => {});'].join(''),
      "expect(read('five', {})).toBe(1);",
      "it('six');",
    ].join('\n');
    expect(titlesIn(text)).toEqual(["it's one", "two's", 'three %s', 'four of {many}']);
  });
});

describe('a row', () => {
  it('is fine with a test, a loop that has its item, a rule, a call, a screen, a sentence and a number', () => {
    const rows = [
      row('one', 'server/login › lets one in'),
      row(
        'two',
        loop('server/login › refuses %s', "'nobody'"),
        is(10, ({ contract }) => contract.MAX),
      ),
      row('three', rule('phone', { takes: ['13800138000'], refuses: ['1380013800'] })),
      row(
        'four',
        says('It is gone', 'errors.GONE'),
        says('Error', 'words.common.error', { chinese: 'Error' }),
        'server/login › lets one in',
      ),
      call('POST /user/login', 'username password', 'server/login › lets one in'),
      screen('/detail/detailUser/$userId', 202),
    ];
    expect(told(...rows)).toEqual([]);
    const page = pageOf([{ number: 4, title: 'States', rows }], product);
    expect(page).toContain('6 rows: states 6 (§4)');
    expect(page).toContain('| 4.4 | four<br>不存在<br>Error | ');
    expect(page).toContain('specification does not have (1):\n\n- account.logout: GET /iot-hub/admin/user/logout\n');
    expect(page).toContain('| 4.1 | one | [server/login](../packages/server/test/login.test.ts): lets one in |');
  });

  it.each([
    ['without a test', row('x'), 'no test shows it'],
    ['whose file is gone', row('x', 'server/logout › lets one out'), 'there is no test file server/logout'],
    ['whose test is gone', row('x', 'server/login › lets one out'), "login.test.ts has no test 'lets one out'"],
    ['that names a group', row('x', 'server/login › log-in'), "login.test.ts has no test 'log-in'"],
    [
      'whose item is not in the loop',
      row('x', loop('server/login › refuses %s', "'somebody'")),
      "does not have ''somebody''",
    ],
    ['whose rule is gone', row('x', rule('fax')), "the rule table has no rule 'fax'"],
    ['whose limit is not tried', row('x', rule('phone', { refuses: ['1'] })), 'does not have refused "1"'],
    ['whose call is gone', call('GET /user/login', '', 'server/login › lets one in'), 'the contract has no GET'],
    ['whose field is gone', call('POST /user/login', 'code', 'server/login › lets one in'), 'login does not take code'],
    [
      'whose call the test does not make',
      call(
        'POST /user/login',
        '',
        'server/validation › refuses what the rule refuses, at that field, in both languages, and changes nothing',
      ),
      "does not have 'Calls.login'",
    ],
    ['whose page is gone', screen('/person/nobody', undefined), 'the console has no page /person/nobody'],
    ['whose menu is another', screen('/detail/detailUser/$userId', 201), 'is opened by the menus 202'],
    [
      'whose sentence is another',
      row('x', says('It was gone', 'errors.GONE'), 'server/login › lets one in'),
      "says 'It is gone'",
    ],
    [
      'whose sentence is not in Chinese',
      row('x', says('Error', 'words.common.error'), 'server/login › lets one in'),
      'in Chinese',
    ],
    [
      'whose number is another',
      row(
        'x',
        is(11, ({ contract }) => contract.MAX),
        'server/login › lets one in',
      ),
      'the product has 10, not 11',
    ],
    [
      'whose literal is gone',
      row('x', source('e2e/screens.spec.ts', '992'), 'server/login › lets one in'),
      "does not have '992'",
    ],
  ])('%s is told', (_what, wrong, reason) => {
    expect(told(wrong)).toContainEqual(expect.stringContaining(reason));
    expect(told(wrong).every((line) => line.startsWith('4.1 '))).toBe(true);
  });

  it('that stands there twice is told', () => {
    const one = row('one', 'server/login › lets one in');
    expect(told(one, one)).toEqual(['4 one: stands there twice']);
  });
});
