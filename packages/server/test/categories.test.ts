import { type Call, categoryCalls, productCalls, tenancyCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { property, service, threeFunctions } from './functions.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';

let hub: Hub;
let user: TestUser;

const setUp = (): void =>
  beforeAll(async () => {
    hub = await sharedHub();
    user = await hub.create.user({ tenancyId: await hub.create.tenancy(), menus: [401, 502] });
  });

const listed = async (client: Pick<TestUser, 'ok'>, sent: object = {}, language = 'en-US') =>
  (await client.ok(categoryCalls.getCategoryList, { pageSize: 200, ...sent }, { language })).list;
const idsOf = async (...args: Parameters<typeof listed>) =>
  (await listed(...args)).map(({ categoryId }) => categoryId).sort();
const detailsOf = (categoryId: string, language = 'en-US') =>
  hub.admin.ok(categoryCalls.getCategoryDetails, { categoryId }, { language });
const functionsOf = async (categoryId: string, language = 'en-US') =>
  (await hub.admin.ok(categoryCalls.getOpenFunctions, { categoryId, pageSize: 200 }, { language })).list;
const addCategory = async (client: Pick<TestUser, 'ok'>, more: object = {}, language = 'en-US') =>
  (await client.ok(categoryCalls.addCategory, { categoryName: unique('cat-'), ...more }, { language })).categoryId;
const add = (categoryId: string, functions = threeFunctions()) =>
  hub.admin.ok(categoryCalls.addOpenFunctions, { categoryId, functions });

/** All rows of a category. */
const rowsOf = async (categoryId: string) => [
  await hub.db.selectFrom('category').selectAll().where('category_id', '=', categoryId).execute(),
  await hub.db
    .selectFrom('open_function')
    .selectAll()
    .where('category_id', '=', categoryId)
    .orderBy('sort_order')
    .execute(),
];

describeOnEachEngine(() => {
  setUp();
  describe('a category', () => {
    // Spec 7.53
    it('lists standard ones and those of the tenant, filtered by kind', async () => {
      const tenancyId = await hub.create.tenancy();
      const reader = await hub.create.user({ tenancyId, menus: [401] });
      const own = [await addCategory(reader), await addCategory(reader)].sort();
      const standard = await idsOf(hub.admin, { standard: 1 });
      expect(standard).toHaveLength(9);
      expect(await idsOf(reader)).toEqual([...own, ...standard].sort());
      expect(await idsOf(reader, { standard: 1 })).toEqual(standard);
      expect(await idsOf(reader, { standard: 0 })).toEqual(own);
      expect(await idsOf(reader, { tenancyId })).toEqual(own);
      expect(await idsOf(hub.admin, { tenancyId })).toEqual(own);
      expect(await idsOf(hub.admin, { standard: 0 })).toEqual(expect.arrayContaining(own));
      expect(await idsOf(hub.admin, { standard: 0 })).not.toEqual(expect.arrayContaining(standard));
    });

    // Spec 7.55
    it('has a name that is unique in its tenant, ignoring case', async () => {
      const categoryName = unique('Name-');
      const first = await addCategory(user, { categoryName });
      const taken = { statusCode: 409, code: 'CATEGORY_NAME_TAKEN', details: [{ field: 'categoryName' }] };
      const again = { categoryName: categoryName.toUpperCase() };
      expect(await user.error(categoryCalls.addCategory, again)).toMatchObject(taken);
      const other = await addCategory(user);
      expect(await user.error(categoryCalls.updateCategory, { categoryId: other, ...again })).toMatchObject(taken);
      await user.ok(categoryCalls.updateCategory, { categoryId: first, ...again });
      expect(await detailsOf(first)).toMatchObject(again);
      await addCategory(hub.admin, { categoryName, tenancyId: await hub.create.tenancy() });
      await addCategory(user, { categoryName: '照明灯具' });
      const chinese = await hub.admin.error(
        categoryCalls.addCategory,
        { categoryName: '照明灯具' },
        { language: 'zh-CN' },
      );
      expect(chinese).toMatchObject({ ...taken, message: '已有同名品类' });
    });

    it('is created once by concurrent requests with the same name', async () => {
      const categoryName = unique('Name-');
      const answers = await Promise.all([1, 2, 3, 4].map(() => user.call(categoryCalls.addCategory, { categoryName })));
      expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
    });

    // Spec 7.54
    it('counts its functions by kind, and its products that the caller may see', async () => {
      const [one, two] = [await hub.create.tenancy(), await hub.create.tenancy()];
      const [mine, theirs] = [
        await hub.create.user({ tenancyId: one, menus: [401] }),
        await hub.create.user({ tenancyId: two, menus: [401] }),
      ];
      const categoryId = await addCategory(hub.admin);
      await add(categoryId, [...threeFunctions(), property('more'), property('most'), service('again')]);
      for (const tenancyId of [one, one, two]) await hub.create.product(tenancyId, { categoryId });
      const count = async (client: Pick<TestUser, 'ok'>) =>
        (await client.ok(categoryCalls.getCategoryDetails, { categoryId })).productCount;
      expect(await detailsOf(categoryId)).toMatchObject({ propertyCount: 3, serviceCount: 2, eventCount: 1 });
      expect([await count(hub.admin), await count(mine), await count(theirs), await count(user)]).toEqual([3, 2, 1, 0]);
      const row = (await listed(mine)).find((each) => each.categoryId === categoryId);
      expect(row).toMatchObject({ propertyCount: 3, serviceCount: 2, eventCount: 1, productCount: 2 });
    });
  });

  describe('a built-in category', () => {
    it("is found in both languages, whatever the reader's language is", async () => {
      for (const [word, expected] of [
        ['空调', 'std-air-conditioner'],
        ['AIR-con', 'std-air-conditioner'],
        ['std-air', 'std-air-conditioner'],
        ['门锁', 'std-door-lock'],
        ['door-', 'std-door-lock'],
      ] as const)
        for (const language of ['zh-CN', 'en-US'])
          expect(await idsOf(hub.admin, { searchValue: word, standard: 1 }, language)).toEqual([expected]);
    });

    it('has the same name in both languages after a rename, and its functions keep theirs', async () => {
      const categoryId = 'std-water-leak';
      const before = [await functionsOf(categoryId, 'zh-CN'), await functionsOf(categoryId, 'en-US')];
      const sent = { categoryId, categoryName: 'Leak-detector' };
      await hub.admin.ok(categoryCalls.updateCategory, sent, { language: 'zh-CN' });
      for (const language of ['zh-CN', 'en-US'])
        expect(await detailsOf(categoryId, language)).toMatchObject({
          categoryName: 'Leak-detector',
          description: '发现漏水并报警',
          standard: 1,
        });
      const named = (list: (typeof before)[number]) =>
        list?.map((entry) => ({ ...entry, categoryName: 'Leak-detector' }));
      expect([await functionsOf(categoryId, 'zh-CN'), await functionsOf(categoryId, 'en-US')]).toEqual(
        before.map(named),
      );
      expect(await idsOf(hub.admin, { searchValue: 'Water-leak-sensor' })).toEqual([]);
      expect(await idsOf(hub.admin, { searchValue: 'leak-det' })).toEqual([categoryId]);
    });
  });

  describe('deletion of categories', () => {
    // Spec 7.57
    it('is rejected while products use the category, with name and number', async () => {
      const categoryName = unique('Used-');
      const categoryId = await addCategory(user, { categoryName });
      for (const _ of [1, 2]) await hub.create.product(user.tenancyId, { categoryId });
      const before = await rowsOf(categoryId);
      const english = await user.error(categoryCalls.deleteCategory, { categoryId });
      expect(english).toMatchObject({ statusCode: 409, code: 'CATEGORY_HAS_PRODUCTS' });
      expect(english.message).toBe(
        `The category is used by products and cannot be deleted: ${categoryName} (2 products)`,
      );
      const chinese = await user.error(categoryCalls.deleteCategory, { categoryId }, { language: 'zh-CN' });
      expect(chinese.message).toBe(`品类“${categoryName}”下有 2 个产品，不能删除`);
      expect(await rowsOf(categoryId)).toEqual(before);
    });

    // Spec 7.58
    it('deletes all or none', async () => {
      const free = [await addCategory(user), await addCategory(user)];
      await add(free[0] ?? '');
      const used = await addCategory(user);
      const productId = await hub.create.product(user.tenancyId, { categoryId: used });
      const before = await Promise.all([...free, used].map(rowsOf));
      const all = { categoryIds: [...free, used] };
      expect(await user.error(categoryCalls.deleteBatchCategory, all)).toMatchObject({
        code: 'CATEGORY_HAS_PRODUCTS',
      });
      const unknown = await user.error(categoryCalls.deleteBatchCategory, { categoryIds: [...free, 'nobody'] });
      expect(unknown).toMatchObject({ code: 'CATEGORY_NOT_FOUND', details: [{ field: 'categoryIds' }] });
      expect(await Promise.all([...free, used].map(rowsOf))).toEqual(before);

      await user.ok(productCalls.deleteDeviceProduct, { productIds: [productId] });
      const answer = await user.call(categoryCalls.deleteBatchCategory, { categoryIds: [...all.categoryIds, used] });
      expect(answer).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 3 } });
      expect(await Promise.all([...free, used].map(rowsOf))).toEqual([1, 2, 3].map(() => [[], []]));
    });

    it('leaves either both or neither when a product is created concurrently', async () => {
      for (let round = 0; round < 8; round++) {
        const categoryId = await addCategory(user);
        const kind = { nodeType: 1, protocolId: 1, classId: 1 } as const;
        const [made, deleted] = await Promise.all([
          user.call(productCalls.addDeviceProduct, { productName: unique('p'), categoryId, ...kind }),
          user.call(categoryCalls.deleteCategory, { categoryId }),
        ]);
        expect([made.success, deleted.success].sort(), JSON.stringify([made, deleted])).toEqual([false, true]);
        expect([404, 409]).toContain(made.success ? deleted.statusCode : made.statusCode);
      }
    });

    // Spec 6.11
    it("deletes a tenant's categories and products, and no others", async () => {
      const tenancyId = await hub.create.tenancy();
      const categoryId = await addCategory(hub.admin, { tenancyId });
      await add(categoryId);
      const productId = await hub.create.product(tenancyId, { categoryId });
      await hub.create.product(tenancyId);
      const others = await hub.db
        .selectFrom('product')
        .select('product_id')
        .where('tenancy_id', '!=', tenancyId)
        .execute();
      const standard = await rowsOf('std-lighting');
      await hub.admin.ok(tenancyCalls.deleteTenancy, { tenancyId });
      expect(await rowsOf(categoryId)).toEqual([[], []]);
      for (const table of ['product_function', 'product_model_version'] as const)
        expect(await hub.db.selectFrom(table).selectAll().where('product_id', '=', productId).execute()).toEqual([]);
      const left = await hub.db.selectFrom('product').select(['product_id', 'tenancy_id']).execute();
      expect(left.filter((row) => row.tenancy_id === tenancyId)).toEqual([]);
      expect(left).toHaveLength(others.length);
      expect(await rowsOf('std-lighting')).toEqual(standard);
    });
  });
});

