import {
  controlCalls,
  deviceCalls,
  modelCalls,
  productCalls,
  syncCalls,
  syncDeliveryCalls,
  zoneCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { publish } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { property } from './functions.ts';
import { type Hub, unique } from './hub.ts';
import { loginFields, tryLogin } from './raw-device.ts';
import {
  addOuterZone,
  countsOf,
  createReceiver,
  deviceOf,
  expectStatus,
  expectSynced,
  modelOf,
  productOf,
  pushAll,
  recordOf,
  recordsOf,
  SYNC_WITHIN,
  startSyncHub,
  valuesOf,
} from './sync-fixtures.ts';

let [here, there]: Hub[] = [];
let one: Hub;
let two: Hub;
let landing: Awaited<ReturnType<typeof createReceiver>>;
let back: Awaited<ReturnType<typeof createReceiver>>;
let fixture: ProductFixture;
let zoneId: number;

beforeAll(async () => {
  [here, there] = await Promise.all([startSyncHub(), startSyncHub()]);
  if (!here || !there) throw new Error('no hubs');
  [one, two] = [here, there];
  landing = await createReceiver(two);
  back = await createReceiver(one);
  fixture = await createProductFixture(one);
  zoneId = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key });
});
afterAll(() => Promise.all([here?.close(), there?.close()]));

const report = async (properties: object): Promise<string> => {
  const device = await connectNewDevice(one, fixture);
  await publish(device, JSON.stringify(device.seal({ type: 2, payload: { properties } })));
  await device.end();
  return device.deviceId;
};

describe('synchronized models', () => {
  // Spec 3.158, 4.10, 7.116, 7.119, 9.17
  it('have a record for each zone, not synchronized until requested', async () => {
    await expect.poll(async () => (await recordOf(one, zoneId, fixture.productId))?.syncStatus, SYNC_WITHIN).toBe(0);
    expect((await countsOf(one, zoneId)).model).toEqual({
      total: 1,
      success: 0,
      fail: 0,
      waiting: 1,
      sending: 0,
      syncTime: null,
    });
  });

  it('are previewed as new without a change', async () => {
    const preview = await one.admin.ok(syncCalls.previewSync, { zoneId, dataType: 1 });
    expect(preview).toMatchObject({ looked: 1, records: 1, counts: { created: 1, changed: 0, refused: 0 } });
    expect(preview.list[0]).toMatchObject({ productId: fixture.productId, change: 'created' });
    expect((await two.admin.error(productCalls.getDeviceProductDetails, { productId: fixture.productId })).code).toBe(
      'PRODUCT_NOT_FOUND',
    );
  });

  // Spec 1.15, 3.158, 4.12, 7.118
  it('are delivered completely into the tenant and application of the key', async () => {
    expect(await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 })).toEqual({ requested: 1 });
    await expectSynced(one, zoneId, 'model', 1);
    const { model } = await countsOf(one, zoneId);
    expect([model.total, model.success, model.fail, typeof model.syncTime]).toEqual([1, 1, 0, 'string']);
    const [sent, got] = [await productOf(one, fixture.productId), await productOf(two, fixture.productId)];
    expect(got).toMatchObject({
      productName: sent.productName,
      categoryName: sent.categoryName,
      nodeType: sent.nodeType,
      received: 1,
      tenancyId: landing.tenancyId,
      applicationId: landing.applicationId,
      allowRegister: 0,
    });
    expect(sent.received).toBe(0);
    expect(await modelOf(two, fixture.productId)).toEqual(await modelOf(one, fixture.productId));
  });

  // Spec 4.10, 7.117
  it('become not synchronized when they change, and show the differences', async () => {
    const { productId } = fixture;
    await one.admin.ok(modelCalls.addProductFunction, { productId, ...property('added') });
    const record = await recordOf(one, zoneId, productId);
    expect(record).toMatchObject({ syncStatus: 0, reason: '', nextTime: null });
    const preview = await one.admin.ok(syncCalls.previewSync, {
      zoneId,
      dataType: 1,
      syncIds: [record?.syncId ?? ''],
    });
    expect(preview.counts).toMatchObject({ changed: 1 });
    expect(preview.list[0]?.functions.map(({ kind, signCode }) => [kind, signCode])).toEqual([['added', 'added']]);

    await one.admin.ok(productCalls.updateDeviceProduct, { productId, productName: 'renamed' });
    const details = await one.admin.ok(syncCalls.getSyncRecord, { syncId: record?.syncId ?? '' });
    expect(details.effect?.fields).toEqual([
      { field: 'productName', before: (details.present as { productName: string }).productName, after: 'renamed' },
    ]);
    expect(details).toMatchObject({ presentKnown: 1, sent: { productName: 'renamed' } });
    expect(details.tries.map(({ ok }) => ok)).toEqual([1]);

    expect(await one.admin.ok(syncCalls.request, { zoneId, syncIds: [record?.syncId ?? ''] })).toEqual({
      requested: 1,
    });
    await expectSynced(one, zoneId, 'model', 1);
    expect((await productOf(two, productId)).productName).toBe('renamed');
    expect(await modelOf(two, productId)).toEqual(await modelOf(one, productId));
  });

  // Spec 9.17
  it('are sent automatically when the zone is configured so', async () => {
    const automatic = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key }, 1);
    await expectSynced(one, automatic, 'model', 1);
    await one.admin.ok(modelCalls.addProductFunction, { productId: fixture.productId, ...property('again') });
    await expect
      .poll(async () => (await modelOf(two, fixture.productId)).map(({ signCode }) => signCode), SYNC_WITHIN)
      .toContain('again');
    await expectSynced(one, automatic, 'model', 1);
    await one.admin.ok(zoneCalls.removeZone, { id: automatic });
    // The other zone has a record too, but no request.
    await expectStatus(one, zoneId, fixture.productId, 0);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
  });
});

