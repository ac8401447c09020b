import { loop, row, rule, says } from './rows.mjs';

const long = (length, sign = 'a') => sign.repeat(length);
const anyText = 'contract/fields › %s is exactly its alphabet and length';

const secrets = [
  row(
    'Password: 8-20 characters',
    rule('password', { takes: ['abcdefg1', `${long(19)}1`], refuses: ['abcdef1', `${long(20)}1`] }),
  ),
  row(
    'Password: at least two of digit, lowercase, uppercase, special',
    rule('password', {
      takes: ['abcdefg1', 'ABCDEFG1', 'abcdefgH', '1234567!', '!!!!!!!A'],
      refuses: ['abcdefgh', 'ABCDEFGH', '12345678', '!!!!!!!!'],
    }),
  ),
  row(
    'Password: must not contain the account',
    says('The password must not contain the account', 'errors.PASSWORD_CONTAINS_ACCOUNT'),
    'server/validation › a password must not contain the account, and one that does changes nothing',
    'server/codes-use › refuses a password with the account in it, and the code stays good',
    'console/features/personal/person-center › wants the new password twice alike and without the account, else nothing is sent',
  ),
  row(
    'Password: the confirmation must match',
    'console/features/personal/person-center › wants the new password twice alike and without the account, else nothing is sent',
  ),
  row(
    'Verification code: 6 digits',
    rule('code', { takes: ['000000', '012345'], refuses: ['12345', '1234567', '12345a'] }),
    'server/codes › has six digits, and no column of any table holds them',
    'console/app/form-rules › code, whose boxes wake the button instead of saying a sentence, and e-mail',
  ),
  row('Account: 5-20', rule('account', { takes: ['abcde', long(20, 'z')], refuses: ['abcd', long(21, 'z')] })),
  row(
    'Account: also 1-50 letters, digits, - . _ @',
    rule('account at log-in', { takes: ['a', '-._@', long(50, 'Y')], refuses: [long(51, 'Y'), 'a b', '用户'] }),
    anyText,
  ),
];

const shared = [
  row(
    "E-mail: an e-mail’s shape, 'please enter a correct email'",
    says('please enter a correct email', 'fieldTexts.EMAIL'),
    rule('e-mail', { takes: ['a@b.co'], refuses: ['a', 'a@b', '@b.co'] }),
  ),
  row(
    'E-mails entered twice must match',
    says('The two e-mails do not match', 'words.personal.emailMismatch'),
    'console/features/personal/address-page › has to be given twice alike where it is an e-mail too',
  ),
  row(
    "Phone: digits only, exactly 11, 'format error, fill in the phone number correctly'",
    says('format error, fill in the phone number correctly', 'fieldTexts.PHONE'),
    rule('phone', { takes: ['13800138000'], refuses: ['1380013800', '138001380001', '1380013800a'] }),
  ),
  row(
    'Phones entered twice must match',
    says('The two phones do not match', 'words.personal.phoneMismatch'),
    'console/features/personal/address-page › has to be given twice alike, else nothing is sent',
  ),
  row(
    'Generic data: digits, 1-20. No field is named that has it; whatever number is typed takes digits alone, within a limit of its own below that',
    'contract/fields › takes digits alone, and no more than 20',
    rule('days of a kick', { takes: ['0', '3650'], refuses: ['x', '1.5'] }),
    rule('pageIndex', { takes: ['1000000'], refuses: ['x', '1.5', '1e1'] }),
  ),
  row(
    'Name: Chinese, letters, digits, @ - _ ( ), 1-50',
    rule('name', {
      takes: ['x', '应用App_1@-(b)', long(50, 'n'), long(50, '中')],
      refuses: ['', 'a b', '!', long(51)],
    }),
    anyText,
    'server/validation › is taken as an application name by the hub if and only if by the rule, and kept as it is',
  ),
  row(
    'System name: the same and space, 1-50',
    rule('system name', { takes: ['s', '租户 A_1@-(b)', long(50, 's')], refuses: ['', '!', long(51)] }),
    anyText,
  ),
  row(
    'Address: Chinese, letters, digits',
    rule('address', { takes: ['a', '路'], refuses: ['a!b', 'a_b', ' '] }),
    anyText,
    'server/validation › is taken as an address by the hub if and only if by the rule, and kept as it is',
  ),
  row(
    'Tenant address: 1-60',
    rule('address', { takes: [long(60), long(60, '路')], refuses: ['', long(61), long(61, '路')] }),
  ),
  row(
    'Description: at most 100 bytes',
    rule('description', { takes: ['', long(100), `${long(33, '中')}a`], refuses: [long(101), long(34, '中')] }),
  ),
  row(
    'Product id: letters and digits',
    rule('product id', { takes: ['a', '7', 'P1a2b3c4'], refuses: ['a b', 'a-b', '产品'] }),
    'server/products › is made with a key of letters and digits and tells all about itself in both languages',
  ),
  row('Person name: required', rule('person name', { refuses: [''] })),
  row(
    'Person name: not purely numeric',
    rule('person name', { takes: ['a1', '1a'], refuses: ['12', '123456'] }),
    'contract/fields › a person name is never digits alone and never longer than 20',
  ),
  row(
    'Person name: 2-6 characters (a Latin one to 20)',
    rule('person name', { takes: ['李雷', '一二三四五六', 'Li'], refuses: ['李', 'A', '一二三四五六七'] }),
  ),
  row(
    'Role name: alphanumeric, 2-20',
    rule('role name', { takes: ['r1', long(20, 'R')], refuses: ['r', long(21, 'R'), 'a_b', 'a b'] }),
    anyText,
  ),
  row(
    'Category name: 4-30, letters, digits, _ - @ ( )',
    rule('category name', { takes: ['abcd', long(30), '_-@()'], refuses: ['abc', long(31), 'a b c', 'abcd!'] }),
  ),
  row(
    'Category name: a Chinese character counts 2',
    rule('category name', { takes: ['空调', long(15, '中')], refuses: ['中', long(16, '中'), `${long(15, '中')}a`] }),
  ),
];

