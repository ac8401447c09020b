import { fill, type Language, type Text } from '../language.ts';
import { type DataType, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, type Param } from './data-type.ts';
import type { ModelFunction } from './function-definition.ts';

/** Messages for values that are invalid for their data type. */
export const valueTexts = {
  REQUIRED: { zh_CN: '缺少必填值', en_US: 'A required value is missing' },
  UNKNOWN: { zh_CN: '模型中没有此项', en_US: 'The function model has no such entry' },
  INTEGER: { zh_CN: '应为 32 位整数', en_US: 'Must be a 32-bit whole number' },
  LONG: { zh_CN: '应为以文本表示的 64 位整数', en_US: 'Must be a 64-bit whole number written as text' },
  DOUBLE: { zh_CN: '应为数字', en_US: 'Must be a number' },
  BOOLEAN: { zh_CN: '应为 true 或 false', en_US: 'Must be true or false' },
  STRING: { zh_CN: '应为文本', en_US: 'Must be text' },
  ENUM: { zh_CN: '应为以下之一：{values}', en_US: 'Must be one of {values}' },
  OBJECT: { zh_CN: '应为对象', en_US: 'Must be an object' },
  ARRAY: { zh_CN: '应为数组', en_US: 'Must be an array' },
  TOO_SMALL: { zh_CN: '不能小于 {min}', en_US: 'Must not be below {min}' },
  TOO_BIG: { zh_CN: '不能大于 {max}', en_US: 'Must not be above {max}' },
  TOO_LONG: { zh_CN: '最多 {max} 个字符', en_US: 'At most {max} characters' },
  TOO_MANY: { zh_CN: '最多 {max} 项', en_US: 'At most {max} entries' },
  WRITE_ONLY: { zh_CN: '只写属性，不能上报', en_US: 'Write-only property, cannot be reported' },
} as const satisfies Record<string, Text>;

export type ValueTextKey = keyof typeof valueTexts;

export type ValueProblem = {
  path: (string | number)[];
  key: ValueTextKey;
  params?: Record<string, string | number>;
};

export const valueProblemText = ({ key, params }: ValueProblem, language: Language): string =>
  fill(valueTexts[key][language], params);

type Path = ValueProblem['path'];
type Limit = number | string | undefined;

const problem = (path: Path, key: ValueTextKey, params?: ValueProblem['params']): ValueProblem[] => [
  params ? { path, key, params } : { path, key },
];

const within = <N extends number | bigint>(path: Path, value: N, min: Limit, max: Limit, read: (limit: never) => N) => {
  if (min !== undefined && value < read(min as never)) return problem(path, 'TOO_SMALL', { min });
  if (max !== undefined && value > read(max as never)) return problem(path, 'TOO_BIG', { max });
  return [];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const LONG = /^(?:0|-?[1-9]\d{0,18})$/;

const checkLong = (type: DataType & { type: 'long' }, value: unknown, path: Path): ValueProblem[] => {
  if (typeof value !== 'string' || !LONG.test(value)) return problem(path, 'LONG');
  const number = BigInt(value);
  if (number < INT64_MIN || number > INT64_MAX) return problem(path, 'LONG');
  return within(path, number, type.min, type.max, BigInt);
};

/**
 * Checks a value against its data type; returns all problems with their paths. `step` is a hint for entering values and
 * not checked: a sensor may measure any value.
 */
export const checkValue = (type: DataType, value: unknown, path: Path = []): ValueProblem[] => {
  switch (type.type) {
    case 'integer':
      if (typeof value !== 'number' || !Number.isInteger(value) || value < INT32_MIN || value > INT32_MAX)
        return problem(path, 'INTEGER');
      return within(path, value, type.min, type.max, Number);
    case 'long':
      return checkLong(type, value, path);
    case 'double':
      if (typeof value !== 'number' || !Number.isFinite(value)) return problem(path, 'DOUBLE');
      return within(path, value, type.min, type.max, Number);
    case 'boolean':
      return typeof value === 'boolean' ? [] : problem(path, 'BOOLEAN');
    case 'string':
      if (typeof value !== 'string') return problem(path, 'STRING');
      // Counts code points, not UTF-16 units: 😀 is one character.
      return [...value].length > type.length ? problem(path, 'TOO_LONG', { max: type.length }) : [];
    case 'enum':
      return type.items.some((item) => item.value === value)
        ? []
        : problem(path, 'ENUM', { values: type.items.map((item) => item.value).join(', ') });
    case 'json':
      return checkParams(type.fields, value, path);
    case 'array':
      if (!Array.isArray(value)) return problem(path, 'ARRAY');
      if (value.length > type.count) return problem(path, 'TOO_MANY', { max: type.count });
      return value.flatMap((entry, index) => checkValue(type.element, entry, [...path, index]));
  }
};

/** Checks the values of parameters or fields, by identifier. */
export const checkParams = (params: Param[], value: unknown, path: Path = []): ValueProblem[] => {
  if (!isObject(value)) return problem(path, 'OBJECT');
  const known = new Set(params.map(({ identifier }) => identifier));
  const unknown = Object.keys(value).filter((key) => !known.has(key));
  return [
    ...params.flatMap(({ identifier, dataType, required }) => {
      if (Object.hasOwn(value, identifier)) return checkValue(dataType, value[identifier], [...path, identifier]);
      return required ? problem([...path, identifier], 'REQUIRED') : [];
    }),
    ...unknown.flatMap((key) => problem([...path, key], 'UNKNOWN')),
  ];
};

/** Checks the value of a function: of a property its value, of a service its input, of an event its output. */
export const checkFunctionValue = (entry: ModelFunction, value: unknown): ValueProblem[] => {
  if (entry.functionType === 1) return checkValue(entry.functionDefinition.dataType, value);
  if (entry.functionType === 32) return checkParams(entry.functionDefinition.input, value);
  return checkParams(entry.functionDefinition.output, value);
};
