import { request } from 'node:http';
import { MODEL_MAX_BYTES, modelCalls } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { LONG } from './connectivity-fixtures.ts';
import { event, integer, param, property, service } from './functions.ts';
import { bareFunctions, createModelFixture } from './product-models.ts';

const scene = createModelFixture();
const { models } = scene;

describe('saveProductModel', () => {
  it.each(['form', 'json'] as const)(
    'as %s adds, changes, removes, renames and reorders, and keeps the ids',
    async (as) => {
      const { productId, ids } = await models.withThree();
      const functions = [
        { id: ids[2], ...event('worn', [param('hours')]) },
        property('fresh'),
        { id: ids[0], ...property('brightness', integer(0, 10)) },
      ];
      const sent = { productId, modelVersion: 2, functions };
      expect(await scene.user.ok(modelCalls.saveProductModel, sent, { as })).toEqual({
        modelVersion: 3,
        deviceCount: 0,
      });
      const list = await models.list(productId);
      expect(list.map(({ id }) => id)).toEqual([ids[2], list[1]?.id, ids[0]]);
      expect(ids).not.toContain(list[1]?.id);
      expect(bareFunctions(list)).toEqual([
        event('worn', [param('hours')]),
        property('fresh'),
        property('brightness', integer(0, 10)),
      ]);
    },
  );

  it('lets two functions swap identifiers, and one reuse that of a removed one', async () => {
    const { productId, ids } = await models.withThree();
    const swapped = [
      { id: ids[0], ...property('first') },
      { id: ids[1], ...service('brightness') },
      { id: ids[2], ...event('blink') },
    ];
    expect(await models.save(productId, 2, swapped)).toMatchObject({ success: true });
    expect((await models.list(productId)).map(({ id, signCode }) => [id, signCode])).toEqual([
      [ids[0], 'first'],
      [ids[1], 'brightness'],
      [ids[2], 'blink'],
    ]);
    expect(await models.save(productId, 3, [{ id: ids[1], ...service('first') }])).toMatchObject({ success: true });
    expect(await models.list(productId)).toMatchObject([{ id: ids[1], signCode: 'first', functionType: 32 }]);
  });

  it('accepts only functions of this product, each once, and of the same type', async () => {
    const { productId, ids } = await models.withThree();
    const foreign = await models.withThree();
    const before = await models.list(productId);
    const tries: [object[], number, string, string][] = [
      [[property('a'), { id: foreign.ids[0], ...property('b') }], 404, 'FUNCTION_NOT_FOUND', 'functions[1].id'],
      [[{ id: 'std-lighting-power', ...property('b') }], 404, 'FUNCTION_NOT_FOUND', 'functions[0].id'],
      [[{ id: ids[0], ...event('brightness') }], 409, 'FUNCTION_TYPE_FIXED', 'functions[0].functionType'],
      [[property('a'), property('a')], 400, 'BAD_INPUT', 'functions[1].signCode'],
      [[1, 2].map((index) => ({ id: ids[0], ...property(`p${index}`) })), 400, 'BAD_INPUT', 'functions[1].id'],
      [[{ ...property('a'), productId }], 400, 'BAD_INPUT', 'functions[0].productId'],
      [[{ ...property('a'), functionName: undefined }], 400, 'BAD_INPUT', 'functions[0].functionName'],
    ];
    for (const [functions, statusCode, code, field] of tries) {
      const answer = await models.save(productId, 2, functions);
      expect(answer, JSON.stringify(functions)).toMatchObject({ statusCode, code, details: [{ field }] });
      const preview = await scene.user.send(modelCalls.previewProductModel, { productId, functions }, { as: 'json' });
      expect(preview).toMatchObject({ statusCode, code, details: [{ field }] });
    }
    expect(await models.list(productId)).toEqual(before);
    expect(await models.list(foreign.productId)).toMatchObject([{ id: foreign.ids[0] }, {}, {}]);
  });

  it('normalizes user input: texts become numbers, empty limits none', async () => {
    const productId = await models.product();
    const typed = [
      {
        ...property('a'),
        functionDefinition: { accessMode: 'r', dataType: { type: 'integer', min: '1', max: '', step: '2' } },
      },
      {
        ...property('b'),
        functionDefinition: { accessMode: 'r', dataType: { type: 'double', min: '-0.50', max: 7 } },
      },
      { ...property('c'), functionDefinition: { accessMode: 'r', dataType: { type: 'long', min: 5, max: '007' } } },
    ];
    expect(await models.save(productId, 1, typed)).toMatchObject({ success: true });
    expect((await models.list(productId)).map(({ functionDefinition }) => functionDefinition)).toEqual([
      { accessMode: 'r', dataType: { type: 'integer', min: 1, step: 2 } },
      { accessMode: 'r', dataType: { type: 'double', min: -0.5, max: 7 } },
      { accessMode: 'r', dataType: { type: 'long', min: '5', max: '7' } },
    ]);
  });
});

