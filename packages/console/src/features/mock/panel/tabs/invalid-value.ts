import type { DataType } from '@device-center/contract';

/** An invalid value for a type, such as a faulty device might send. */
export const invalidValueFor = (type: DataType): unknown => {
  switch (type.type) {
    case 'integer':
    case 'double':
      // Beyond the safe integers of a double, max + 1 equals max.
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