const taken = (...has) => loop('contract/model/data-type › is taken: %j', ...has);
const refused = (...has) => loop('contract/model/data-type › is refused: %j at %s with %s', ...has);
const sameVerdict =
  'server/random-models › the hub says what the schema says, at the same places, in both languages, as JSON and as a form';
const editor =
  'console/model/accepts › is exactly what the contract accepts, whatever is typed; and each refusal has a place in the form';

const models = [
  row(
    "Integer: optional, -2147483648 to 2147483647, 'out of range'",
    says('out of range', 'fieldTexts.OUT_OF_RANGE'),
    taken("{ type: 'integer' }", 'min: -2147483648, max: 2147483647'),
    refused("{ type: 'integer', min: 2147483648 }", "{ type: 'integer', max: -2147483649 }"),
    editor,
  ),
  row(
    'Integer: digits and hyphen',
    taken("{ type: 'integer', min: '0', max: '10', step: '', unit: '' }"),
    refused("{ type: 'integer', min: 'x' }", "{ type: 'integer', min: 1.5 }"),
  ),
  row(
    'Long: the signed 64-bit range',
    taken("min: '-9223372036854775808', max: '9223372036854775807'"),
    refused("max: '9223372036854775808'", "min: '-9223372036854775809'"),
    editor,
  ),
  row(
    'Double: one decimal point and exactly two decimals',
    says('Needs one decimal point and exactly two decimals', 'fieldTexts.DOUBLE'),
    taken("{ type: 'double', min: '-1.50', max: '2.00' }"),
    refused("{ type: 'double', min: '1.5' }", "{ type: 'double', min: '1' }", "{ type: 'double', min: 0.001 }"),
    editor,
  ),
  row(
    'Function name: starts with Chinese, letter or digit, up to 31 characters',
    rule('function name', { takes: ['中', 'a', '7', long(31, '中')], refuses: [long(32), ' a', '_a', '-'] }),
  ),
  row(
    'Identifier: Chinese 1-25',
    rule('identifier of a function', { takes: ['中', long(25, '中')], refuses: [long(26, '中'), `中${long(25)}`] }),
  ),
  row(
    'Identifier: or alphanumeric',
    rule('identifier of a function', { takes: ['a', '1', 'A_b1', long(50)], refuses: ['a b', 'a-b', 'é'] }),
  ),
  row(
    'Enum items: digits and letters only',
    taken("{ type: 'enum', items: items(100) }"),
    refused("{ value: '-1', description: 'x' }"),
    editor,
  ),
  row('Enum items: at least one filled', refused("{ type: 'enum', items: [] }", "{ value: '', description: 'x' }")),
  row(
    'Boolean text: at most 10 characters',
    says('At most 10 characters', 'fieldTexts.BOOLEAN_TEXT'),
    taken("trueText: '一二三四五六七八九十'"),
    refused("trueText: 'x'.repeat(11)"),
  ),
  row(
    'At least one input or output parameter',
    says('At least one input or output parameter is required', 'fieldTexts.NO_PARAMETER'),
    loop('contract/model/data-type › with %j is refused at %s with %s', 'NO_PARAMETER'),
    'console/model/function-form › asks a new service for a parameter',
    sameVerdict,
  ),
];

export const textRules = [...secrets, ...shared, ...models];
