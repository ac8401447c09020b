import { type Answer, CATEGORY_FUNCTIONS_MAX, categoryCalls, type ModelFunction } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { event, integer, param, properties, property, service, threeFunctions } from './functions.ts';
import type { Hub, TestUser } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let user: TestUser;

const setUp = (): void =>
  beforeAll(async () => {
    hub = await sharedHub();
    user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [401] });
  });

const functionsOf = async (categoryId: string, more: object = {}, language = 'en-US') =>
  (await hub.admin.ok(categoryCalls.getOpenFunctions, { categoryId, pageSize: 200, ...more }, { language })).list;
const bareOf = async (categoryId: string, language = 'en-US'): Promise<ModelFunction[]> =>
  (await functionsOf(categoryId, {}, language)).map(
    ({ signCode, functionName, functionType, description, functionDefinition }) =>
      ({ signCode, functionName, functionType, description, functionDefinition }) as ModelFunction,
  );
const versionOf = async (categoryId: string) =>
  (await hub.admin.ok(categoryCalls.getCategoryDetails, { categoryId })).modelVersion;
const save = (categoryId: string, modelVersion: number, functions: object[], language = 'en-US') =>
  user.send(categoryCalls.saveOpenFunctions, { categoryId, modelVersion, functions }, { as: 'json', language });

const withThree = async () => {
  const categoryId = await hub.create.category(user.tenancyId);
  const { ids } = await user.ok(categoryCalls.addOpenFunctions, { categoryId, functions: threeFunctions() });
  const [first = '', second = '', third = ''] = ids;
  return { categoryId, ids, first, second, third };
};

