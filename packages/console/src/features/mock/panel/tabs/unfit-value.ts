import type { DataType } from '@device-center/contract';

/** A value that the model refuses, of a kind that a faulty device might really send. */
export const unfitValue = (type: DataType): unknown => {
  switch (type.type) {
    case 'integer':
    case 'double':
      // Beyond the whole numbers that a double tells apart, one more is the same.
      return type.max !== undefined && type.max + 1 > type.max ? type.max + 1 : 'NaN';
    case 'long':
      return '12.5';
    case 'boolean':
      return 'on';
    case 'enum':
      return `${type.items.map(({ value }) => value).join('')}?`;
    case 'string':
      return '?'.repeat(type.length + 1);
    case 'json':
      return [];
    case 'array':
      return {};
  }
};