describe('synchronized devices', () => {
  let deviceId: string;

  it('are delivered with their latest values and without a secret', async () => {
    deviceId = await report({ power: true });
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, deviceId, 2);
    expect(await deviceOf(two, deviceId)).toMatchObject({
      productId: fixture.productId,
      received: 1,
      tenancyId: landing.tenancyId,
      applicationId: landing.applicationId,
      online: 2,
    });
    expect(await valuesOf(two, deviceId)).toEqual(await valuesOf(one, deviceId));
    const row = await two.db.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
    expect(row?.secret_sealed).toBe('');
    const fields = loginFields({ productId: fixture.productId, deviceId, secret: fixture.productSecret });
    expect((await tryLogin(two.url, fields)).code).toBe('SIGNATURE');
  });

  it('are detected as changed by comparison, with the fields that differ', async () => {
    await one.admin.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'renamed' });
    await expectStatus(one, zoneId, deviceId, 0);
    const preview = await one.admin.ok(syncCalls.previewSync, { zoneId, dataType: 2 });
    expect(preview.list.find((row) => row.deviceId === deviceId)).toMatchObject({
      change: 'changed',
      fields: [{ field: 'deviceName', after: 'renamed' }],
    });
    await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 2 });
    await expectStatus(one, zoneId, deviceId, 2);
    expect((await deviceOf(two, deviceId)).deviceName).toBe('renamed');
  });

  it('exist once, however often they are sent', async () => {
    const ids = (await recordsOf(one, zoneId)).map(({ syncId }) => syncId);
    for (const _ of [1, 2, 3]) {
      await one.admin.ok(syncCalls.request, { zoneId, syncIds: ids });
      await expect.poll(async () => (await countsOf(one, zoneId)).data.sending, SYNC_WITHIN).toBe(0);
    }
    const page = await two.admin.ok(deviceCalls.queryDeviceList, { productId: fixture.productId });
    expect(page.total).toBe((await countsOf(one, zoneId)).data.total);
    expect((await modelOf(two, fixture.productId)).length).toBe((await modelOf(one, fixture.productId)).length);
  });

  it('and products are read-only at the receiver, except for their application', async () => {
    const { productId } = fixture;
    const refusals = [
      await two.admin.error(deviceCalls.updateDevice, { deviceId, deviceName: 'mine' }),
      await two.admin.error(deviceCalls.resetDeviceSecret, { deviceId }),
      await two.admin.error(controlCalls.markBlack, { idList: [deviceId], op: 1 }),
      await two.admin.error(controlCalls.kickOut, { deviceId, op: 1 }),
      await two.admin.error(controlCalls.configHaArea, { deviceId, haZoneId: 2 }),
      await two.admin.error(productCalls.updateDeviceProduct, { productId, productName: 'mine' }),
      await two.admin.error(productCalls.resetProductSecret, { productId }),
      await two.admin.error(modelCalls.addProductFunction, { productId, ...property('mine') }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'RECEIVED_READ_ONLY'));
    const applicationId = await two.create.application(landing.tenancyId);
    await two.admin.ok(controlCalls.configApplication, { deviceId, applicationId });
    const { productName } = await productOf(two, productId);
    await two.admin.ok(productCalls.updateDeviceProduct, { productId, productName, applicationId });
    await one.admin.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'renamed-again' });
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, deviceId, 2);
    expect(await deviceOf(two, deviceId)).toMatchObject({ deviceName: 'renamed-again', applicationId });
  });

  it('stay at the receiver when they are deleted here; their record is deleted', async () => {
    const gone = await report({ power: false });
    await expectStatus(one, zoneId, gone, 0);
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, gone, 2);
    const { total } = (await countsOf(one, zoneId)).data;
    await one.admin.ok(deviceCalls.deleteDevices, { deviceIds: [gone] });
    expect((await countsOf(one, zoneId)).data.total).toBe(total - 1);
    expect((await deviceOf(two, gone)).deviceId).toBe(gone);
  });
});

