import { fill, type Text } from '../../language.ts';
import type { ModelNote } from '../model-file.ts';

/** Notes about conversions between TSL and our model. */
const noteTexts = {
  // Reading TSL.
  NAME_CHANGED: {
    zh_CN: '名称“{was}”不符合规则，已改为“{is}”',
    en_US: 'The name "{was}" is not valid and was changed to "{is}"',
  },
  DESCRIPTION_CUT: {
    zh_CN: '描述超过 100 字节或含空字符，已截为“{is}”',
    en_US: 'The description exceeds 100 bytes or contains NUL and was shortened to "{is}"',
  },
  TEXT_CHANGED: { zh_CN: '“{was}”不符合规则，已改为“{is}”', en_US: '"{was}" is not valid and was changed to "{is}"' },
  TEXT_DROPPED: { zh_CN: '“{was}”不符合规则，已去掉', en_US: '"{was}" is not valid and was removed' },
  LIMIT_ROUNDED: {
    zh_CN: '{was} 的小数位过多，已取为 {is}',
    en_US: '{was} has too many decimals and was rounded to {is}',
  },
  LIMIT_CUT: { zh_CN: '{was} 超出可用范围，已取为 {is}', en_US: '{was} is out of range and was changed to {is}' },
  STEP_DROPPED: {
    zh_CN: '步长 {was} 大于取值范围，已去掉',
    en_US: 'The step {was} exceeds the range and was removed',
  },
  SIZE_MISSING: { zh_CN: '没有给出长度，已取为 {is}', en_US: 'No length is given; {is} was used' },
  ENUM_VALUE_CHANGED: {
    zh_CN: '枚举值“{was}”只能含字母和数字，已改为“{is}”；设备须发送新值',
    en_US:
      'The enum value "{was}" can have letters and digits only and was changed to "{is}"; devices must send the new value',
  },
  DATE_AS_LONG: {
    zh_CN: '日期类型 date 已导入为 long：UTC 毫秒时间戳',
    en_US: 'The type date was imported as long: epoch milliseconds in UTC',
  },
  ERROR_AS_ALARM: {
    zh_CN: '事件类型 error（故障）已导入为告警',
    en_US: 'The event type error was imported as alarm',
  },
  PARAMETER_ADDED: {
    zh_CN: '服务或事件至少需要一个参数，已添加可选的输出参数 {is}',
    en_US: 'A service or event requires a parameter; the optional output parameter {is} was added',
  },
  REQUIRED_DROPPED: {
    zh_CN: '“必选功能”标记没有对应项，已去掉',
    en_US: 'The mandatory-function mark has no counterpart and was removed',
  },
  BLOCK_DROPPED: {
    zh_CN: '自定义模块 {was} 没有对应项，其功能已归入同一模型',
    en_US: 'The custom module {was} has no counterpart; its functions were added to the model',
  },

  // Writing TSL.
  LONG_AS_TEXT: {
    zh_CN: 'TSL 没有 64 位整数：其他平台读到的是 20 个字符的文本，没有取值范围和单位',
    en_US: 'TSL has no 64-bit integer: other platforms read a text of 20 characters, without limits and unit',
  },
  CALL_AS_INFO: {
    zh_CN: 'TSL 没有通知类事件：其他平台读到的是 info',
    en_US: 'TSL has no notification events: other platforms read info',
  },
  OPTIONAL_LOST: {
    zh_CN: 'TSL 的参数没有“可选”：其他平台视为必填',
    en_US: 'TSL has no optional parameters: other platforms treat it as required',
  },
  ENUM_VALUE_NOT_INT: {
    zh_CN: '阿里云的枚举值只能是整数，“{was}”会被其拒绝',
    en_US: 'Alibaba Cloud accepts only integers as enum values and rejects "{was}"',
  },
  IDENTIFIER_NOT_ASCII: {
    zh_CN: '阿里云的标识符只能含字母、数字和 _，“{was}”会被其拒绝',
    en_US: 'Alibaba Cloud accepts only letters, digits and _ in identifiers and rejects "{was}"',
  },
  NESTED: {
    zh_CN: '阿里云的结构体和数组中不能再有 {was}，会被其拒绝',
    en_US: 'Alibaba Cloud does not accept {was} within a struct or array and rejects it',
  },
} as const satisfies Record<string, Text>;

export type NoteKey = keyof typeof noteTexts;
export type TakeNote = (place: string, key: NoteKey, params?: Record<string, string | number>) => void;

/** Maximum length of a quoted value in a note. */
const QUOTED_MAX = 60;
const quoted = (value: string | number): string | number => {
  if (typeof value === 'number') return value;
  const characters = [...value];
  return characters.length > QUOTED_MAX ? `${characters.slice(0, QUOTED_MAX).join('')}…` : value;
};

export const createNotes = (): { notes: ModelNote[]; note: TakeNote } => {
  const notes: ModelNote[] = [];
  const note: TakeNote = (place, key, params = {}) => {
    const values = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, quoted(value)]));
    const { zh_CN, en_US } = noteTexts[key];
    notes.push({ place, text: { zh_CN: fill(zh_CN, values), en_US: fill(en_US, values) } });
  };
  return { notes, note };
};
