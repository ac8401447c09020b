import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { fieldPath } from '../field-path.ts';
import { type FieldTextKey, fieldTexts, issueText } from '../field-texts.ts';
import { fill, languages } from '../language.ts';
import {
  functionDefinition,
  modelFunction,
  modelOfProduct,
  storedFunction,
  storedModelOfProduct,
} from './function-definition.ts';

type Numbers = { minimum?: number; maximum?: number };

/** Returns each issue as `path KEY`, after checking its message in both languages. */
const expectRefusals = (schema: z.ZodType, value: unknown, expected: [string, FieldTextKey, Numbers?][]) => {
  for (const language of languages) {
    const parsed = schema.safeParse(value, { reportInput: true });
    const told = parsed.success
      ? []
      : parsed.error.issues.map((issue) => [fieldPath(issue.path), issueText(issue, language)]);
    expect(told).toEqual(expected.map(([place, key, numbers]) => [place, fill(fieldTexts[key][language], numbers)]));
  }
};

const property = (dataType: unknown) => ({ accessMode: 'rw', dataType });
const param = (dataType: unknown, identifier = 'a') => ({ identifier, name: 'A', dataType, required: true });
const service = (...input: unknown[]) => ({ callType: 'sync', input, output: [] });
const ofLevels = (levels: number): unknown =>
  levels === 1 ? { type: 'boolean' } : { type: 'array', element: ofLevels(levels - 1), count: 1 };
const ofObjects = (levels: number): unknown =>
  levels === 1 ? { type: 'boolean' } : { type: 'json', fields: [param(ofObjects(levels - 1))] };
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: String(index), description: 'x' }));

const accepted: [given: object, read?: object][] = [
  [{ type: 'integer' }],
  [{ type: 'integer', min: -2147483648, max: 2147483647, step: 2147483647, unit: '℃' }],
  [
    { type: 'integer', min: '0', max: '10', step: '', unit: '' },
    { type: 'integer', min: 0, max: 10 },
  ],
  [{ type: 'integer', min: 5, max: 5, step: 9 }],
  [{ type: 'long', min: '-9223372036854775808', max: '9223372036854775807', step: '9223372036854775807' }],
  [
    { type: 'long', min: 7, max: '007' },
    { type: 'long', min: '7', max: '7' },
  ],
  [{ type: 'double', min: -1e12, max: 1e12, step: 0.01 }],
  [{ type: 'double', min: 0.1, max: 0.3, step: 0.2 }],
  [
    { type: 'double', min: '-1.50', max: '2.00' },
    { type: 'double', min: -1.5, max: 2 },
  ],
  [{ type: 'enum', items: items(100) }],
  [{ type: 'boolean', trueText: '一二三四五六七八九十', falseText: '😀'.repeat(10) }],
  [{ type: 'string', length: 1 }],
  [
    { type: 'string', length: '10240' },
    { type: 'string', length: 10240 },
  ],
  [{ type: 'array', element: { type: 'integer' }, count: 512 }],
  [
    { type: 'json', fields: [{ identifier: 'a', name: 'A', dataType: { type: 'boolean' } }] },
    { type: 'json', fields: [param({ type: 'boolean' })] },
  ],
];

