import { type Answer, MODEL_VERSIONS_KEPT, modelCalls, productCalls } from '@device-center/contract';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { event, integer, param, property, service, threeFunctions } from './functions.ts';
import { bareFunctions, createModelFixture } from './product-models.ts';

const versionScene = () => {
  const scene = createModelFixture();
  const { models } = scene;
  return {
    scene,
    models,
    numbers: async (productId: string) => (await models.versions(productId)).map(({ modelVersion }) => modelVersion),
    auditCount: async (productId: string) => {
      const rows = scene.hub.db.selectFrom('audit_log').select('audit_id').where('target_id', '=', productId);
      return (await rows.execute()).length;
    },
    compare: (productId: string, from: number, to: number) =>
      scene.user.ok(modelCalls.compareModelVersions, { productId, from, to }),
  };
};

describeOnEachEngine(() => {
  const { scene, models, numbers } = versionScene();

  describe('the version of a model', () => {
    it('increases by one with each change, and records the change and its author', async () => {
      const { productId, ids } = await models.withThree();
      await models.save(productId, 2, [
        { id: ids[1], ...service('blink', [param('often')]) },
        { id: ids[0], ...property('level') },
        property('fresh'),
      ]);
      expect(await models.versions(productId)).toMatchObject([
        {
          modelVersion: 3,
          added: 1,
          removed: 1,
          changed: 2,
          functionCount: 3,
          restoredFrom: null,
          creator: scene.user.username,
        },
        { modelVersion: 2, added: 3, removed: 0, changed: 0, functionCount: 3, restoredFrom: null },
        { modelVersion: 1, added: 0, removed: 0, changed: 0, functionCount: 0, creator: 'admin' },
      ]);
      expect(await scene.user.ok(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
        modelVersion: 3,
        functionCount: 3,
      });
    });
  });

  describe('concurrent changes of a model', () => {
    it('are all stored, and no version number is skipped', async () => {
      const productId = await models.product();
      const many = 16;
      const answers = await Promise.all(
        Array.from({ length: many }, (_, index) =>
          scene.user.ok(modelCalls.addProductFunction, { productId, ...property(`p${index}`) }),
        ),
      );
      const rising = Array.from({ length: many }, (_, index) => index + 2);
      expect(answers.map(({ modelVersion }) => modelVersion).sort((one, two) => one - two)).toEqual(rising);
      const list = await models.list(productId);
      expect(list.map(({ id }) => id).sort()).toEqual(answers.map(({ id }) => id).sort());
      expect(new Set(list.map(({ signCode }) => signCode)).size).toBe(many);
      expect(await numbers(productId)).toEqual([...rising.toReversed(), 1]);
      for (const [index, version] of [1, ...rising].entries()) {
        const { functions } = await scene.user.ok(modelCalls.getModelVersion, { productId, modelVersion: version });
        expect(functions).toHaveLength(index);
      }
    });

    it('from the same version are won by exactly one, whose changes are complete', async () => {
      for (let round = 0; round < 5; round++) {
        const { productId } = await models.withThree();
        const tries = [1, 2, 3, 4].map((index) =>
          models.save(productId, 2, [property(`by${index}`), event(`e${index}`)]),
        );
        const answers: Answer<unknown>[] = await Promise.all(tries);
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
        for (const answer of answers)
          if (!answer.success)
            expect(answer).toMatchObject({ code: 'MODEL_CHANGED', details: [{ field: 'modelVersion' }] });
        const winner = answers.findIndex(({ success }) => success) + 1;
        expect(bareFunctions(await models.list(productId))).toEqual([property(`by${winner}`), event(`e${winner}`)]);
        expect(await numbers(productId)).toEqual([3, 2, 1]);
      }
    });
  });
});

