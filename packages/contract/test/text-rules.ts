import * as fields from '../src/fields.ts';
import { at, type Place, type Rule, refuse } from './rule-kit.ts';

const tenancy = (field: string): Place[] => [at('tenancy.addTenancy', field), at('tenancy.updateTenancy', field)];

const nameRefused = ['a b', '!', 'a,b', '名 称', 'é', '（）', 'a'.repeat(51), '中'.repeat(51), 'a\n', ' ', '😀'];

/** Values are as a form sends them: texts, or several of one key. */
export const textRules: Rule[] = [
  {
    rule: 'password',
    schema: fields.password(),
    places: [
      at('personal.firstLoginUpdatePassword', 'newPassword', 'OLD_PASSWORD_WRONG'),
      at('account.retrievePassword', 'password', 'CODE_WRONG'),
    ],
    accepted: [
      'abcdefg1',
      'ABCDEFG1',
      'abcdefgH',
      'abc defg',
      '1234567!',
      '!!!!!!!A',
      `${'a'.repeat(19)}1`,
      'aB1! {}~',
    ],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('PASSWORD', 'abcdef1', `${'a'.repeat(20)}1`, 'abcdefgh', 'ABCDEFGH', '12345678', '!!!!!!!!'),
      ...refuse('PASSWORD', '密码abcdef1', 'abcdefg1\n', 'abcdefg1é', 'a1', 'a'),
    ],
  },
  {
    rule: 'password as typed',
    schema: fields.passwordAsTyped(),
    places: [
      at('account.login', 'password', 'LOGIN_FAILED'),
      at('personal.firstLoginUpdatePassword', 'oldPassword', 'OLD_PASSWORD_WRONG'),
    ],
    accepted: ['x', '旧密码', 'x'.repeat(200)],
    refused: [...refuse('REQUIRED', ''), { value: 'x'.repeat(201), says: 'TOO_LONG', limit: { maximum: 200 } }],
  },
  {
    rule: 'code',
    schema: fields.code(),
    places: [
      at('personal.checkCode', 'code', 'CODE_WRONG'),
      at('personal.bindEmail', 'code', 'CODE_WRONG'),
      at('personal.bindPhone', 'code', 'CODE_WRONG'),
      at('personal.cancelAccount', 'code', 'CODE_WRONG'),
      at('account.retrievePassword', 'code', 'CODE_WRONG'),
    ],
    accepted: ['000000', '012345', '999999'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('CODE', '12345', '1234567', '12345a', '12 345', '１２３４５６', '-12345'),
    ],
  },
  {
    rule: 'account',
    schema: fields.account(),
    places: [at('user.addUser', 'username')],
    accepted: ['abcde', '12345', 'A-b.c_d@e', 'z'.repeat(20), '-._@-'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('ACCOUNT', 'abcd', 'z'.repeat(21), 'abc de', '用户名称啊', 'abc+de', 'abcde\n', ' abcde', 'abcdé'),
    ],
  },
  {
    rule: 'account at log-in',
    schema: fields.accountAtLogin(),
    places: [at('account.login', 'username', 'LOGIN_FAILED')],
    accepted: ['a', '-._@', 'Y'.repeat(50)],
    refused: [...refuse('REQUIRED', ''), ...refuse('ACCOUNT_LOGIN', 'Y'.repeat(51), 'a b', '用户', 'a+b', "a'--")],
  },
  {
    rule: 'e-mail',
    schema: fields.email(),
    places: [
      ...tenancy('email'),
      at('user.addUser', 'email'),
      at('account.getVerificationCode', 'email'),
      at('personal.bindEmail', 'email', 'CODE_WRONG'),
    ],
    accepted: ['a@b.co', 'First.Last+tag@Sub.Example.com', "o'hara_1@ex-ample.org", `${'m'.repeat(88)}@example.com`],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('EMAIL', 'a', 'a@b', '@b.co', 'a@', 'a@b..co', 'a@-b.co', 'a b@c.de', 'a@b.co ', '用户@例子.中国'),
      ...refuse('EMAIL', 'a@b.co\r\nBcc: x@y.zz', 'a@b@c.de', 'a@b_c.de', '<a@b.co>'),
      { value: `${'m'.repeat(89)}@example.com`, says: 'TOO_LONG', limit: { maximum: 100 } },
      { value: 'm'.repeat(101), says: 'TOO_LONG', limit: { maximum: 100 } },
    ],
  },
  {
    rule: 'phone',
    schema: fields.phone(),
    places: [...tenancy('phone'), at('account.getPhoneCode', 'phone'), at('personal.bindPhone', 'phone', 'CODE_WRONG')],
    accepted: ['13800138000', '00000000000'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse(
        'PHONE',
        '1380013800',
        '138001380001',
        '1380013800a',
        '+8613800138',
        '138-0013800',
        '１３８００１３８０００',
      ),
    ],
  },
  {
    rule: 'phone that may be left out',
    schema: fields.blankable(fields.phone()),
    places: [at('user.addUser', 'phone')],
    accepted: ['', '13911112222'],
    refused: refuse('PHONE', '1380013800', '138001380001', 'phone', ' '),
  },
  {
    rule: 'e-mail or phone',
    schema: fields.emailOrPhone(),
    places: [at('personal.checkCode', 'info', 'CODE_WRONG')],
    accepted: ['a@b.co', '13800138000'],
    refused: [...refuse('REQUIRED', ''), ...refuse('EMAIL_OR_PHONE', '1380013800', 'a@b', 'x')],
  },
  {
    rule: 'name',
    schema: fields.name(),
    places: [
      at('application.addApplication', 'applicationName'),
      at('application.updateApplication', 'applicationName'),
      at('product.addDeviceProduct', 'productName'),
      at('product.updateDeviceProduct', 'productName'),
    ],
    accepted: ['x', '名', '应用App_1@-(b)', '㐀', 'n'.repeat(50), '中'.repeat(50), '7'],
    refused: [...refuse('REQUIRED', ''), ...refuse('NAME', ...nameRefused, 'a.b', 'a/b')],
  },
  {
    rule: 'system name',
    schema: fields.systemName(),
    places: [...tenancy('tenancyName'), ...tenancy('companyName')],
    accepted: ['s', '租户 A_1@-(b)', 's'.repeat(50), '租'.repeat(50), ' padded '],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('SYSTEM_NAME', ...nameRefused.filter((value) => !/^\S* \S*$/.test(value)), '   ', 'a\tb', 'a.b'),
    ],
  },
  {
    rule: 'person name',
    schema: fields.personName(),
    places: [...tenancy('contactName'), at('personal.updateSimpleUser', 'name'), at('user.addUser', 'name')],
    accepted: [
      '李雷',
      '欧阳娜娜',
      '一二三四五六',
      '阿·凡提',
      'Li',
      'a1',
      '1a',
      "Mary-Jane O'Neil",
      'M'.repeat(20),
      'J. R. R. Tolkien',
    ],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse(
        'PERSON_NAME',
        '李',
        'A',
        '12',
        '123456',
        '一二三四五六七',
        'M'.repeat(21),
        '李 雷',
        ' Li',
        'Li ',
        'L!',
        '李雷\n',
      ),
    ],
  },
  {
    rule: 'role name',
    schema: fields.roleName(),
    places: [at('role.addRole', 'roleName'), at('role.updateRole', 'roleName')],
    accepted: ['管理', 'r1', '12', 'R'.repeat(20), '角'.repeat(20), '管理员Admin1'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse('ROLE_NAME', 'r', '角', 'R'.repeat(21), '角'.repeat(21), 'a b', 'a_b', 'a-b', 'a@b', 'ab\n', 'éé'),
    ],
  },
  {
    rule: 'address',
    schema: fields.address(),
    places: tenancy('companyAddress'),
    accepted: ['a', '路', '上海市 浦东新区, 1-2号楼 #3/4', '12, Main St. 5', 'a'.repeat(60), '路'.repeat(60), 'a -,b'],
    refused: [
      ...refuse('REQUIRED', ''),
      ...refuse(
        'ADDRESS',
        ' ',
        '#1',
        'a.',
        ' a',
        'a ',
        'a'.repeat(61),
        '路'.repeat(61),
        'a\nb',
        'a!b',
        'a，b',
        'a_b',
        '-',
      ),
    ],
  },
];
