import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyDataType,
  anyJson,
  anyModel,
  dataTypeOf,
  mutatedValue,
  RUNS,
  valueThatFits,
} from '../../test/arbitrary-model.ts';
import { languages } from '../language.ts';
import type { DataType } from './data-type.ts';
import type { ModelFunction } from './function-definition.ts';
import { jsonSchemaOf, jsonSchemaOfDataType } from './generate/json-schema.ts';
import { checkFunctionValue, checkParams, checkValue, valueProblemText } from './value.ts';

const LONG = 600_000;
/** Compiling a schema takes longer than a thousand checks by it. */
const SCHEMAS = Math.min(RUNS, 100 + RUNS / 10);

/** A validator that compares numbers in text, and ignores keys of the prototype. */
const validator = (): Ajv2020 => {
  const ajv = new Ajv2020({ ownProperties: true, strict: true, allErrors: false });
  const compares = (keyword: string, fits: (value: bigint, limit: bigint) => boolean) =>
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'string',
      validate: (limit: string, value: string) => /^-?\d+$/.test(value) && fits(BigInt(value), BigInt(limit)),
    });
  compares('x-minimum', (value, limit) => value >= limit);
  compares('x-maximum', (value, limit) => value <= limit);
  return ajv;
};

/** Shared by all schemas and cleared before each: compiling the meta-schema takes longer than any of ours. */
const shared = validator();
const emptied = (): Ajv2020 => shared.removeSchema();

const fits = (type: DataType, value: unknown): boolean => checkValue(type, value).length === 0;

const typeWith = (valuesOf: (type: DataType) => fc.Arbitrary<unknown>) =>
  anyDataType().chain((type) => fc.record({ type: fc.constant(type), value: valuesOf(type) }));

