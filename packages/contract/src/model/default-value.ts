import type { DataType, Param } from './data-type.ts';
import type { ModelFunction } from './function-definition.ts';

const clamped = (min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): number =>
  Math.min(max, Math.max(min, 0));

const clampedLong = (min: string | undefined, max: string | undefined): string => {
  if (min !== undefined && BigInt(min) > 0n) return min;
  return max !== undefined && BigInt(max) < 0n ? max : '0';
};

/** The valid value closest to zero or empty. */
export const defaultValue = (type: DataType): unknown => {
  switch (type.type) {
    case 'integer':
    case 'double':
      return clamped(type.min, type.max);
    case 'long':
      return clampedLong(type.min, type.max);
    case 'boolean':
      return false;
    case 'enum':
      return type.items[0]?.value ?? '';
    case 'string':
      return '';
    case 'json':
      return defaultParams(type.fields);
    case 'array':
      return [];
  }
};

export const defaultParams = (params: Param[]): Record<string, unknown> =>
  Object.fromEntries(params.map(({ identifier, dataType }) => [identifier, defaultValue(dataType)]));

/** Default value of a function: the value of a property, or the output of an event or service. */
export const defaultFunctionValue = (entry: ModelFunction): unknown =>
  entry.functionType === 1
    ? defaultValue(entry.functionDefinition.dataType)
    : defaultParams(entry.functionDefinition.output);