/** The answer to a declared body length. The hub does not wait for the body, which is never sent. */
const announced = (path: string, length: number): Promise<[status: number | undefined, code: unknown]> =>
  new Promise((resolve, reject) => {
    const headers = { Authorization: scene.user.token, 'Content-Type': 'application/json', 'Content-Length': length };
    const sending = request(scene.hub.url + path, { method: 'POST', headers }, async (response) => {
      const answer = JSON.parse(Buffer.concat(await response.toArray()).toString()) as { code: unknown };
      resolve([response.statusCode, answer.code]);
      sending.destroy();
    });
    sending.on('error', reject);
    sending.flushHeaders();
  });

/** About 50 KB a service. */
const large = (count: number) => {
  const items = Array.from({ length: 100 }, (_, index) => ({
    value: `v${index}`.padEnd(50, 'x'),
    description: `d${index}`.padEnd(50, 'y'),
  }));
  const inputs = ['a', 'b', 'c', 'd'].map((name) => param(name, { type: 'enum', items }));
  return Array.from({ length: count }, (_, index) => service(`s${index}`, inputs));
};

describe('the size of a model', () => {
  it('may be several megabytes, as JSON and as a form', async () => {
    const functions = large(80);
    expect(JSON.stringify(functions).length).toBeGreaterThan(4 * 1024 * 1024);
    const productId = await models.product();
    expect(await models.save(productId, 1, functions)).toMatchObject({ success: true, data: { modelVersion: 2 } });
    expect(bareFunctions(await models.list(productId))).toEqual(functions);
    const preview = await scene.user.ok(modelCalls.previewProductModel, {
      productId,
      functions: functions.slice(1),
    });
    expect(preview.changes).toMatchObject([{ kind: 'removed', signCode: 's0' }]);
    const again = await models.product();
    const imported = await scene.user.ok(modelCalls.importProductModel, {
      productId: again,
      content: functions as never,
    });
    expect(imported).toMatchObject({ modelVersion: 2, notes: [] });
  });

  it('is limited, also for a single function', async () => {
    const productId = await models.product();
    for (const call of [modelCalls.saveProductModel, modelCalls.previewProductModel, modelCalls.importProductModel])
      expect(await announced(call.path, MODEL_MAX_BYTES + 1)).toEqual([413, 'TOO_LARGE']);
    expect(await announced(modelCalls.updateProductFunction.path, 1024 * 1024 + 1)).toEqual([413, 'TOO_LARGE']);
    const items = Array.from({ length: 100 }, (_, index) => ({
      value: `v${index}`.padEnd(50, 'x'),
      description: 'y'.repeat(50),
    }));
    const heavy = service(
      'heavy',
      'abcdef'.split('').map((name) => param(name, { type: 'enum', items })),
    );
    expect(await scene.user.send(modelCalls.addProductFunction, { productId, ...heavy })).toMatchObject({
      statusCode: 400,
      details: [{ field: 'functionDefinition', message: 'The function definition is too large' }],
    });
    expect(await models.version(productId)).toBe(1);
  });
});

