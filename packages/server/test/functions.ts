import type { DataType, ModelFunction, Param } from '@device-center/contract';

type Words = { functionName?: string; description?: string };

export const integer = (min?: number, max?: number): DataType => ({
  type: 'integer',
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

export const param = (identifier: string, dataType: DataType = integer(0, 100), required = true): Param => ({
  identifier,
  name: `The ${identifier}`,
  dataType,
  required,
});

export const property = (
  signCode: string,
  dataType: DataType = integer(0, 100),
  words: Words = {},
): ModelFunction & { functionType: 1 } => ({
  signCode,
  functionName: `The ${signCode}`,
  functionType: 1,
  description: '',
  functionDefinition: { accessMode: 'rw', dataType },
  ...words,
});

export const service = (
  signCode: string,
  input: Param[] = [param('level')],
  output: Param[] = [],
): ModelFunction & { functionType: 32 } => ({
  signCode,
  functionName: `The ${signCode}`,
  functionType: 32,
  description: '',
  functionDefinition: { callType: 'sync', input, output },
});

export const event = (signCode: string, output: Param[] = [param('hours')]): ModelFunction & { functionType: 22 } => ({
  signCode,
  functionName: `The ${signCode}`,
  functionType: 22,
  description: '',
  functionDefinition: { eventType: 'info', output },
});

/** A property, a service and an event. */
export const threeFunctions = (): ModelFunction[] => [
  property('brightness'),
  service('blink', [param('times')], [param('done', { type: 'boolean' })]),
  event('burnt', [param('hours', { type: 'long', min: '0' }, false)]),
];

export const properties = (count: number, prefix = 'p'): ModelFunction[] =>
  Array.from({ length: count }, (_, index) => property(`${prefix}${index}`));
