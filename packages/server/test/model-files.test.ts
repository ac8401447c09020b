import { exportFormats, type ModelFunction, modelCalls, type ProductFunction } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { event, integer, param, property, service, threeFunctions } from './functions.ts';
import { bareFunctions, createModelFixture } from './product-models.ts';

const scene = createModelFixture();
const { models } = scene;

const exported = async (productId: string, format: string, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ productId, format, ...more });
  const response = await fetch(`${scene.hub.url}${modelCalls.exportProductModel.path}?${query}`, {
    headers: { Authorization: scene.user.token },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const imported = (productId: string, content: unknown, more: object = {}, language = 'en-US') =>
  scene.user.send(modelCalls.importProductModel, { productId, content, ...more }, { as: 'json', language });

/** Of every kind of data, nested; all of it fits into TSL too. */
const rich = (): ModelFunction[] => [
  property(
    'level',
    { type: 'integer', min: 0, max: 100, step: 5, unit: '%' },
    { functionName: '亮度', description: '说明' },
  ),
  property('energy', { type: 'double', min: -0.5, max: 1000, step: 0.01, unit: 'kWh' }),
  property('mode', {
    type: 'enum',
    items: [
      { value: '1', description: '制冷' },
      { value: '2', description: 'heat' },
    ],
  }),
  property('power', { type: 'boolean', trueText: '开', falseText: '关' }),
  property('label', { type: 'string', length: 64 }),
  property('place', { type: 'json', fields: [param('x', integer(0, 9)), param('y', { type: 'string', length: 8 })] }),
  property('history', { type: 'array', element: integer(), count: 16 }),
  service(
    'blink',
    [param('times', integer(1, 9))],
    [param('done', { type: 'boolean', trueText: '是', falseText: '否' })],
  ),
  event('burnt', [param('hours', integer(0, 100_000))]),
];

const withRich = async (): Promise<string> => {
  const productId = await models.product();
  expect(await models.save(productId, 1, rich())).toMatchObject({ success: true });
  return productId;
};

describe('model export', () => {
  it.each([
    ['json', 'application/json; charset=utf-8', 'model.json'],
    ['tsl', 'application/json; charset=utf-8', 'tsl.json'],
    ['jsonSchema', 'application/schema+json; charset=utf-8', 'schema.json'],
    ['typescript', 'text/plain; charset=utf-8', 'd.ts'],
    ['cHeader', 'text/plain; charset=utf-8', 'h'],
  ])('as %s is a file to save', async (format, contentType, ending) => {
    expect(exportFormats).toContain(format);
    const productId = await withRich();
    const { status, headers, text } = await exported(productId, format);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${productId}.${ending}"`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox",
    );
    expect(text.endsWith('\n')).toBe(true);
    for (const { signCode } of rich()) expect(text).toContain(signCode);
    if (contentType.includes('json')) expect(() => JSON.parse(text)).not.toThrow();
  });

  it('without a format is the native format, also of an older version', async () => {
    const productId = await withRich();
    await models.save(productId, 2, [property('later')]);
    const now = JSON.parse((await exported(productId, 'json')).text);
    expect(now).toMatchObject({ format: 'device-center-model', formatVersion: 1, functions: [property('later')] });
    const then = JSON.parse((await exported(productId, 'json', { modelVersion: '2' })).text);
    expect(then.functions).toEqual(rich());
    const path = `${scene.hub.url}${modelCalls.exportProductModel.path}?productId=${productId}`;
    const plain = await fetch(path, { headers: { Authorization: scene.user.token } });
    expect(await plain.json()).toEqual(now);
    const empty = await models.product();
    for (const format of exportFormats) expect((await exported(empty, format)).status).toBe(200);
  });

  it('in an unknown format is rejected in the envelope', async () => {
    const productId = await withRich();
    for (const format of ['xml', '', 'constructor']) {
      const { status, headers, text } = await exported(productId, format);
      expect([status, headers.get('content-disposition')]).toEqual([400, null]);
      expect(JSON.parse(text)).toMatchObject({ code: 'BAD_INPUT', details: [{ field: 'format' }] });
    }
  });
});

describe('import of an exported model', () => {
  it.each(['json', 'tsl'])('as %s creates the same model of another product', async (format) => {
    const { text } = await exported(await withRich(), format);
    for (const as of ['form', 'json'] as const) {
      const productId = await models.product();
      const content = as === 'form' ? text : JSON.parse(text);
      const answer = await scene.user.send(modelCalls.importProductModel, { productId, content }, { as });
      expect(answer).toMatchObject({ success: true, data: { modelVersion: 2, deviceCount: 0, notes: [] } });
      expect(bareFunctions(await models.list(productId))).toEqual(rich());
      expect(await models.save(productId, 2, rich())).toMatchObject({ data: { modelVersion: 2 } });
    }
  });

  it('keeps the ids of existing functions, reports changes, and can be merged', async () => {
    const { productId, ids } = await models.withThree();
    await models.devices(productId, 2);
    const file = [service('blink', [param('often')]), property('fresh'), event('brightness')];
    const merged = await imported(productId, file, { mode: 'merge', modelVersion: 2 });
    expect(merged).toMatchObject({ data: { modelVersion: 3, deviceCount: 2 } });
    const list = await models.list(productId);
    expect(list.map(({ signCode, functionType }) => [signCode, functionType])).toEqual([
      ['brightness', 22],
      ['blink', 32],
      ['burnt', 22],
      ['fresh', 1],
    ]);
    const [first, second, third] = list as [ProductFunction, ProductFunction, ProductFunction];
    expect([second.id, third.id]).toEqual([ids[1], ids[2]]);
    // Of another type it is another function.
    expect(ids).not.toContain(first.id);
    const replaced = await imported(productId, { functions: [event('burnt'), property('only')] });
    const changes = (replaced as { data: { changes: { kind: string; signCode: string }[] } }).data.changes;
    expect(changes.map(({ kind, signCode }) => `${kind} ${signCode}`).sort()).toEqual([
      'added only',
      'changed burnt',
      'removed blink',
      'removed brightness',
      'removed fresh',
    ]);
    expect(await models.list(productId)).toMatchObject([{ id: ids[2], signCode: 'burnt' }, { signCode: 'only' }]);
  });

  it('ignores ids in the file, which belong to another product', async () => {
    const { productId, ids } = await models.withThree();
    const file = threeFunctions().map((entry, index) => ({ id: ids[index], ...entry }));
    const other = await models.product();
    expect(await imported(other, file)).toMatchObject({ success: true });
    expect((await models.list(other)).filter(({ id }) => ids.some((own) => own === id))).toEqual([]);
    expect((await models.list(productId)).map(({ id }) => id)).toEqual([...ids]);
  });

  it('reports in the caller’s language what TSL cannot express', async () => {
    const tsl = {
      properties: [
        { identifier: 'at', name: 'At', accessMode: 'rw', dataType: { type: 'date', specs: {} } },
        {
          identifier: 'ratio',
          name: 'Ratio',
          accessMode: 'r',
          dataType: { type: 'float', specs: { min: '0', max: '1' } },
        },
      ],
      services: [],
      events: [],
    };
    for (const [language, chinese] of [
      ['zh-CN', true],
      ['en-US', false],
    ] as const) {
      const productId = await models.product();
      const answer = await imported(productId, tsl, {}, language);
      const { notes } = (answer as { data: { notes: { place: string; text: string }[] } }).data;
      expect(notes.map(({ place }) => place).some((place) => place.includes('properties[0]'))).toBe(true);
      expect(notes.every(({ text }) => /[\u4e00-\u9fff]/.test(text) === chinese)).toBe(true);
      expect((await models.list(productId)).map(({ functionDefinition }) => functionDefinition)).toMatchObject([
        { accessMode: 'rw', dataType: { type: 'long' } },
        { accessMode: 'r', dataType: { type: 'double', min: 0, max: 1 } },
      ]);
    }
  });
});

describe('an invalid model', () => {
  it.each<[what: string, content: unknown, field: string]>([
    ['a number', 7, 'content'],
    ['a text', 'hello', 'content'],
    ['nothing', null, 'content'],
    ['an empty object', {}, 'content'],
    ['functions that are none', { functions: 'x' }, 'content'],
    ['something else', { format: 'device-center-model', products: [] }, 'content'],
    ['a list of numbers', [property('a'), 7], 'content.functions[1]'],
    ['the same identifier twice', [property('a'), event('a')], 'content.functions[1].signCode'],
    ['a word of the system', { functions: [service('kick')] }, 'content.functions[0].signCode'],
  ])('%s is rejected at its path and changes nothing', async (_what, content, field) => {
    const { productId } = await models.withThree();
    const before = [await models.list(productId), await models.versions(productId)];
    for (const language of ['zh-CN', 'en-US']) {
      const answer = await imported(productId, content, {}, language);
      expect(answer).toMatchObject({ statusCode: 400, code: 'BAD_INPUT', details: [{ field }] });
      const message = answer.success ? '' : (answer.details?.[0]?.message ?? '');
      expect(/[\u4e00-\u9fff]/.test(message)).toBe(language === 'zh-CN');
    }
    const form = await scene.user.send(modelCalls.importProductModel, { productId, content: '{"functions": [' });
    expect(form).toMatchObject({ statusCode: 400, details: [{ field: 'content' }] });
    expect([await models.list(productId), await models.versions(productId)]).toEqual(before);
  });
});