const refused: [dataType: unknown, place: string, key: FieldTextKey, numbers?: Numbers][] = [
  [undefined, 'dataType', 'REQUIRED'],
  [{}, 'dataType.type', 'NOT_AN_OPTION'],
  [{ type: 'float' }, 'dataType.type', 'NOT_AN_OPTION'],
  [{ type: 'integer', min: 2147483648 }, 'dataType.min', 'OUT_OF_RANGE'],
  [{ type: 'integer', max: -2147483649 }, 'dataType.max', 'OUT_OF_RANGE'],
  [{ type: 'integer', min: 1.5 }, 'dataType.min', 'NOT_A_NUMBER'],
  [{ type: 'integer', min: 'x' }, 'dataType.min', 'NOT_A_NUMBER'],
  [{ type: 'integer', step: 0 }, 'dataType.step', 'OUT_OF_RANGE'],
  [{ type: 'integer', min: 2, max: 1 }, 'dataType.max', 'MIN_ABOVE_MAX'],
  [{ type: 'integer', min: 0, max: 9, step: 10 }, 'dataType.step', 'STEP_TOO_BIG'],
  [{ type: 'integer', unit: 'x'.repeat(21) }, 'dataType.unit', 'UNIT'],
  [{ type: 'integer', unit: 'a\u2028' }, 'dataType.unit', 'UNIT'],
  [{ type: 'integer', length: 1 }, 'dataType', 'UNKNOWN_FIELD'],
  [{ type: 'long', max: '9223372036854775808' }, 'dataType.max', 'OUT_OF_RANGE'],
  [{ type: 'long', min: '-9223372036854775809' }, 'dataType.min', 'OUT_OF_RANGE'],
  [{ type: 'long', min: 1.5 }, 'dataType.min', 'NOT_A_NUMBER'],
  [{ type: 'long', min: '9223372036854775807', max: '9223372036854775806' }, 'dataType.max', 'MIN_ABOVE_MAX'],
  [{ type: 'long', min: '0', max: '9', step: '10' }, 'dataType.step', 'STEP_TOO_BIG'],
  [{ type: 'long', step: '0' }, 'dataType.step', 'OUT_OF_RANGE'],
  [{ type: 'double', min: 0.001 }, 'dataType.min', 'DOUBLE'],
  [{ type: 'double', min: '1.5' }, 'dataType.min', 'DOUBLE'],
  [{ type: 'double', min: '1' }, 'dataType.min', 'DOUBLE'],
  [{ type: 'double', max: 1.1e12 }, 'dataType.max', 'OUT_OF_RANGE'],
  [{ type: 'double', step: 0 }, 'dataType.step', 'OUT_OF_RANGE'],
  [{ type: 'double', min: 0.1, max: 0.3, step: 0.21 }, 'dataType.step', 'STEP_TOO_BIG'],
  [{ type: 'enum', items: [] }, 'dataType.items', 'ENTRIES_FEW'],
  [{ type: 'enum', items: items(101) }, 'dataType.items', 'ENTRIES_MANY', { maximum: 100 }],
  [{ type: 'enum', items: [...items(2), { value: '1', description: 'x' }] }, 'dataType.items[2].value', 'DUPLICATE'],
  [{ type: 'enum', items: [{ value: '-1', description: 'x' }] }, 'dataType.items[0].value', 'ENUM_VALUE'],
  [{ type: 'enum', items: [{ value: '', description: 'x' }] }, 'dataType.items[0].value', 'REQUIRED'],
  [{ type: 'enum', items: [{ value: '1', description: 'a b' }] }, 'dataType.items[0].description', 'NAME'],
  [{ type: 'boolean', trueText: 'x'.repeat(11) }, 'dataType.trueText', 'BOOLEAN_TEXT'],
  [{ type: 'string' }, 'dataType.length', 'REQUIRED'],
  [{ type: 'string', length: 0 }, 'dataType.length', 'TOO_SMALL', { minimum: 1 }],
  [{ type: 'string', length: 10241 }, 'dataType.length', 'TOO_BIG', { maximum: 10240 }],
  [{ type: 'array', element: { type: 'boolean' }, count: 513 }, 'dataType.count', 'TOO_BIG', { maximum: 512 }],
  [{ type: 'array', element: { type: 'x' }, count: 1 }, 'dataType.element.type', 'NOT_AN_OPTION'],
  [{ type: 'json', fields: [] }, 'dataType.fields', 'ENTRIES_FEW'],
  [
    { type: 'json', fields: [param({ type: 'boolean' }, '__proto__')] },
    'dataType.fields[0].identifier',
    'IDENTIFIER_RESERVED',
  ],
  [ofLevels(6), '', 'TOO_DEEP'],
  [ofObjects(6), '', 'TOO_DEEP'],
  [ofLevels(1000), '', 'TOO_DEEP'],
];

describe('a data type', () => {
  // Spec 3.41-3.46, 5.25-5.28, 5.32, 5.34
  it.each(accepted)('is taken: %j', (given, read = given) => {
    const parsed = functionDefinition(1).parse(property(given));
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(property(read));
    expect(functionDefinition().parse(JSON.stringify(property(given)))).toEqual(parsed);
  });

  it.each([ofLevels(5), ofObjects(5)])('may be five levels deep', (deepest) => {
    expect(functionDefinition().safeParse(property(deepest)).success).toBe(true);
  });

  // Spec 5.25-5.28, 5.32-5.34
  it.each(refused)('is refused: %j at %s with %s', (dataType, place, key, numbers) => {
    expectRefusals(functionDefinition(1), property(dataType), [[place, key, numbers]]);
  });

  it('is told at its exact place, however far down, and all that is wrong at once', () => {
    const good = param({ type: 'boolean' });
    const limit = { type: 'integer', max: 1e10 };
    const inner = { type: 'json', fields: [good, param({ type: 'array', element: limit, count: 0 }, 'b')] };
    const sent = service(good, { ...good, identifier: 'b' }, param(limit, 'c'), param(inner, 'd'));
    const fn = {
      signCode: 'x',
      functionName: 'X',
      functionType: 32,
      description: '',
      functionDefinition: sent,
    };
    expectRefusals(modelFunction, fn, [
      ['functionDefinition.input[2].dataType.max', 'OUT_OF_RANGE'],
      ['functionDefinition.input[3].dataType.fields[1].dataType.element.max', 'OUT_OF_RANGE'],
      ['functionDefinition.input[3].dataType.fields[1].dataType.count', 'TOO_SMALL', { minimum: 1 }],
    ]);
  });
});

