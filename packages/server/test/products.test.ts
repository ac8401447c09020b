import {
  allCalls,
  applicationCalls,
  type Call,
  categoryCalls,
  modelCalls,
  productCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachEngine } from './engine.ts';
import { property, threeFunctions } from './functions.ts';
import { type Hub, type TestUser, unique } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { createReader } from './tenants.ts';

let hub: Hub;
let tenancyId: string;
let user: TestUser;

const setUp = (): void => {
  beforeAll(async () => {
    hub = await sharedHub();
    tenancyId = await hub.create.tenancy();
    user = await hub.create.user({ tenancyId, menus: [401, 502] });
  });
  afterAll(() => hub.close());
};

const kind = { nodeType: 1, protocolId: 1, classId: 1 } as const;
const addProduct = (more: object = {}, language = 'en-US') =>
  user.ok(
    productCalls.addDeviceProduct,
    { productName: unique('p'), categoryId: 'std-lighting', ...kind, ...more },
    { language },
  );
const detailsOf = (productId: string, language = 'en-US') =>
  user.ok(productCalls.getDeviceProductDetails, { productId }, { language });
const modelOf = (productId: string) => user.ok(modelCalls.getDeviceFunctionDefinitionList, { productId });
const rowOf = (productId: string) =>
  hub.db.selectFrom('product').selectAll().where('product_id', '=', productId).executeTakeFirst();
const countProducts = async () => (await hub.db.selectFrom('product').select('product_id').execute()).length;

/** The answer as text, whether in the envelope or a file. */
const textOf = async ({ token }: TestUser, call: Call, sent: Record<string, string>): Promise<string> => {
  const query = new URLSearchParams(sent);
  const inQuery = call.method === 'GET';
  const response = await fetch(`${hub.url}${call.path}${inQuery ? `?${query}` : ''}`, {
    method: call.method,
    headers: { Authorization: token },
    ...(inQuery ? {} : { body: query }),
  });
  return response.text();
};

describeOnEachEngine(() => {
  setUp();

  describe('a product', () => {
    // Spec 1.6, 5.18, 7.66, 7.68, 9.13
    it('is created with a key of letters and digits, and returns all its fields in both languages', async () => {
      const applicationId = await hub.create.application(tenancyId);
      const productName = unique('灯');
      const more = { productName, description: '客厅', nodeType: 2, protocolId: 4, classId: 3, applicationId };
      const { productId } = await addProduct({ ...more, allowRegister: 0, allowMd5: 0 });
      expect(productId).toMatch(/^[A-Za-z0-9]{8,16}$/);
      const told = { ...more, productId, allowRegister: 0, allowMd5: 0, categoryStandard: 1, deviceCount: 0, icon: '' };
      expect(await detailsOf(productId)).toMatchObject({
        ...told,
        nodeTypeName: 'Gateway',
        protocolName: 'Cellular',
        className: 'Industry',
        categoryName: 'Lighting',
        tenancyId,
        creator: user.username,
        modelVersion: 1,
      });
      expect(await detailsOf(productId, 'zh-CN')).toMatchObject({
        ...told,
        nodeTypeName: '网关设备',
        protocolName: '蜂窝',
        className: '工业',
        categoryName: '照明灯具',
      });
    });

    it('has a name that is unique in its tenant, ignoring case', async () => {
      const productName = unique('Lamp');
      const first = await addProduct({ productName });
      const taken = { statusCode: 409, code: 'PRODUCT_NAME_TAKEN', details: [{ field: 'productName' }] };
      const again = { productName: productName.toUpperCase(), categoryId: 'std-lighting', ...kind };
      expect(await user.error(productCalls.addDeviceProduct, again)).toMatchObject(taken);
      const other = await addProduct();
      const rename = { productId: other.productId, productName: productName.toLowerCase() };
      const refusal = await user.error(productCalls.updateDeviceProduct, rename, { language: 'zh-CN' });
      expect(refusal).toMatchObject({ ...taken, message: '该租户下已有同名产品' });
      await user.ok(productCalls.updateDeviceProduct, { ...rename, productId: first.productId });
      await hub.create.product(await hub.create.tenancy(), { productName });
    });

    // Spec 7.67
    it('counts its devices, and with some cannot be deleted', async () => {
      const productName = unique('p');
      const { productId } = await addProduct({ productName });
      const free = (await addProduct()).productId;
      const applicationId = await hub.create.application(tenancyId);
      for (const online of [1, 2, 2] as const) await hub.create.device({ productId, applicationId, online });
      expect((await detailsOf(productId)).deviceCount).toBe(3);
      const sent = { productIds: [free, productId] };
      const english = await user.error(productCalls.deleteDeviceProduct, sent);
      expect(english).toMatchObject({ statusCode: 409, code: 'PRODUCT_HAS_DEVICES' });
      expect(english.message).toBe(`The product has devices and cannot be deleted: ${productName} (3 devices)`);
      const chinese = await user.error(productCalls.deleteDeviceProduct, sent, { language: 'zh-CN' });
      expect(chinese.message).toBe(`产品“${productName}”下有 3 台设备，不能删除`);
      expect((await detailsOf(free)).productId).toBe(free);
      await hub.admin.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
      const done = await user.call(productCalls.deleteDeviceProduct, sent);
      expect(done).toMatchObject({ success: true, message: 'Delete succeeded', data: { deleted: 2 } });
      expect(await user.error(productCalls.getDeviceProductDetails, { productId })).toMatchObject({
        statusCode: 404,
      });
      for (const table of ['product_function', 'product_model_version'] as const)
        expect(await hub.db.selectFrom(table).selectAll().where('product_id', '=', productId).execute()).toEqual([]);
    });
  });
});