describe('synchronisation in both directions', () => {
  it('sends nothing back to its origin', async () => {
    const backZone = await addOuterZone(two, { bucketUrl: one.url, apiKey: back.key }, 1);
    const own = await two.create.product(landing.tenancyId);
    await expectStatus(two, backZone, own, 2);
    await expectSynced(two, backZone, 'model', 1);
    expect(await productOf(one, own)).toMatchObject({ received: 1, tenancyId: back.tenancyId });
    // Received items are not sent back.
    await expect.poll(async () => (await countsOf(one, zoneId)).model.total, SYNC_WITHIN).toBe(1);
    await expect.poll(async () => (await countsOf(two, backZone)).data.total, SYNC_WITHIN).toBe(0);
    expect((await productOf(one, fixture.productId)).received).toBe(0);
  });
});

describe('the receiver', () => {
  const receiver = (key: string) => createClient(two.url, key);

  it('answers the tenant of the key, and whether the zone exists', async () => {
    const told = await receiver(landing.key).ok(syncDeliveryCalls.getSyncTarget, { zoneId: 1 });
    expect(told).toMatchObject({ tenancyId: landing.tenancyId, applicationId: landing.applicationId, zoneKnown: 1 });
    const unknown = await receiver(landing.key).ok(syncDeliveryCalls.getSyncTarget, { zoneId: 99_999 });
    expect(unknown.zoneKnown).toBe(0);
  });

  it('ignores older revisions, and handles each item separately', async () => {
    const { productId } = fixture;
    const [, sent] = [await productOf(one, productId), await recordOf(one, zoneId, productId)];
    const { sent: content } = await one.admin.ok(syncCalls.getSyncRecord, { syncId: sent?.syncId ?? '' });
    const row = await two.db
      .selectFrom('product')
      .selectAll()
      .where('product_id', '=', productId)
      .executeTakeFirstOrThrow();
    const item = { kind: 'model', id: productId, origin: row.origin_id, revision: row.revision - 1 } as const;
    const items = [
      { ...item, content: { ...(content as object), productName: 'older' } },
      { ...item, id: 'another1', revision: 5, content: { ...(content as object), productName: '!' } },
      {
        ...item,
        id: 'stolen1',
        origin: 'elsewhere',
        revision: 5,
        content: { ...(content as object), productName: 'fine' },
      },
    ];
    const { results } = await receiver(landing.key).ok(syncDeliveryCalls.deliverSync, { items }, { as: 'json' });
    const byId = Object.fromEntries(results.map(({ id, result, code }) => [id, [result, code]]));
    expect(byId).toEqual({
      [productId]: ['older', ''],
      another1: ['refused', 'invalid'],
      stolen1: ['created', ''],
    });
    expect((await productOf(two, productId)).productName).not.toBe('older');
  });

  it('writes an audit entry per delivery with changes; of routine ones an entry an hour', async () => {
    const own = await createReceiver(two);
    const { syncId = '' } = (await recordOf(one, zoneId, fixture.productId)) ?? {};
    const { sent: content } = await one.admin.ok(syncCalls.getSyncRecord, { syncId });
    const good = { kind: 'model', id: unique('made'), origin: 'elsewhere', revision: 5, content } as const;
    const bad = { ...good, id: unique('bad'), content: { ...(content as object), productName: '!' } };
    for (const items of [[good, bad], [good], [bad], [bad]])
      await receiver(own.key).ok(syncDeliveryCalls.deliverSync, { items }, { as: 'json' });
    const entries = two.db.selectFrom('audit_log').selectAll().where('action', '=', 'bucket.deliverSync');
    const rows = await entries.where('target_id', '=', own.keyId).orderBy('audit_id').execute();
    const told = rows.map(({ tenancy_id, user_id, after_json }) => [tenancy_id, user_id, JSON.parse(after_json)]);
    expect(told).toEqual([
      [own.tenancyId, own.keyId, { 'model created': 1, 'model refused': 1 }],
      [own.tenancyId, own.keyId, { 'model refused': 1 }],
    ]);
  });
});