describe('a function', () => {
  const fn = (more: object = {}) => ({
    signCode: 'x',
    functionName: 'X',
    functionType: 1,
    description: '',
    functionDefinition: property({ type: 'boolean' }),
    ...more,
  });
  const many = Array.from({ length: 51 }, (_, index) => param({ type: 'boolean' }, `p${index}`));
  const large = Array.from({ length: 50 }, (_, index) =>
    param({ type: 'enum', items: items(50).map((item) => ({ ...item, description: 'x'.repeat(30) })) }, `p${index}`),
  );

  // Spec 5.35
  it.each<[object, string, FieldTextKey, Numbers?]>([
    [{ signCode: 'time' }, 'signCode', 'IDENTIFIER_RESERVED'],
    [{ signCode: 'a.b' }, 'signCode', 'IDENTIFIER'],
    [{ signCode: '中'.repeat(26) }, 'signCode', 'IDENTIFIER'],
    [{ functionName: '_x' }, 'functionName', 'FUNCTION_NAME'],
    [{ functionName: 'x'.repeat(32) }, 'functionName', 'FUNCTION_NAME'],
    [{ functionType: 21 }, 'functionType', 'NOT_AN_OPTION'],
    [{ description: '中'.repeat(34) }, 'description', 'DESCRIPTION'],
    [{ functionDefinition: '' }, 'functionDefinition', 'REQUIRED'],
    [{ functionDefinition: '{' }, 'functionDefinition', 'DEFINITION_KIND'],
    [{ functionDefinition: {} }, 'functionDefinition', 'DEFINITION_KIND'],
    [{ functionDefinition: service(param({ type: 'boolean' })) }, 'functionDefinition', 'DEFINITION_KIND'],
    [{ functionType: 32, functionDefinition: service() }, 'functionDefinition.input', 'NO_PARAMETER'],
    [
      { functionType: 22, functionDefinition: { eventType: 'info', output: [] } },
      'functionDefinition.output',
      'EVENT_NO_PARAMETER',
    ],
    [
      { functionType: 22, functionDefinition: { eventType: 'info' } },
      'functionDefinition.output',
      'EVENT_NO_PARAMETER',
    ],
    [
      { functionType: 32, functionDefinition: service(param({ type: 'boolean' }), param({ type: 'boolean' })) },
      'functionDefinition.input[1].identifier',
      'DUPLICATE',
    ],
    [
      { functionType: 32, functionDefinition: service(...many) },
      'functionDefinition.input',
      'ENTRIES_MANY',
      { maximum: 50 },
    ],
    [{ functionType: 32, functionDefinition: service(...large) }, 'functionDefinition', 'DEFINITION_TOO_LARGE'],
    [
      { functionType: 32, signCode: 'restart', functionDefinition: service(param({ type: 'boolean' })) },
      'signCode',
      'IDENTIFIER_RESERVED',
    ],
    [
      {
        functionType: 22,
        signCode: 'online',
        functionDefinition: { eventType: 'info', output: [param({ type: 'boolean' })] },
      },
      'signCode',
      'IDENTIFIER_RESERVED',
    ],
    [{ unknown: 1 }, '', 'UNKNOWN_FIELD'],
  ])('with %j is refused at %s with %s', (more, place, key, numbers) => {
    expectRefusals(modelFunction, fn(more), [[place, key, numbers]]);
  });

  it('that is an event without parameters is read as an earlier version stored it', () => {
    const earlier = fn({ functionType: 22, functionDefinition: { eventType: 'info', output: [] } });
    expect(storedFunction.parse(earlier)).toEqual(earlier);
    expect(storedModelOfProduct().parse([earlier])).toEqual([earlier]);
    expectRefusals(modelOfProduct(), [earlier], [['[0].functionDefinition.output', 'EVENT_NO_PARAMETER']]);
  });

  it('stands once in a model', () => {
    expectRefusals(modelOfProduct(), [fn(), fn({ signCode: 'y' }), fn()], [['[2].signCode', 'DUPLICATE']]);
    expect(modelOfProduct().parse(JSON.stringify([fn({ signCode: 'restart' })]))).toHaveLength(1);
  });

  it('is not one of too many', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => fn({ signCode: `p${index}` }));
    expect(modelOfProduct().parse(list(500))).toHaveLength(500);
    expectRefusals(modelOfProduct(), list(501), [['', 'ENTRIES_MANY', { maximum: 500 }]]);
  });
});
