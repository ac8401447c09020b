import type { z } from 'zod';
import { fill, type Language, type Text } from './language.ts';

/** Messages for invalid field values. A schema names the key; hub and console show the text. */
export const fieldTexts = {
  REQUIRED: { zh_CN: '输入不能为空，请重新输入', en_US: 'The input cannot be empty, please re-enter' },
  INVALID: { zh_CN: '输入内容有误，请重新输入', en_US: 'Incorrect content input, please re-enter' },
  UNKNOWN_FIELD: { zh_CN: '未知字段', en_US: 'Unknown field' },
  TOO_SHORT: { zh_CN: '至少 {minimum} 个字符', en_US: 'At least {minimum} characters' },
  TOO_LONG: { zh_CN: '最多 {maximum} 个字符', en_US: 'At most {maximum} characters' },
  TOO_LONG_BY: { zh_CN: '过长，共 {length} 个字符：{rule}', en_US: 'Too long, {length} characters: {rule}' },
  TOO_SMALL: { zh_CN: '不能小于 {minimum}', en_US: 'Must not be below {minimum}' },
  TOO_BIG: { zh_CN: '不能大于 {maximum}', en_US: 'Must not be above {maximum}' },
  TOO_FEW: { zh_CN: '请至少选择一项', en_US: 'select at least one item' },
  TOO_MANY: {
    zh_CN: '选择的数量超过上限 {maximum}',
    en_US: 'The number of selected items exceeds the limit ({maximum})',
  },
  NOT_A_NUMBER: { zh_CN: '请输入整数', en_US: 'Please enter a whole number' },
  NOT_AN_OPTION: { zh_CN: '不在可选范围内', en_US: 'Not one of the possible values' },
  TIME: {
    zh_CN: '时间须为带时区的 ISO 格式或毫秒时间戳',
    en_US: 'Enter an ISO 8601 time with a time zone, or epoch milliseconds',
  },
  PASSWORD: {
    zh_CN: '密码为 8-20 个字符，须包含数字、小写字母、大写字母、特殊字符中的至少两种',
    en_US: '8-20 characters, mixing at least two of digits, lowercase, uppercase and special characters',
  },
  CODE: { zh_CN: '验证码为 6 位数字', en_US: 'The verification code has 6 digits' },
  ACCOUNT: {
    zh_CN: '账号为 5-20 个字母、数字或 - . _ @',
    en_US: '5-20 letters, digits, - . _ @',
  },
  ACCOUNT_LOGIN: {
    zh_CN: '账号为 1-50 个字母、数字或 - . _ @',
    en_US: '1-50 letters, digits, - . _ @',
  },
  EMAIL: { zh_CN: '请输入正确的邮箱', en_US: 'please enter a correct email' },
  PHONE: { zh_CN: '格式错误，请正确填写手机号', en_US: 'format error, fill in the phone number correctly' },
  NAME: {
    zh_CN: '1-50 个中文、字母、数字或 @ - _ ( )',
    en_US: '1-50 Chinese characters, letters, digits or @ - _ ( )',
  },
  SYSTEM_NAME: {
    zh_CN: '1-50 个中文、字母、数字、空格或 @ - _ ( )',
    en_US: '1-50 Chinese characters, letters, digits, spaces or @ - _ ( )',
  },
  PERSON_NAME: {
    zh_CN: '姓名为 2-6 个字符（拉丁字母姓名最多 20 个），可含文字、数字，其间可用空格、连字符、撇号和点，不能全为数字',
    en_US:
      '2-6 characters (a Latin name up to 20): letters and digits, with spaces, hyphens, apostrophes or dots between them, not digits alone',
  },
  ROLE_NAME: { zh_CN: '2-20 个字母、数字或中文', en_US: '2-20 letters, digits or Chinese characters' },
  ADDRESS: {
    zh_CN: '1-60 个中文、字母、数字，其间可用空格和 , . - # /',
    en_US: '1-60 Chinese characters, letters or digits, with space , . - # / between them',
  },
  EMAIL_OR_PHONE: { zh_CN: '请输入正确的邮箱或手机号', en_US: 'please enter a correct email or phone' },
  DEVICE_ID: { zh_CN: '1-64 个字母、数字或 _ - . :', en_US: '1-64 letters, digits or _ - . :' },
  MAC: { zh_CN: '最多 64 个字母、数字或 : - .', en_US: 'At most 64 letters, digits or : - .' },
  VERSION_NUMBER: {
    zh_CN: '1-32 个字母或数字，其间可用 . - _ +',
    en_US: '1-32 letters or digits, with . - _ + between them',
  },
  FIRMWARE_TYPE: {
    zh_CN: '固件须为 bin、apk、hex、tar、img 或 zip 文件',
    en_US: 'Firmware must be a bin, apk, hex, tar, img or zip file',
  },
  FIRMWARE_MISSING: { zh_CN: '固件尚未上传', en_US: 'Firmware not yet uploaded' },
  STAGES: {
    zh_CN: '各阶段比例须依次递增，且最后一个为 100',
    en_US: 'Stage percentages must increase and end with 100',
  },
  NO_VERSION: { zh_CN: '请至少选择一个版本', en_US: 'select at least one version' },
  TOO_MANY_VERSIONS: {
    zh_CN: '选择的版本数量超过上限',
    en_US: 'The number of selected versions exceeds the limit',
  },
  NO_TASK: { zh_CN: '请至少选择一个任务', en_US: 'select at least one task' },
  TOO_MANY_TASKS: { zh_CN: '选择的任务数量超过上限', en_US: 'The number of selected tasks exceeds the limit' },
  JSON: { zh_CN: '应为 JSON', en_US: 'Must be JSON' },
  NO_DEVICE: { zh_CN: '请至少选择一台设备', en_US: 'select at least one device' },
  TOO_MANY_DEVICES: {
    zh_CN: '选择的设备数量超过上限',
    en_US: 'The number of selected devices exceeds the limit',
  },
  NO_COLUMN: { zh_CN: '文件中没有这一列', en_US: 'The file does not have this column' },
  FILE_REQUIRED: { zh_CN: '请选择文件', en_US: 'Please choose a file' },
  TOO_MANY_CATEGORIES: {
    zh_CN: '选择的品类数量超过上限',
    en_US: 'The number of selected categories exceeds the limit',
  },
  TOO_MANY_PRODUCTS: {
    zh_CN: '选择的产品数量超过上限',
    en_US: 'The number of selected products exceeds the limit',
  },
  TOO_MANY_FUNCTIONS: {
    zh_CN: '选择的功能数量超过上限',
    en_US: 'The number of selected functions exceeds the limit',
  },
  NO_CATEGORY: { zh_CN: '请至少选择一个品类', en_US: 'select at least one category' },
  NO_PRODUCT: { zh_CN: '请至少选择一个产品', en_US: 'select at least one product' },
  NO_MOCK_PRODUCT: { zh_CN: '产品选择不能为空', en_US: 'Product selection cannot be empty' },
  TOO_MANY_CHILDREN: {
    zh_CN: '最多挂载 {maximum} 个子设备',
    en_US: 'At most {maximum} child devices can be mounted',
  },
  VALUES_TOO_LARGE: { zh_CN: '内容过大', en_US: 'The content is too large' },
  ZONE_LENGTH: { zh_CN: '输入长度为1-50，请重新输入', en_US: 'input length is 1-50, please re-enter' },
  ZONE_ACCOUNT: {
    zh_CN: '账号名输入有误，请重新输入',
    en_US: 'The account name is entered incorrectly, please re-enter',
  },
  ZONE_PASSWORD: {
    zh_CN: '密码为 8-20 个字符，不含中文',
    en_US: '8-20 characters, no Chinese characters',
  },
  SECRET_AGAIN: {
    zh_CN: '地址、端口或加密方式已更改，请重新输入',
    en_US: 'Enter this again: the address, port or encryption has changed',
  },
  PORT: { zh_CN: '端口为 0-65535 的数字', en_US: 'Enter a port number from 0 to 65535' },
  API_KEY: { zh_CN: '密钥以 dck_ 开头', en_US: 'API keys start with dck_' },
  ZONE_NO_NODE: { zh_CN: '至少保留一个节点', en_US: 'At least one node is required' },
  ZONE_TOO_MANY_NODES: { zh_CN: '最多 {maximum} 个节点', en_US: 'At most {maximum} nodes' },
  TIME_ZONE: { zh_CN: '未知时区', en_US: 'Unknown time zone' },
  NO_FUNCTION: { zh_CN: '请至少选择一个功能', en_US: 'select at least one function' },
  DESCRIPTION: { zh_CN: '描述最多 100 字节', en_US: 'The description can have at most 100 bytes' },
  CATEGORY_NAME: {
    zh_CN: '4-30 个字符：字母、数字、_ - @ ( ) 或中文，一个中文算 2 个',
    en_US: '4-30 letters, digits, _ - @ ( ) or Chinese characters, which count as 2 each',
  },
  PRODUCT_ID: { zh_CN: '产品 Key 只能包含字母和数字', en_US: 'A product key can have letters and digits only' },
  FUNCTION_NAME: {
    zh_CN: '以中文、字母或数字开头，最多 31 个字符',
    en_US: 'Starts with a Chinese character, letter or digit; up to 31 characters',
  },
  IDENTIFIER: {
    zh_CN: '1-50 个字母、数字或 _；含中文时 1-25 个字符',
    en_US: '1-50 letters, digits or _; with Chinese characters 1-25',
  },
  NOT_A_MODEL: {
    zh_CN: '不是物模型文件：应为本平台导出的 JSON、功能数组或 TSL',
    en_US: 'Not a function model: use an export of this platform, a list of functions or TSL',
  },
  IDENTIFIER_RESERVED: { zh_CN: '该标识符为系统保留', en_US: 'This identifier is reserved' },
  DUPLICATE: { zh_CN: '与前面的重复', en_US: 'Duplicate of an earlier entry' },
  OUT_OF_RANGE: { zh_CN: '超出范围', en_US: 'out of range' },
  DOUBLE: {
    zh_CN: '须有且仅有一个小数点和两位小数',
    en_US: 'Needs one decimal point and exactly two decimals',
  },
  MIN_ABOVE_MAX: { zh_CN: '最大值不能小于最小值', en_US: 'The maximum must not be below the minimum' },
  STEP_TOO_BIG: { zh_CN: '步长不能大于取值范围', en_US: 'The step must not exceed the range' },
  ENUM_VALUE: { zh_CN: '枚举值为 1-50 个字母或数字', en_US: 'An enum value must be 1-50 letters or digits' },
  UNIT: { zh_CN: '单位最多 20 个字符', en_US: 'A unit can have at most 20 characters' },
  BOOLEAN_TEXT: { zh_CN: '最多 10 个字符', en_US: 'At most 10 characters' },
  ENTRIES_FEW: { zh_CN: '至少需要一项', en_US: 'At least one entry is required' },
  ENTRIES_MANY: { zh_CN: '最多 {maximum} 项', en_US: 'At most {maximum}' },
  NO_PARAMETER: {
    zh_CN: '至少需要一个输入或输出参数',
    en_US: 'At least one input or output parameter is required',
  },
  EVENT_NO_PARAMETER: { zh_CN: '事件至少需要一个参数', en_US: 'An event requires at least one parameter' },
  TOO_DEEP: { zh_CN: '嵌套层数过多', en_US: 'Nested too deeply' },
  DEFINITION_TOO_LARGE: { zh_CN: '功能定义过大', en_US: 'The function definition is too large' },
  DEFINITION_KIND: {
    zh_CN: '功能定义与功能类型不符',
    en_US: 'The definition does not match the function type',
  },
  PREFERENCES_TOO_LARGE: { zh_CN: '偏好设置过大', en_US: 'The preferences are too large' },
} as const satisfies Record<string, Text>;