describe('a value', () => {
  it(
    'made to fit does fit',
    () => {
      fc.assert(
        fc.property(typeWith(valueThatFits), ({ type, value }) => {
          expect(checkValue(type, value)).toEqual([]);
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );

  it(
    'is judged alike by the hub and by the JSON Schema that others are given',
    () => {
      let [taken, refused] = [0, 0];
      const values = (type: DataType) =>
        fc.array(fc.oneof(mutatedValue(type), mutatedValue(type), valueThatFits(type), anyJson()), {
          minLength: 10,
          maxLength: 10,
        });
      fc.assert(
        fc.property(typeWith(values), ({ type, value }) => {
          const validate = emptied().compile(jsonSchemaOfDataType(type));
          for (const one of value as unknown[]) {
            const fitting = fits(type, one);
            expect({ one, fits: validate(one) }).toEqual({ one, fits: fitting });
            if (fitting) taken++;
            else refused++;
          }
        }),
        { numRuns: SCHEMAS },
      );
      // Both results must occur.
      expect(Math.min(taken, refused)).toBeGreaterThan(SCHEMAS);
    },
    LONG,
  );

  it(
    'that is refused is told where and why, in both languages',
    () => {
      fc.assert(
        fc.property(typeWith(mutatedValue), ({ type, value }) => {
          for (const problem of checkValue(type, value)) {
            for (const language of languages)
              expect(valueProblemText(problem, language)).toMatch(/^[^{}]*[^{}\s][^{}]*$/);
            const parents = problem.path.slice(0, -1);
            const at = parents.reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
            if (problem.path.length > 0) expect(typeof at).toBe('object');
          }
        }),
        { numRuns: RUNS },
      );
    },
    LONG,
  );
});

const refusals: [DataType, unknown, string][] = [
  [{ type: 'integer' }, 1.5, ' INTEGER'],
  [{ type: 'integer' }, '1', ' INTEGER'],
  [{ type: 'integer' }, 2147483648, ' INTEGER'],
  [{ type: 'integer' }, -2147483649, ' INTEGER'],
  [{ type: 'integer', min: 1, max: 3 }, 0, ' TOO_SMALL'],
  [{ type: 'integer', min: 1, max: 3 }, 4, ' TOO_BIG'],
  [{ type: 'long' }, 1, ' LONG'],
  [{ type: 'long' }, '', ' LONG'],
  [{ type: 'long' }, '01', ' LONG'],
  [{ type: 'long' }, '-0', ' LONG'],
  [{ type: 'long' }, '+1', ' LONG'],
  [{ type: 'long' }, '1\n', ' LONG'],
  [{ type: 'long' }, '9223372036854775808', ' LONG'],
  [{ type: 'long' }, '-9223372036854775809', ' LONG'],
  [{ type: 'long', max: '9007199254740993' }, '9007199254740994', ' TOO_BIG'],
  [{ type: 'long', min: '-5' }, '-6', ' TOO_SMALL'],
  [{ type: 'double' }, '1.00', ' DOUBLE'],
  [{ type: 'double' }, null, ' DOUBLE'],
  [{ type: 'double', min: 0.1 }, 0.09, ' TOO_SMALL'],
  [{ type: 'double', max: 0.1 }, 0.11, ' TOO_BIG'],
  [{ type: 'boolean' }, 1, ' BOOLEAN'],
  [{ type: 'string', length: 1 }, '😀😀', ' TOO_LONG'],
  [{ type: 'string', length: 1 }, 5, ' STRING'],
  [{ type: 'enum', items: [{ value: '0', description: 'off' }] }, 0, ' ENUM'],
  [{ type: 'enum', items: [{ value: '0', description: 'off' }] }, '1', ' ENUM'],
  [{ type: 'array', element: { type: 'boolean' }, count: 1 }, [true, true], ' TOO_MANY'],
  [{ type: 'array', element: { type: 'boolean' }, count: 1 }, {}, ' ARRAY'],
  [{ type: 'array', element: { type: 'boolean' }, count: 2 }, [true, 1], '1 BOOLEAN'],
];

const inJson: [unknown, string[]][] = [
  [{ a: 1 }, []],
  [{ a: 1, constructor: true }, []],
  [{}, ['a REQUIRED']],
  [{ a: null }, ['a INTEGER']],
  [{ a: 1, b: 1 }, ['b UNKNOWN']],
  [{ a: 1, constructor: 1 }, ['constructor BOOLEAN']],
  [JSON.parse('{"a":1,"__proto__":1}'), ['__proto__ UNKNOWN']],
  [[], [' OBJECT']],
  [null, [' OBJECT']],
  [{ a: 'x', z: 1 }, ['a INTEGER', 'z UNKNOWN']],
];

describe('the checker', () => {
  const told = (problems: ReturnType<typeof checkValue>) => problems.map(({ path, key }) => `${path.join('.')} ${key}`);

  it.each(refusals)('holds %j: refuses %j with %s', (type, value, expected) => {
    expect(told(checkValue(type, value))).toEqual([expected]);
  });

  it.each(inJson)('looks into %j and tells %j', (value, expected) => {
    const fields = [
      { identifier: 'a', name: 'a', dataType: { type: 'integer' }, required: true },
      { identifier: 'constructor', name: 'c', dataType: { type: 'boolean' }, required: false },
    ] as const;
    expect(told(checkParams([...fields], value))).toEqual(expected);
    expect(told(checkValue({ type: 'json', fields: [...fields] }, value))).toEqual(expected);
  });

  it('counts a character as one, also where it takes two units', () => {
    expect(fits({ type: 'string', length: 1 }, '😀')).toBe(true);
    expect(fits({ type: 'string', length: 2 }, '中文')).toBe(true);
  });
});

describe('the JSON Schema of a whole model', () => {
  const documentOf = (functions: ModelFunction[]) => {
    const ajv = emptied();
    ajv.addSchema(jsonSchemaOf(functions, 'Lamp'), 'model');
    return (place: string, value: unknown): boolean => {
      const validate = ajv.getSchema(`model#/$defs/${encodeURIComponent(place)}`);
      if (!validate) throw new Error(`There is no ${place}`);
      return validate(value) as boolean;
    };
  };

  const nameOf = ({ functionType, signCode }: ModelFunction): string => {
    if (functionType === 1) return `property.${signCode}`;
    return functionType === 22 ? `event.${signCode}` : `service.${signCode}.input`;
  };

  it(
    'judges every function as the hub does',
    () => {
      fc.assert(
        fc.property(anyModel(3), fc.array(fc.oneof(dataTypeOf(2).chain(valueThatFits), anyJson())), (model, values) => {
          const takes = documentOf(model);
          for (const entry of model)
            for (const value of values)
              expect(takes(nameOf(entry), value)).toBe(checkFunctionValue(entry, value).length === 0);
        }),
        { numRuns: SCHEMAS },
      );
    },
    LONG,
  );

  it(
    'has a place for all of a device',
    () => {
      const withValues = anyModel(4).chain((model) => {
        const properties = model.flatMap((entry) => (entry.functionType === 1 ? [entry] : []));
        const values = Object.fromEntries(
          properties.map(({ signCode, functionDefinition }) => [signCode, valueThatFits(functionDefinition.dataType)]),
        );
        return fc.record({ model: fc.constant(model), values: fc.record(values, { noNullPrototype: true }) });
      });
      fc.assert(
        fc.property(withValues, ({ model, values }) => {
          const validate = emptied().compile(jsonSchemaOf(model, 'Lamp'));
          expect(validate({ properties: values, services: {}, events: {} })).toBe(true);
          expect(validate({ properties: { ...values, 'not.there': 1 } })).toBe(false);
          expect(validate({ other: 1 })).toBe(false);
        }),
        { numRuns: Math.ceil(SCHEMAS / 2) },
      );
    },
    LONG,
  );
});
