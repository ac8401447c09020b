import type { DataType, ModelFunction, Param } from '@device-center/contract';

/** Returns the text in the current language. */
export type Translate = (chinese: string, english: string) => string;

export type LibraryCategory = {
  categoryId: string;
  categoryName: string;
  description: string;
  functions: ModelFunction[];
};

type Access = 'rw' | 'r' | 'w';

export const integer = (min: number, max: number, unit?: string, step = 1): DataType => ({
  type: 'integer',
  min,
  max,
  step,
  ...(unit ? { unit } : {}),
});
export const double = (min: number, max: number, unit: string, step = 0.1): DataType => ({
  type: 'double',
  min,
  max,
  step,
  unit,
});
export const boolean = (trueText: string, falseText: string): DataType => ({ type: 'boolean', trueText, falseText });
export const string = (length: number): DataType => ({ type: 'string', length });
export const choice = (...items: [value: string, description: string][]): DataType => ({
  type: 'enum',
  items: items.map(([value, description]) => ({ value, description })),
});
export const object = (...fields: Param[]): DataType => ({ type: 'json', fields });
export const list = (element: DataType, count: number): DataType => ({ type: 'array', element, count });
/** Milliseconds since 1970. */
export const moment = (): DataType => ({ type: 'long', min: '0', unit: 'ms' });

export const param = (identifier: string, name: string, dataType: DataType, required = true): Param => ({
  identifier,
  name,
  dataType,
  required,
});

/** Optional time parameter of an event. */
export const happenedAt = (t: Translate): Param => param('at', t('发生时间', 'At'), moment(), false);

export const property = (
  signCode: string,
  functionName: string,
  accessMode: Access,
  dataType: DataType,
  description = '',
): ModelFunction => ({
  signCode,
  functionName,
  functionType: 1,
  description,
  functionDefinition: { accessMode, dataType },
});

export const service = (
  signCode: string,
  functionName: string,
  input: Param[],
  output: Param[],
  description = '',
): ModelFunction => ({
  signCode,
  functionName,
  functionType: 32,
  description,
  functionDefinition: { callType: 'sync', input, output },
});

export const event = (
  signCode: string,
  functionName: string,
  eventType: 'info' | 'call' | 'alarm',
  output: Param[],
  description = '',
): ModelFunction => ({
  signCode,
  functionName,
  functionType: 22,
  description,
  functionDefinition: { eventType, output },
});