describe('on the default engine', () => {
  setUp();
  describe('a category', () => {
    it('is custom in a tenant, and standard in the platform operator’s tenant', async () => {
      const own = await addCategory(user);
      const forTenant = await addCategory(hub.admin, { tenancyId: user.tenancyId });
      const standard = await addCategory(hub.admin, { description: 'for all' });
      expect(await detailsOf(own)).toMatchObject({ standard: 0, tenancyId: user.tenancyId, modelVersion: 1 });
      expect(await detailsOf(forTenant)).toMatchObject({ standard: 0, tenancyId: user.tenancyId });
      expect(await detailsOf(standard)).toMatchObject({ standard: 1, tenancyId: '1', description: 'for all' });
      await hub.admin.ok(categoryCalls.deleteCategory, { categoryId: standard });
    });

    it('cannot be changed by a tenant when it is standard', async () => {
      const categoryId = 'std-socket';
      const [first] = await functionsOf(categoryId);
      const id = first?.id ?? '';
      const { functionType: _fixed, ...changed } = property('changed');
      const own = await addCategory(user);
      const ways: [Call, object][] = [
        [categoryCalls.updateCategory, { categoryId, categoryName: 'Mine-now' }],
        [categoryCalls.deleteCategory, { categoryId }],
        [categoryCalls.deleteBatchCategory, { categoryIds: [own, categoryId] }],
        [categoryCalls.addOpenFunction, { categoryId, ...property('more') }],
        [categoryCalls.addOpenFunctions, { categoryId, functions: [property('more')] }],
        [categoryCalls.updateOpenFunction, { id, ...changed }],
        [categoryCalls.deleteOpenFunction, { id }],
        [categoryCalls.saveOpenFunctions, { categoryId, modelVersion: 1, functions: '[]' }],
      ];
      const before = [await rowsOf(categoryId), await rowsOf(own)];
      for (const [call, sent] of ways) {
        const answer = await user.send(call, { ...sent });
        expect(answer, call.path).toMatchObject({ statusCode: 403, code: 'STANDARD_CATEGORY_PROTECTED' });
        expect(answer.message).toBe('Only the platform can change standard categories');
        const chinese = await user.send(call, { ...sent }, { language: 'zh-CN' });
        expect(chinese.message).toBe('标准品类只有平台可以修改');
      }
      expect([await rowsOf(categoryId), await rowsOf(own)]).toEqual(before);
    });

    // Spec 7.56
    it('keeps its description when an update omits it, and clears it with an empty one', async () => {
      const categoryId = await addCategory(user, { description: '描述' });
      await user.ok(categoryCalls.updateCategory, { categoryId, categoryName: unique('cat-') });
      expect((await detailsOf(categoryId)).description).toBe('描述');
      await user.ok(categoryCalls.updateCategory, { categoryId, categoryName: unique('cat-'), description: '' });
      expect((await detailsOf(categoryId)).description).toBe('');
    });
  });

  describe('a copy of a category', () => {
    it('takes the current functions, in the caller’s language, under new ids', async () => {
      for (const language of ['zh-CN', 'en-US']) {
        const source = await functionsOf('std-lighting', language);
        const categoryId = await addCategory(user, { copyFrom: 'std-lighting' }, language);
        const bare = ({
          signCode,
          functionName,
          functionType,
          description,
          functionDefinition,
        }: (typeof source)[number]) => ({ signCode, functionName, functionType, description, functionDefinition });
        for (const reader of ['zh-CN', 'en-US'])
          expect((await functionsOf(categoryId, reader)).map(bare)).toEqual(source.map(bare));
        const ids = (await functionsOf(categoryId)).map(({ id }) => id);
        expect(source.filter(({ id }) => ids.includes(id))).toEqual([]);
      }
    });

    it('is independent of later changes of the original', async () => {
      const source = await addCategory(user);
      await add(source);
      const copy = await addCategory(user, { copyFrom: source });
      const before = await rowsOf(copy);
      await user.ok(
        categoryCalls.saveOpenFunctions,
        { categoryId: source, modelVersion: 2, functions: [] },
        { as: 'json' },
      );
      await user.ok(categoryCalls.deleteCategory, { categoryId: source });
      expect(await rowsOf(copy)).toEqual(before);
      expect(await detailsOf(copy)).toMatchObject({
        propertyCount: 1,
        serviceCount: 1,
        eventCount: 1,
        modelVersion: 1,
      });
    });
  });
});