describeOnEachEngine(() => {
  setUp();

  describe('the functions of a category', () => {
    // Spec 7.61
    it.each(['form', 'json'] as const)('are added one by one as %s, at the end, each as a version', async (as) => {
      const categoryId = await hub.create.category(user.tenancyId);
      const ids: string[] = [];
      for (const [index, entry] of threeFunctions().entries()) {
        const sent = { categoryId, categoryName: 'no matter', ...entry };
        const { id, modelVersion } = await user.ok(categoryCalls.addOpenFunction, sent, { as });
        ids.push(id);
        expect(modelVersion).toBe(index + 2);
      }
      const list = await functionsOf(categoryId);
      expect(list.map(({ id }) => id)).toEqual(ids);
      expect(await bareOf(categoryId)).toEqual(threeFunctions());
      expect(list[0]).toMatchObject({ categoryId, createTime: expect.stringMatching(/Z$/) });
    });

    // Spec 7.59
    it('are found by name, identifier and kind, in pages', async () => {
      const { categoryId } = await withThree();
      const codes = async (more: object) => (await functionsOf(categoryId, more)).map(({ signCode }) => signCode);
      expect(await codes({ searchValue: 'BRIGHT' })).toEqual(['brightness']);
      expect(await codes({ searchValue: 'the b' })).toEqual(['brightness', 'blink', 'burnt']);
      expect(await codes({ functionType: 32 })).toEqual(['blink']);
      expect(await codes({ functionType: 22, searchValue: 'blink' })).toEqual([]);
      const page = { categoryId, pageSize: 2, pageIndex: 2 };
      const second = await user.ok(categoryCalls.getOpenFunctions, page);
      expect(second).toMatchObject({ total: 3, pageIndex: 2, list: [{ signCode: 'burnt' }] });
      const word = { searchValue: '童锁', pageSize: 200 };
      expect(await functionsOf('std-socket', word, 'en-US')).toMatchObject([{ signCode: 'childLock' }]);
      expect(await functionsOf('std-socket', { searchValue: 'child lock' }, 'zh-CN')).toMatchObject([
        { signCode: 'childLock', functionName: '童锁' },
      ]);
    });

    // Spec 7.60
    it('are added in bulk, all or none', async () => {
      const { categoryId } = await withThree();
      const before = await functionsOf(categoryId);
      const tries: [object[], number, string, string][] = [
        [[property('fresh'), property('blink')], 409, 'SIGN_CODE_TAKEN', 'functions[1].signCode'],
        [[property('fresh'), property('fresh')], 409, 'SIGN_CODE_TAKEN', 'functions[1].signCode'],
        [[property('fresh'), { id: 'nobody' }], 404, 'FUNCTION_NOT_FOUND', 'functions[1].id'],
        [[property('fresh'), service('restart')], 400, 'BAD_INPUT', 'functions[1].signCode'],
        [
          [property('fresh'), property('bad', integer(5, 1))],
          400,
          'BAD_INPUT',
          'functions[1].functionDefinition.dataType.max',
        ],
      ];
      for (const [functions, statusCode, code, field] of tries)
        for (const as of ['form', 'json'] as const) {
          const answer = await user.send(categoryCalls.addOpenFunctions, { categoryId, functions }, { as });
          expect(answer).toMatchObject({ statusCode, code, details: [{ field }] });
        }
      expect(await functionsOf(categoryId)).toEqual(before);
      expect(await versionOf(categoryId)).toBe(2);
    });

    it('have unique identifiers within the category; the error names a duplicate', async () => {
      const { categoryId, second } = await withThree();
      const again = await user.error(categoryCalls.addOpenFunction, { categoryId, ...property('blink') });
      expect(again).toMatchObject({ statusCode: 409, code: 'SIGN_CODE_TAKEN', details: [{ field: 'signCode' }] });
      expect(again.message).toBe('The identifier blink is already in use');
      const { functionType: _fixed, ...changed } = service('burnt');
      const rename = await user.error(
        categoryCalls.updateOpenFunction,
        { id: second, ...changed },
        { language: 'zh-CN' },
      );
      expect(rename).toMatchObject({ code: 'SIGN_CODE_TAKEN', message: '标识符“burnt”已被使用' });
      await user.ok(categoryCalls.addOpenFunction, { categoryId, ...property('Blink') });
      const other = await hub.create.category(user.tenancyId);
      await user.ok(categoryCalls.addOpenFunction, { categoryId: other, ...property('blink') });
      expect(await versionOf(categoryId)).toBe(3);
    });
  });

  describe('saveOpenFunctions', () => {
    it('adds, changes, removes, renames and reorders at once, and keeps the ids', async () => {
      const { categoryId, first, third } = await withThree();
      const functions = [
        { id: third, ...event('worn', [param('hours')]) },
        property('fresh'),
        { id: first, ...property('brightness', integer(0, 10)) },
      ];
      expect(await save(categoryId, 2, functions)).toMatchObject({ success: true, data: { modelVersion: 3 } });
      const list = await functionsOf(categoryId);
      expect(list.map(({ id, signCode }) => ({ id, signCode }))).toEqual([
        { id: third, signCode: 'worn' },
        { id: list[1]?.id, signCode: 'fresh' },
        { id: first, signCode: 'brightness' },
      ]);
      expect(await bareOf(categoryId)).toEqual([
        event('worn', [param('hours')]),
        property('fresh'),
        property('brightness', integer(0, 10)),
      ]);
    });

    it('rejects the second of two saves from the same version', async () => {
      const { categoryId } = await withThree();
      await save(categoryId, 2, [property('first')]);
      const late = await save(categoryId, 2, [property('second')]);
      expect(late).toMatchObject({ statusCode: 409, code: 'MODEL_CHANGED', details: [{ field: 'modelVersion' }] });
      expect(late.message).toContain('now version 3');
      expect((await save(categoryId, 2, [], 'zh-CN')).message).toContain('现为版本 3');
      expect(await bareOf(categoryId)).toEqual([property('first')]);
    });

    it('accepts exactly one of several concurrent saves', async () => {
      for (let round = 0; round < 5; round++) {
        const { categoryId } = await withThree();
        const tries = [1, 2, 3, 4].map((index) => save(categoryId, 2, [property(`by${index}`)]));
        const answers: Answer<unknown>[] = await Promise.all(tries);
        expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
        const winner = answers.findIndex(({ success }) => success) + 1;
        expect(await bareOf(categoryId)).toEqual([property(`by${winner}`)]);
        expect(await versionOf(categoryId)).toBe(3);
      }
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('the functions of a category', () => {
    // Spec 7.60
    it('are copied by id in the caller’s language, next to complete ones, under new ids', async () => {
      for (const [language, name] of [
        ['zh-CN', '亮度'],
        ['en-US', 'Brightness'],
      ] as const) {
        const categoryId = await hub.create.category(user.tenancyId);
        const functions = [property('own'), { id: 'std-lighting-brightness' }];
        const { ids } = await user.ok(categoryCalls.addOpenFunctions, { categoryId, functions }, { language });
        expect(ids).toHaveLength(2);
        expect(ids).not.toContain('std-lighting-brightness');
        expect(await functionsOf(categoryId)).toMatchObject([
          { id: ids[0], signCode: 'own' },
          { id: ids[1], signCode: 'brightness', functionName: name },
        ]);
      }
    });

    // Spec 1.5, 7.62
    it('are changed in place, keep omitted fields, and never change their type', async () => {
      const { categoryId, first, second } = await withThree();
      const { functionType: _fixed, description: _left, ...changed } = property('level', integer(0, 9));
      await user.ok(categoryCalls.updateOpenFunction, { id: first, ...changed, description: 'kept' });
      const sent = { id: first, categoryId, ...changed, functionName: 'Level' };
      expect(await user.ok(categoryCalls.updateOpenFunction, sent)).toEqual({ modelVersion: 4 });
      const list = await bareOf(categoryId);
      expect(list[0]).toEqual({ ...property('level', integer(0, 9)), functionName: 'Level', description: 'kept' });
      const asEvent = await user.send(categoryCalls.updateOpenFunction, {
        id: second,
        signCode: 'blink',
        functionName: 'Blink',
        functionDefinition: event('x').functionDefinition,
      });
      expect(asEvent).toMatchObject({ statusCode: 400, details: [{ field: 'functionDefinition' }] });
      expect(await user.send(categoryCalls.updateOpenFunction, { ...sent, signCode: 'set' })).toMatchObject({
        details: [{ field: 'signCode', message: 'This identifier is reserved' }],
      });
      expect(await bareOf(categoryId)).toEqual(list);
      const foreign = { ...sent, categoryId: await hub.create.category(user.tenancyId) };
      expect(await user.error(categoryCalls.updateOpenFunction, foreign)).toMatchObject({
        code: 'FUNCTION_NOT_FOUND',
      });
    });

    // Spec 7.63
    it('are deleted one by one', async () => {
      const { categoryId, second } = await withThree();
      const gone = await user.call(categoryCalls.deleteOpenFunction, { id: second });
      expect(gone).toMatchObject({ success: true, message: 'Delete succeeded', data: { modelVersion: 3 } });
      expect((await bareOf(categoryId)).map(({ signCode }) => signCode)).toEqual(['brightness', 'burnt']);
      const again = await user.error(categoryCalls.deleteOpenFunction, { id: second });
      expect(again).toMatchObject({ statusCode: 404, code: 'FUNCTION_NOT_FOUND', message: 'Function does not exist' });
    });

    it(`are at most ${CATEGORY_FUNCTIONS_MAX}`, async () => {
      const categoryId = await hub.create.category(user.tenancyId);
      expect(await save(categoryId, 1, properties(CATEGORY_FUNCTIONS_MAX - 1))).toMatchObject({ success: true });
      const two = { categoryId, functions: [property('a'), property('b')] };
      const refusal = await user.error(categoryCalls.addOpenFunctions, two);
      expect(refusal).toMatchObject({ statusCode: 409, code: 'FUNCTIONS_TOO_MANY' });
      expect(refusal.message).toBe('The number of functions exceeds the limit of 200');
      await user.ok(categoryCalls.addOpenFunction, { categoryId, ...property('last') });
      const more = await user.error(categoryCalls.addOpenFunction, { categoryId, ...property('more') });
      expect(more).toMatchObject({ code: 'FUNCTIONS_TOO_MANY' });
      expect(await functionsOf(categoryId)).toHaveLength(CATEGORY_FUNCTIONS_MAX);
    });
  });

  describe('saveOpenFunctions', () => {
    it('keeps an event without parameters of an earlier version, and rejects others without', async () => {
      const { categoryId, first, third } = await withThree();
      const bare = { eventType: 'info', output: [] };
      const { functionDefinition: _measured, ...worn } = event('worn', [param('hours')]);
      const saved = (definition: object) =>
        save(categoryId, 2, [
          { id: third, ...worn, functionDefinition: definition },
          { id: first, ...property('brightness', integer(0, 10)) },
        ] as never);
      expect(await saved(bare)).toMatchObject({
        statusCode: 400,
        code: 'EVENT_NO_PARAMETER',
        details: [{ field: 'functions[0].functionDefinition.output' }],
      });
      const earlier = { definition: JSON.stringify(bare) };
      await hub.db.updateTable('open_function').set(earlier).where('function_id', '=', third).execute();
      expect(await saved(bare)).toMatchObject({ success: true, data: { modelVersion: 3 } });
      expect((await bareOf(categoryId))[0]).toMatchObject({ signCode: 'worn', functionDefinition: bare });
    });

    it('creates no version for the same functions', async () => {
      const { categoryId } = await withThree();
      const before = await functionsOf(categoryId);
      const same = before.map(({ id }, index) => ({ id, ...threeFunctions()[index] }));
      expect(await save(categoryId, 2, same)).toMatchObject({ success: true, data: { modelVersion: 2 } });
      expect(await functionsOf(categoryId)).toEqual(before);
      expect(await save(categoryId, 2, same.toReversed())).toMatchObject({ data: { modelVersion: 3 } });
      expect(await functionsOf(categoryId)).toMatchObject(before.toReversed().map(({ id }) => ({ id })));
    });

    it('rejects unknown ids and changes of the type', async () => {
      const { categoryId, first } = await withThree();
      const before = await functionsOf(categoryId);
      const foreign = await withThree();
      const unknown = await save(categoryId, 2, [property('fresh'), { id: foreign.first, ...property('power') }]);
      expect(unknown).toMatchObject({ statusCode: 404, details: [{ field: 'functions[1].id' }] });
      const typed = await save(categoryId, 2, [{ id: first, ...event('brightness') }]);
      expect(typed).toMatchObject({ code: 'FUNCTION_TYPE_FIXED', details: [{ field: 'functions[0].functionType' }] });
      expect(await functionsOf(categoryId)).toEqual(before);
    });

    it('keeps the second language of unchanged functions, and replaces that of changed ones', async () => {
      const categoryId = 'std-electricity-meter';
      const [chinese, english] = [await bareOf(categoryId, 'zh-CN'), await functionsOf(categoryId)];
      const functions = english.map(
        ({ id, signCode, functionName, functionType, description, functionDefinition }) => ({
          id,
          signCode,
          functionName: signCode === 'relay' ? 'Main switch' : functionName,
          functionType,
          description,
          functionDefinition,
        }),
      );
      const sent = { categoryId, modelVersion: 1, functions: functions as never };
      await hub.admin.ok(categoryCalls.saveOpenFunctions, sent, { as: 'json' });
      const after = await bareOf(categoryId, 'zh-CN');
      for (const [index, entry] of after.entries())
        if (entry.signCode === 'relay') expect(entry).toMatchObject({ functionName: 'Main switch' });
        else expect(entry).toEqual(chinese[index]);
      expect((await bareOf(categoryId)).map(({ functionName }) => functionName)).toEqual(
        functions.map(({ functionName }) => functionName),
      );
    });
  });
});