/** A body as text: no client of ours could write it. */
const post = async (path: string, body: string, type = 'application/json') => {
  const headers = { Authorization: scene.user.token, 'Content-Type': type, 'Accept-Language': 'en-US' };
  const response = await fetch(scene.hub.url + path, { method: 'POST', headers, body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
};

const brackets = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const types = (levels: number): string =>
  `${'{"type":"array","count":1,"element":'.repeat(levels)}{"type":"boolean"}${'}'.repeat(levels)}`;

describe('unlimited nesting', () => {
  it.each(LONG ? [100, 10_000, 500_000] : [100, 10_000])(
    'of %i levels is rejected, and the hub keeps running',
    async (levels) => {
      const { productId } = await models.withThree();
      const before = await models.list(productId);
      const definition = (dataType: string) =>
        `{"signCode":"x","functionName":"x","functionType":1,"functionDefinition":{"accessMode":"rw","dataType":${dataType}}}`;
      const lists = [
        `[${definition(brackets(levels))}]`,
        `[${definition(types(Math.min(levels, 50_000)))}]`,
        brackets(levels),
      ];
      const { saveProductModel, previewProductModel, importProductModel } = modelCalls;
      for (const list of lists) {
        const bodies = [
          [saveProductModel, `{"productId":"${productId}","modelVersion":2,"functions":${list}}`],
          [previewProductModel, `{"productId":"${productId}","functions":${list}}`],
          [importProductModel, `{"productId":"${productId}","content":${list}}`],
          [importProductModel, `{"productId":"${productId}","content":{"functions":${list}}}`],
          [
            importProductModel,
            `{"productId":"${productId}","content":{"properties":${list},"services":[],"events":[]}}`,
          ],
        ] as const;
        for (const [call, body] of bodies) {
          const { status, answer } = await post(call.path, body);
          expect(status, `${call.path} ${body.slice(0, 120)} ${JSON.stringify(answer).slice(0, 300)}`).toBe(400);
        }
        for (const [call, field] of [
          [saveProductModel, 'functions'],
          [previewProductModel, 'functions'],
          [importProductModel, 'content'],
        ] as const) {
          const form = new URLSearchParams({ productId, modelVersion: '2', [field]: list }).toString();
          const { status } = await post(call.path, form, 'application/x-www-form-urlencoded');
          expect(status, `${call.path} as a form`).toBe(400);
        }
      }
      expect(await models.list(productId)).toEqual(before);
    },
  );
});

describe('names of Object.prototype', () => {
  it('are allowed as identifiers, except __proto__', async () => {
    const productId = await models.product();
    const words = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '0', '_'];
    const functions = words.map((word) => property(word, { type: 'json', fields: words.map((inner) => param(inner)) }));
    expect(await models.save(productId, 1, functions)).toMatchObject({ success: true });
    expect(bareFunctions(await models.list(productId))).toEqual(functions);
    const fewer = await scene.user.ok(modelCalls.previewProductModel, { productId, functions: functions.slice(1) });
    expect(fewer.changes).toMatchObject([{ kind: 'removed', signCode: 'constructor' }]);
    expect(await models.save(productId, 2, [property('__proto__')])).toMatchObject({
      details: [{ field: 'functions[0].signCode', message: 'This identifier is reserved' }],
    });
  });

  it('are no fields of a function, in JSON or in JSON text', async () => {
    const { productId } = await models.withThree();
    const before = await models.list(productId);
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const entry = `{"signCode":"x","functionName":"x","functionType":1,"${key}":{"signCode":"y"},"functionDefinition":{"accessMode":"rw","dataType":{"type":"boolean","${key}":{"type":"string"}}}}`;
      const json = `{"productId":"${productId}","modelVersion":2,"functions":[${entry}]}`;
      expect((await post(modelCalls.saveProductModel.path, json)).status, json).toBe(400);
      const form = new URLSearchParams({ productId, modelVersion: '2', functions: `[${entry}]` }).toString();
      const { status } = await post(modelCalls.saveProductModel.path, form, 'application/x-www-form-urlencoded');
      expect(status, form).toBe(400);
    }
    expect(await models.list(productId)).toEqual(before);
  });
});
