import { type FieldTextKey, fieldTexts, fill, modelCalls, PRODUCT_FUNCTIONS_MAX } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { event, integer, param, properties, property, service, threeFunctions } from './functions.ts';
import { bareFunctions, createModelFixture } from './product-models.ts';

const scene = createModelFixture();
const { models } = scene;

const FORMS = ['form', 'json'] as const;

describe('the functions of a product', () => {
  // Spec 1.6, 3.39, 3.40, 3.47, 3.48, 7.72
  it.each(FORMS)('are added one by one as %s, at the end, each as a version', async (as) => {
    const productId = await models.product();
    const ids: string[] = [];
    for (const [index, entry] of threeFunctions().entries()) {
      const { id, ...told } = await scene.user.ok(modelCalls.addProductFunction, { productId, ...entry }, { as });
      ids.push(id);
      expect(told).toEqual({ modelVersion: index + 2, deviceCount: 0 });
    }
    const list = await models.list(productId);
    expect(list.map((entry) => entry.id)).toEqual(ids);
    expect(list.every((entry) => entry.productId === productId)).toBe(true);
    expect(bareFunctions(list)).toEqual(threeFunctions());
  });

  // Spec 7.65, 7.71
  it('are added in bulk, complete or copied from a category in the caller’s language, all or none', async () => {
    const productId = await models.product();
    const functions = [property('own'), { id: 'std-lighting-scene' }, service('go')];
    const sent = { productId, functions, modelVersion: 1 };
    const { ids, modelVersion } = await scene.user.ok(modelCalls.addProductFunctions, sent, { language: 'zh-CN' });
    expect(modelVersion).toBe(2);
    const list = await models.list(productId);
    expect(list.map(({ id, functionName }) => [id, functionName])).toEqual([
      [ids[0], 'The own'],
      [ids[1], '场景模式'],
      [ids[2], 'The go'],
    ]);
    const broken: [object[], number, string][] = [
      [[property('fresh'), property('own')], 409, 'functions[1].signCode'],
      [[{ id: 'std-lighting-power' }, { id: 'std-lighting-scene' }], 409, 'functions[1].signCode'],
      [[{ id: 'std-lighting-power' }, { id: ids[0] }], 404, 'functions[1].id'],
      [[property('fresh'), event('online')], 400, 'functions[1].signCode'],
      [[property('fresh'), { ...property('b'), functionType: 32 }], 400, 'functions[1].functionDefinition'],
      [[property('fresh'), { id: 'std-lighting-power', signCode: 'x' }], 400, 'functions[1].signCode'],
    ];
    for (const [wrong, statusCode, field] of broken) {
      const answer = await scene.user.send(modelCalls.addProductFunctions, { productId, functions: wrong });
      expect(answer, JSON.stringify(wrong)).toMatchObject({ statusCode, details: [{ field }] });
    }
    expect(await models.list(productId)).toEqual(list);
  });

  // Spec 7.73
  it('are changed in place, keep omitted fields, and never change their type', async () => {
    const { productId, ids } = await models.withThree();
    const { description: _left, ...changed } = property('level', integer(0, 9));
    await scene.user.ok(modelCalls.updateProductFunction, { id: ids[0], ...changed, description: 'kept' });
    const again = { id: ids[0], productId, ...changed, functionName: 'Level', functionType: '' as const };
    expect(await scene.user.ok(modelCalls.updateProductFunction, again)).toEqual({ modelVersion: 4, deviceCount: 0 });
    const list = await models.list(productId);
    expect(list[0]).toMatchObject({ id: ids[0], signCode: 'level', functionName: 'Level', description: 'kept' });
    const typed = await scene.user.send(modelCalls.updateProductFunction, { ...again, functionType: 22 });
    expect(typed).toMatchObject({ statusCode: 409, code: 'FUNCTION_TYPE_FIXED', details: [{ field: 'functionType' }] });
    expect(typed.message).toBe('The type of a function cannot be changed');
    const { functionDefinition } = event('x');
    const shaped = await scene.user.send(modelCalls.updateProductFunction, { ...again, functionDefinition });
    expect(shaped).toMatchObject({ statusCode: 400, details: [{ field: 'functionDefinition' }] });
    const taken = await scene.user.send(modelCalls.updateProductFunction, { ...again, signCode: 'blink' });
    expect(taken).toMatchObject({ statusCode: 409, code: 'SIGN_CODE_TAKEN', details: [{ field: 'signCode' }] });
    const elsewhere = { ...again, productId: await models.product() };
    expect(await scene.user.send(modelCalls.updateProductFunction, elsewhere)).toMatchObject({
      code: 'FUNCTION_NOT_FOUND',
    });
    expect(await models.list(productId)).toEqual(list);
  });

  // Spec 7.74
  it('are deleted one by one', async () => {
    const { productId, ids } = await models.withThree();
    const gone = await scene.user.call(modelCalls.deleteProductFunction, { id: ids[1] });
    expect(gone).toMatchObject({ success: true, message: 'Delete succeeded', data: { modelVersion: 3 } });
    expect((await models.list(productId)).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(await scene.user.error(modelCalls.deleteProductFunction, { id: ids[1] })).toMatchObject({
      statusCode: 404,
      code: 'FUNCTION_NOT_FOUND',
    });
  });

  it(`are at most ${PRODUCT_FUNCTIONS_MAX} by every call`, async () => {
    const productId = await models.product();
    await models.save(productId, 1, properties(PRODUCT_FUNCTIONS_MAX - 1));
    const two = [property('a'), property('b')];
    const refusal = await scene.user.error(modelCalls.addProductFunctions, { productId, functions: two });
    expect(refusal).toMatchObject({ statusCode: 409, code: 'FUNCTIONS_TOO_MANY' });
    expect(refusal.message).toBe('The number of functions exceeds the limit of 500');
    const merged = { productId, content: two as never, mode: 'merge' } as const;
    expect(await scene.user.error(modelCalls.importProductModel, merged)).toMatchObject({
      code: 'FUNCTIONS_TOO_MANY',
    });
    await scene.user.ok(modelCalls.addProductFunction, { productId, ...property('last') });
    const more = await scene.user.error(modelCalls.addProductFunction, { productId, ...property('more') });
    expect(more).toMatchObject({ code: 'FUNCTIONS_TOO_MANY' });
    expect(await models.list(productId)).toHaveLength(PRODUCT_FUNCTIONS_MAX);
  });

  it('may use system identifiers for properties only', async () => {
    const productId = await models.product();
    const reserved = { statusCode: 400, details: [{ field: 'signCode', message: 'This identifier is reserved' }] };
    for (const word of ['restart', 'logLevel', 'logSwitch', 'kick', 'ota', 'otaCancel'])
      expect(await scene.user.send(modelCalls.addProductFunction, { productId, ...service(word) })).toMatchObject(
        reserved,
      );
    for (const word of ['otaProgress', 'online', 'offline'])
      expect(await scene.user.send(modelCalls.addProductFunction, { productId, ...event(word) })).toMatchObject(
        reserved,
      );
    const free = [property('restart'), property('online'), service('otaProgress'), event('kick')];
    expect(await models.save(productId, 1, free)).toMatchObject({ success: true });
    const [, , third] = await models.list(productId);
    const { functionType: _fixed, ...renamed } = service('ota');
    expect(await scene.user.send(modelCalls.updateProductFunction, { id: third?.id, ...renamed })).toMatchObject(
      reserved,
    );
  });
});

const deep = (levels: number): object =>
  levels === 1 ? { type: 'boolean' } : { type: 'array', element: deep(levels - 1), count: 1 };
const of = (dataType: object) => ({ ...property('x'), functionDefinition: { accessMode: 'rw', dataType } });
const taking = (...input: object[]) => ({
  ...service('x'),
  functionDefinition: { callType: 'sync', input, output: [] },
});

const WRONG: [what: string, entry: object, place: string, says: FieldTextKey, limit?: Record<string, number>][] = [
  [
    'a maximum below',
    taking(param('a'), param('b'), param('c', integer(5, 1))),
    '.input[2].dataType.max',
    'MIN_ABOVE_MAX',
  ],
  ['half a whole', of({ type: 'integer', min: 1.5 }), '.dataType.min', 'NOT_A_NUMBER'],
  ['33 bits', of({ type: 'integer', max: 2147483648 }), '.dataType.max', 'OUT_OF_RANGE'],
  ['65 bits', of({ type: 'long', max: '9223372036854775808' }), '.dataType.max', 'OUT_OF_RANGE'],
  ['three decimals', of({ type: 'double', min: 1.005 }), '.dataType.min', 'DOUBLE'],
  ['too wide a step', of({ type: 'double', min: 0, max: 1, step: 1.01 }), '.dataType.step', 'STEP_TOO_BIG'],
  ['a long unit', of({ type: 'integer', unit: 'u'.repeat(21) }), '.dataType.unit', 'UNIT'],
  ['no choice', of({ type: 'enum', items: [] }), '.dataType.items', 'ENTRIES_FEW'],
  [
    'a choice twice',
    of({ type: 'enum', items: [1, 1].map(() => ({ value: 'a', description: 'A' })) }),
    '.dataType.items[1].value',
    'DUPLICATE',
  ],
  [
    'a bad choice',
    of({ type: 'enum', items: [{ value: 'a-b', description: 'A' }] }),
    '.dataType.items[0].value',
    'ENUM_VALUE',
  ],
  [
    'a nameless choice',
    of({ type: 'enum', items: [{ value: 'a', description: '' }] }),
    '.dataType.items[0].description',
    'REQUIRED',
  ],
  ['a long word', of({ type: 'boolean', trueText: 'x'.repeat(11) }), '.dataType.trueText', 'BOOLEAN_TEXT'],
  ['no length', of({ type: 'string', length: 0 }), '.dataType.length', 'TOO_SMALL', { minimum: 1 }],
  ['too much length', of({ type: 'string', length: 10_241 }), '.dataType.length', 'TOO_BIG', { maximum: 10_240 }],
  [
    'too many elements',
    of({ type: 'array', element: { type: 'boolean' }, count: 513 }),
    '.dataType.count',
    'TOO_BIG',
    { maximum: 512 },
  ],
  [
    'elements of nothing',
    of({ type: 'array', element: { type: 'float' }, count: 1 }),
    '.dataType.element.type',
    'NOT_AN_OPTION',
  ],
  [
    'a field twice',
    of({ type: 'json', fields: [param('a'), param('a')] }),
    '.dataType.fields[1].identifier',
    'DUPLICATE',
  ],
  [
    'a bad field within',
    of({ type: 'json', fields: [param('a', { type: 'json', fields: [param('b'), param('c', integer(2, 1))] })] }),
    '.dataType.fields[0].dataType.fields[1].dataType.max',
    'MIN_ABOVE_MAX',
  ],
  ['an unknown word', of({ type: 'boolean', colour: 1 }), '.dataType.colour', 'UNKNOWN_FIELD'],
  [
    'an unknown access',
    { ...property('x'), functionDefinition: { accessMode: 'x', dataType: integer() } },
    '.accessMode',
    'NOT_AN_OPTION',
  ],
  ['no call type', { ...service('x'), functionDefinition: { input: [param('a')] } }, '.callType', 'REQUIRED'],
  ['no parameter', taking(), '.input', 'NO_PARAMETER'],
  ['no parameter of an event', event('x', []), '.output', 'EVENT_NO_PARAMETER'],
  ['a parameter of the prototype', taking(param('__proto__')), '.input[0].identifier', 'IDENTIFIER_RESERVED'],
  [
    '51 parameters',
    taking(...Array.from({ length: 51 }, (_, index) => param(`p${index}`))),
    '.input',
    'ENTRIES_MANY',
    { maximum: 50 },
  ],
  ['six levels', of(deep(6)), '', 'TOO_DEEP'],
];

describe.each(WRONG)('a function with %s', (_what, entry, place, says, limit = {}) => {
  it('is rejected at its exact path by every call, in both languages, and changes nothing', async () => {
    const { productId } = await models.withThree();
    const before = await models.list(productId);
    const at = `functionDefinition${place}`;
    const functions = [property('fine'), entry];
    const tries = [
      [modelCalls.addProductFunction, { productId, ...entry }, at],
      [modelCalls.addProductFunctions, { productId, functions }, `functions[1].${at}`],
      [modelCalls.saveProductModel, { productId, modelVersion: 2, functions }, `functions[1].${at}`],
      [modelCalls.previewProductModel, { productId, functions }, `functions[1].${at}`],
      [modelCalls.importProductModel, { productId, content: functions }, `content.functions[1].${at}`],
    ] as const;
    for (const [call, sent, field] of tries)
      for (const as of FORMS)
        for (const [language, key] of [
          ['zh-CN', 'zh_CN'],
          ['en-US', 'en_US'],
        ] as const) {
          const answer = await scene.user.send(call, sent, { as, language });
          const details = [{ field, message: fill(fieldTexts[says][key], limit) }];
          expect(answer, call.path).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details });
        }
    expect(await models.list(productId)).toEqual(before);
    expect(await models.version(productId)).toBe(2);
  });
});