describe('on the default engine', () => {
  setUp();

  describe('a product', () => {
    it('copies the current functions of its category in the creator’s language, or none', async () => {
      for (const language of ['zh-CN', 'en-US']) {
        const open = { categoryId: 'std-lighting', pageSize: 200 };
        const { list } = await user.ok(categoryCalls.getOpenFunctions, open, { language });
        const { productId } = await addProduct({}, language);
        const model = await modelOf(productId);
        expect(model.map(({ signCode, functionName }) => [signCode, functionName])).toEqual(
          list.map(({ signCode, functionName }) => [signCode, functionName]),
        );
        expect(model.map(({ functionDefinition }) => functionDefinition)).toEqual(
          list.map(({ functionDefinition }) => functionDefinition),
        );
        expect((await detailsOf(productId)).functionCount).toBe(list.length);
      }
      const { productId } = await addProduct({ inheritFunctions: 0 });
      expect(await modelOf(productId)).toEqual([]);
      expect(await detailsOf(productId)).toMatchObject({ functionCount: 0, modelVersion: 1 });
    });

    it('does not change with its category', async () => {
      const categoryId = await hub.create.category(tenancyId);
      await user.ok(categoryCalls.addOpenFunctions, { categoryId, functions: threeFunctions() });
      const { productId } = await addProduct({ categoryId });
      const before = [await modelOf(productId), await rowOf(productId)];
      const sent = { categoryId, modelVersion: 2, functions: [property('other')] };
      await user.ok(categoryCalls.saveOpenFunctions, sent);
      await user.ok(categoryCalls.updateCategory, { categoryId, categoryName: 'Renamed-1' });
      expect([await modelOf(productId), await rowOf(productId)]).toEqual(before);
      expect((await detailsOf(productId)).categoryName).toBe('Renamed-1');
    });

    it('is created of a standard category or one of its own tenant, never of another’s', async () => {
      const other = await hub.create.tenancy();
      const theirs = await hub.create.category(other);
      const before = await countProducts();
      const refusal = await user.send(productCalls.addDeviceProduct, {
        productName: unique('p'),
        categoryId: theirs,
        ...kind,
      });
      expect(refusal).toMatchObject({
        statusCode: 404,
        code: 'CATEGORY_NOT_FOUND',
        details: [{ field: 'categoryId' }],
      });
      // The platform operator sees that category, and still cannot mix tenants.
      const mixed = { productName: unique('p'), categoryId: theirs, ...kind, tenancyId };
      expect(await hub.admin.error(productCalls.addDeviceProduct, mixed)).toMatchObject({
        code: 'CATEGORY_NOT_FOUND',
      });
      expect(await countProducts()).toBe(before);
      expect(await hub.create.product(other, { categoryId: theirs })).toMatch(/\w{8}/);
    });

    // Spec 7.69
    it('keeps omitted fields, and never changes its node type, protocol and category', async () => {
      const applicationId = await hub.create.application(tenancyId);
      const { productId } = await addProduct({ description: 'kept', classId: 5, applicationId, allowRegister: 0 });
      const before = await detailsOf(productId);
      const productName = unique('p');
      await user.ok(productCalls.updateDeviceProduct, { productId, productName });
      expect({ ...(await detailsOf(productId)), updateTime: '' }).toEqual({ ...before, productName, updateTime: '' });
      await user.ok(productCalls.updateDeviceProduct, {
        productId,
        productName,
        description: '',
        classId: 8,
        applicationId: '',
        allowRegister: 1,
        allowMd5: 0,
      });
      const after = {
        description: '',
        classId: 8,
        applicationId: '',
        applicationName: '',
        allowRegister: 1,
        allowMd5: 0,
      };
      expect(await detailsOf(productId)).toMatchObject(after);
      const fixed = { productId, productName, nodeType: 3 };
      const refusal = await user.send(productCalls.updateDeviceProduct, fixed, { as: 'json' });
      expect(refusal).toMatchObject({ details: [{ field: 'nodeType', message: 'Unknown field' }] });
    });

    it('has a default application of its own tenant, and loses it with the application', async () => {
      const theirs = await hub.create.application(await hub.create.tenancy());
      const refusal = { statusCode: 404, code: 'APPLICATION_NOT_FOUND', details: [{ field: 'applicationId' }] };
      for (const client of [user, hub.admin]) {
        const sent = {
          productName: unique('p'),
          categoryId: 'std-lighting',
          ...kind,
          applicationId: theirs,
          tenancyId,
        };
        expect(await client.error(productCalls.addDeviceProduct, sent)).toMatchObject(refusal);
      }
      const applicationId = await hub.create.application(tenancyId);
      const { productId } = await addProduct({ applicationId });
      const change = { productId, productName: unique('p'), applicationId: theirs };
      expect(await user.error(productCalls.updateDeviceProduct, change)).toMatchObject(refusal);
      expect((await detailsOf(productId)).applicationId).toBe(applicationId);
      await hub.admin.ok(applicationCalls.deleteApplication, { applicationIds: [applicationId] });
      expect(await detailsOf(productId)).toMatchObject({ applicationId: '', applicationName: '' });
    });
  });

  describe('the product secret', () => {
    it('is answered once, and stored encrypted', async () => {
      const created = await addProduct();
      const reset = await user.ok(productCalls.resetProductSecret, { productId: created.productId });
      expect(created.productSecret).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(reset.productSecret).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(reset.productSecret).not.toBe(created.productSecret);
      const { productId } = created;
      const reader = await createReader(hub, '1');
      const reads = allCalls.filter(({ call }) => call.kind === 'query' && !('answersStream' in call));
      const told: string[] = [];
      for (const { call } of reads) told.push(await textOf(reader, call, { productId, pageSize: '200' }));
      expect(told.filter((text) => text.includes(productId)).length).toBeGreaterThan(2);
      const rows = JSON.stringify([
        await hub.db.selectFrom('product').selectAll().execute(),
        await hub.db.selectFrom('audit_log').selectAll().execute(),
        await hub.db.selectFrom('product_model_version').selectAll().execute(),
      ]);
      expect(rows).toContain(productId);
      for (const secret of [created.productSecret, reset.productSecret])
        for (const text of [...told, rows, hub.process.errors()]) expect(text).not.toContain(secret);
    });

    it('is replaced by a reset', async () => {
      const { productId } = await addProduct();
      const before = await rowOf(productId);
      await user.ok(productCalls.resetProductSecret, { productId });
      const after = await rowOf(productId);
      expect(after?.secret_sealed).not.toBe(before?.secret_sealed);
      expect({ ...after, secret_sealed: '', updated_at: 0 }).toEqual({ ...before, secret_sealed: '', updated_at: 0 });
    });
  });
});
