import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyDataType, anyFunction, RUNS } from '../../test/arbitrary-model.ts';
import type { DataType } from './data-type.ts';
import { defaultFunctionValue, defaultValue } from './default-value.ts';
import { checkParams, checkValue } from './value.ts';

describe('the default value', () => {
  it('of any type whatever fits it', () => {
    fc.assert(
      fc.property(anyDataType(), (type) => {
        expect(checkValue(type, defaultValue(type))).toEqual([]);
      }),
      { numRuns: RUNS * 5 },
    );
  });

  it('of any function is something that a device may say', () => {
    fc.assert(
      fc.property(anyFunction(), (entry) => {
        const value = defaultFunctionValue(entry);
        const problems =
          entry.functionType === 1
            ? checkValue(entry.functionDefinition.dataType, value)
            : checkParams(entry.functionDefinition.output, value);
        expect(problems).toEqual([]);
      }),
      { numRuns: RUNS * 5 },
    );
  });

  const types: [DataType, unknown][] = [
    [{ type: 'integer' }, 0],
    [{ type: 'integer', min: 3, max: 9 }, 3],
    [{ type: 'integer', min: -9, max: -3 }, -3],
    [{ type: 'double', min: 0.25 }, 0.25],
    [{ type: 'long', min: '9007199254740993' }, '9007199254740993'],
    [{ type: 'long', max: '-2' }, '-2'],
    [{ type: 'boolean' }, false],
    [{ type: 'string', length: 5 }, ''],
    [{ type: 'array', element: { type: 'boolean' }, count: 3 }, []],
  ];
  it.each(types)('of %j is %j: nothing, or what is nearest to it', (type, value) => {
    expect(defaultValue(type)).toEqual(value);
  });
});