export type FieldTextKey = keyof typeof fieldTexts;

const isKey = (value: string): value is FieldTextKey => Object.hasOwn(fieldTexts, value);

type Issue = Pick<z.core.$ZodIssue, 'code' | 'message'> & {
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly input?: unknown;
};

const sizeKey = (issue: Issue, text: FieldTextKey, number: FieldTextKey, list: FieldTextKey): FieldTextKey => {
  if (issue.origin === 'string') return text;
  return issue.origin === 'array' ? list : number;
};

/** Whether an input is empty, as a form or query sends it. */
export const isEmptyInput = (input: unknown): boolean => input === undefined || input === null || input === '';

const keyOf = (issue: Issue): FieldTextKey => {
  if (isKey(issue.message)) return issue.message;
  switch (issue.code) {
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'REQUIRED'
        : sizeKey(issue, 'TOO_SHORT', 'TOO_SMALL', 'TOO_FEW');
    case 'too_big':
      return sizeKey(issue, 'TOO_LONG', 'TOO_BIG', 'TOO_MANY');
    case 'invalid_type':
      return issue.input === undefined || issue.input === null ? 'REQUIRED' : 'INVALID';
    case 'invalid_value':
      return isEmptyInput(issue.input) ? 'REQUIRED' : 'NOT_AN_OPTION';
    case 'unrecognized_keys':
      return 'UNKNOWN_FIELD';
    default:
      return 'INVALID';
  }
};

/** Message for one Zod issue in the given language. Parse with `reportInput: true`. */
export const issueText = (issue: Issue, language: Language): string =>
  fill(fieldTexts[keyOf(issue)][language], { minimum: String(issue.minimum), maximum: String(issue.maximum) });