describe('on the default engine', () => {
  const { scene, models, numbers, auditCount, compare } = versionScene();

  describe('the version of a model', () => {
    it('stays without changes, and no audit entry is written', async () => {
      const { productId, ids } = await models.withThree();
      const before = [await models.list(productId), await models.versions(productId), await auditCount(productId)];
      const same = threeFunctions().map((entry, index) => ({ id: ids[index], ...entry }));
      expect(await models.save(productId, 2, same)).toMatchObject({ data: { modelVersion: 2 } });
      expect(await models.save(productId, 2, threeFunctions())).toMatchObject({ data: { modelVersion: 2 } });
      await scene.user.ok(modelCalls.updateProductFunction, { id: ids[0], ...property('brightness') });
      await scene.user.ok(modelCalls.importProductModel, { productId, content: threeFunctions() as never });
      await scene.user.ok(modelCalls.importProductModel, { productId, content: [], mode: 'merge' }, { as: 'json' });
      await scene.user.ok(modelCalls.restoreModelVersion, { productId, version: 2 });
      await scene.user.ok(modelCalls.previewProductModel, { productId, functions: [property('other')] });
      expect([await models.list(productId), await models.versions(productId), await auditCount(productId)]).toEqual(
        before,
      );
    });

    it(`is kept for the last ${MODEL_VERSIONS_KEPT}, and any two of these can be compared`, async () => {
      const productId = await models.product();
      for (let change = 1; change <= 25; change++)
        await scene.user.ok(modelCalls.addProductFunction, { productId, ...property(`p${change}`) });
      const kept = Array.from({ length: MODEL_VERSIONS_KEPT }, (_, index) => 26 - index);
      expect(await numbers(productId)).toEqual(kept);
      for (const modelVersion of [7, 15, 26]) {
        const version = await scene.user.ok(modelCalls.getModelVersion, { productId, modelVersion });
        expect(version.functions.map(({ signCode }) => signCode)).toEqual(
          Array.from({ length: modelVersion - 1 }, (_, index) => `p${index + 1}`),
        );
      }
      const { changes } = await compare(productId, 9, 12);
      expect(changes.map(({ kind, signCode }) => [kind, signCode])).toEqual([
        ['added', 'p9'],
        ['added', 'p10'],
        ['added', 'p11'],
      ]);
      expect(await compare(productId, 12, 9)).toMatchObject({
        breaking: true,
        changes: [1, 2, 3].map(() => ({ kind: 'removed' })),
      });
      expect(await compare(productId, 12, 12)).toMatchObject({ changes: [], reordered: false, breaking: false });
      const gone = { statusCode: 404, code: 'MODEL_VERSION_NOT_FOUND' };
      const { getModelVersion, compareModelVersions, restoreModelVersion, exportProductModel } = modelCalls;
      const tries = [
        [getModelVersion, { modelVersion: 6 }, 'modelVersion'],
        [compareModelVersions, { from: 6, to: 26 }, 'from'],
        [compareModelVersions, { from: 26, to: 27 }, 'to'],
        [restoreModelVersion, { version: 6 }, 'version'],
        [exportProductModel, { modelVersion: 6 }, 'modelVersion'],
      ] as const;
      for (const [call, sent, field] of tries)
        expect(await scene.user.send(call, { productId, ...sent })).toMatchObject({ ...gone, details: [{ field }] });
      const chinese = await scene.user.send(getModelVersion, { productId, modelVersion: 6 }, { language: 'zh-CN' });
      expect(chinese.message).toBe('该版本不存在或已不再保留');
      expect(await models.version(productId)).toBe(26);
    });
  });

  describe('previewProductModel', () => {
    it('reports breaking changes and the number of affected devices, and changes nothing', async () => {
      const { productId, ids } = await models.withThree();
      await models.devices(productId, 3);
      const before = [await models.list(productId), await models.versions(productId)];
      const [first, second, third] = threeFunctions().map((entry, index) => ({ id: ids[index], ...entry }));
      const cases: [object[], [reason: string | null, ...path: string[]][]][] = [
        [
          [{ id: ids[0], ...property('brightness', integer(0, 50)) }, second ?? {}, third ?? {}],
          [['narrowed', 'dataType', 'max']],
        ],
        [
          [{ id: ids[0], ...property('brightness', integer(-9, 900)) }, second ?? {}, third ?? {}],
          [
            [null, 'dataType', 'min'],
            [null, 'dataType', 'max'],
          ],
        ],
        [
          [{ id: ids[0], ...property('brightness', { type: 'string', length: 9 }) }, second ?? {}, third ?? {}],
          [['type', 'dataType']],
        ],
        [
          [{ id: ids[0], ...property('level') }, second ?? {}, third ?? {}],
          [
            ['renamed', 'signCode'],
            [null, 'functionName'],
          ],
        ],
        [
          [
            first ?? {},
            { id: ids[1], ...service('blink', [param('times'), param('more')], [param('done', { type: 'boolean' })]) },
            third ?? {},
          ],
          [['required', 'input', 'more']],
        ],
        [
          [first ?? {}, { id: ids[1], ...service('blink', [param('times')]) }, third ?? {}],
          [['removed', 'output', 'done']],
        ],
      ];
      for (const [functions, details] of cases) {
        const told = await scene.user.ok(modelCalls.previewProductModel, { productId, functions: functions as never });
        const [change, ...more] = told.changes;
        expect(more).toEqual([]);
        expect(change?.details.map(({ breaks, path }) => [breaks, ...path])).toEqual(details);
        const breaking = details.some(([reason]) => reason !== null);
        expect(told).toMatchObject({ deviceCount: 3, breaking, changes: [{ kind: 'changed', breaking }] });
      }
      const gone = await scene.user.ok(modelCalls.previewProductModel, {
        productId,
        functions: [second, third] as never,
      });
      expect(gone).toMatchObject({
        breaking: true,
        changes: [{ kind: 'removed', signCode: 'brightness', breaking: true }],
      });
      const turned = await scene.user.ok(modelCalls.previewProductModel, {
        productId,
        functions: [third, first, second] as never,
      });
      expect(turned).toMatchObject({ breaking: false, reordered: true, changes: [], deviceCount: 3 });
      expect([await models.list(productId), await models.versions(productId)]).toEqual(before);
      const saved = await models.save(productId, 2, [first ?? {}]);
      expect(saved).toMatchObject({ data: { modelVersion: 3, deviceCount: 3 } });
    });
  });

  describe('restoreModelVersion', () => {
    it('creates a new version of the same functions, under the same ids', async () => {
      const { productId, ids } = await models.withThree();
      const before = await models.list(productId);
      await models.save(productId, 2, [event('other'), { id: ids[0], ...property('level') }]);
      await scene.user.ok(modelCalls.restoreModelVersion, { productId, version: 1, modelVersion: 3 });
      expect(await models.list(productId)).toEqual([]);
      const back = await scene.user.ok(modelCalls.restoreModelVersion, { productId, version: 2 });
      expect(back).toEqual({ modelVersion: 5, deviceCount: 0 });
      expect(await models.list(productId)).toEqual(before);
      expect(await models.versions(productId)).toMatchObject([
        { modelVersion: 5, restoredFrom: 2, added: 3 },
        { modelVersion: 4, restoredFrom: 1, removed: 2 },
        { modelVersion: 3, restoredFrom: null },
        {},
        {},
      ]);
      expect(await compare(productId, 2, 5)).toMatchObject({ changes: [], reordered: false });
      const late = await scene.user.error(modelCalls.restoreModelVersion, { productId, version: 1, modelVersion: 4 });
      expect(late).toMatchObject({ statusCode: 409, code: 'MODEL_CHANGED', details: [{ field: 'modelVersion' }] });
      expect(await models.version(productId)).toBe(5);
    });
  });

  describe('concurrent changes of a model', () => {
    it('based on an old version are rejected by every call with a version', async () => {
      const { productId, ids } = await models.withThree();
      const before = await models.list(productId);
      const { addProductFunction, addProductFunctions, updateProductFunction, deleteProductFunction } = modelCalls;
      const tries = [
        [addProductFunction, { productId, ...property('x') }],
        [addProductFunctions, { productId, functions: [property('x')] }],
        [updateProductFunction, { id: ids[0], ...property('x') }],
        [deleteProductFunction, { id: ids[0] }],
        [modelCalls.saveProductModel, { productId, functions: '[]' }],
        [modelCalls.importProductModel, { productId, content: '[]' }],
        [modelCalls.restoreModelVersion, { productId, version: 1 }],
      ] as const;
      for (const [call, sent] of tries) {
        const english = await scene.user.send(call, { ...sent, modelVersion: 1 });
        expect(english, call.path).toMatchObject({ statusCode: 409, code: 'MODEL_CHANGED' });
        expect(english.message).toContain('(now version 2)');
        const chinese = await scene.user.send(call, { ...sent, modelVersion: 3 }, { language: 'zh-CN' });
        expect(chinese.message).toContain('现为版本 2');
      }
      expect(await models.list(productId)).toEqual(before);
    });
  });
});
