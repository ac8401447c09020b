import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  deviceCalls,
  deviceTakeoverCalls,
  productCalls,
  productTakeoverCalls,
  syncCalls,
  zoneCalls,
} from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import {
  addOuterZone,
  createReceiver,
  deviceOf,
  expectFailure,
  expectStatus,
  expectSynced,
  productOf,
  pushAll,
  recordOf,
  SYNC_WITHIN,
  startSyncHub,
} from './sync-fixtures.ts';

let one: Hub;
let two: Hub;
let place: ProductFixture;
let landing: Awaited<ReturnType<typeof createReceiver>>;
let zoneId: number;
let deviceId: string;

beforeAll(async () => {
  [one, two] = await Promise.all([startSyncHub(), startSyncHub()]);
  place = await createProductFixture(one);
  deviceId = await one.create.device({ productId: place.productId, applicationId: place.applicationId });
  landing = await createReceiver(two);
  zoneId = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key });
});
afterAll(() => Promise.all([one?.close(), two?.close()]));

/** Waits until a record that was in sync is not, for this reason. */
const expectLost = (itemId: string, code: string) =>
  expect
    .poll(async () => {
      const row = await recordOf(one, zoneId, itemId);
      return [row?.syncStatus, row?.reasonCode];
    }, SYNC_WITHIN)
    .toEqual([0, code]);

describe('a record in sync', () => {
  it('is confirmed by every node', async () => {
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    await expectSynced(one, zoneId, 'data', 1);
  });

  it('is reset with a reason once the receiver has deleted the item, and sent again by "sync all"', async () => {
    await two.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await expectLost(deviceId, 'missingThere');
    const row = await recordOf(one, zoneId, deviceId);
    expect(row?.reason).toBe('The other platform no longer has this item; it may have been deleted there');
    expect(await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 2 })).toEqual({ requested: 1 });
    await expectSynced(one, zoneId, 'data', 1);
    expect((await deviceOf(two, deviceId)).received).toBe(1);
  });

  it('is detected as missing by the preview and by "sync all"', async () => {
    await two.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    const preview = await one.admin.ok(syncCalls.previewSync, { zoneId, dataType: 2 });
    expect(preview.counts).toMatchObject({ created: 1 });
    expect(await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 2 })).toEqual({ requested: 1 });
    await expectSynced(one, zoneId, 'data', 1);
  });

  it('fails when the receiver has a later revision, until everything is sent again', async () => {
    const { productId } = place;
    // As after a backup of the sender was restored.
    const product = two.db.updateTable('product').where('product_id', '=', productId);
    await product.set((row) => ({ revision: row('revision', '+', 1), product_name: 'later' })).execute();
    const device = two.db.updateTable('device').where('device_id', '=', deviceId);
    await device.set((row) => ({ revision: row('revision', '+', 1), device_name: 'later' })).execute();
    await expectLost(productId, 'newerThere');
    await expectLost(deviceId, 'newerThere');
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, productId, 'newerThere');
    await expectFailure(one, zoneId, deviceId, 'newerThere');
    for (const dataType of [1, 2] as const)
      expect(await one.admin.ok(syncCalls.resend, { zoneId, dataType })).toEqual({ requested: 1 });
    await expectSynced(one, zoneId, 'model', 1);
    await expectSynced(one, zoneId, 'data', 1);
    expect((await productOf(two, productId)).productName).toBe((await productOf(one, productId)).productName);
    expect((await deviceOf(two, deviceId)).deviceName).toBe((await deviceOf(one, deviceId)).deviceName);
  });

  it('is reset once the node leads to another tenant', async () => {
    const { productId } = place;
    const other = await createReceiver(two);
    const { zoneName, routeKey, address, nodes } = await one.admin.ok(zoneCalls.getZoneDetail, { id: zoneId });
    const withKey = (apiKey: string) =>
      one.admin.ok(zoneCalls.modifyZone, {
        ...{ id: zoneId, zoneName, zoneType: 2, routeKey, address, isSyncModel: 0 },
        nodes: JSON.stringify([
          { nodeId: nodes[0]?.nodeId, bucketUrl: two.url, bucketZoneId: nodes[0]?.bucketZoneId, apiKey },
        ]) as never,
      });
    await withKey(other.key);
    await expectLost(productId, 'receiverChanged');
    await expectLost(deviceId, 'receiverChanged');
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, productId, 'productIdTaken');
    await withKey(landing.key);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    await expectSynced(one, zoneId, 'data', 1);
    await two.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await two.admin.ok(productCalls.deleteDeviceProduct, { productIds: [productId] });
    await expectLost(productId, 'missingThere');
  });
});

describe('a received product after a takeover', () => {
  it('is managed at the receiver, with its devices, and deliveries of its origin are rejected with a message', async () => {
    const productId = await one.create.product(place.tenancyId);
    const own = await one.create.device({ productId, applicationId: place.applicationId });
    await expectStatus(one, zoneId, own, 0);
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, own, 2);
    const foreign = await two.create.user({ tenancyId: await two.create.tenancy(), menus: [501, 502] });
    expect((await foreign.error(productTakeoverCalls.takeOverProduct, { productId })).code).toBe('PRODUCT_NOT_FOUND');

    expect(await two.admin.ok(productTakeoverCalls.takeOverProduct, { productId })).toEqual({ devices: 1 });
    expect(await productOf(two, productId)).toMatchObject({ received: 0 });
    await two.admin.ok(productCalls.updateDeviceProduct, { productId, productName: unique('mine') });
    await two.admin.ok(deviceCalls.updateDevice, { deviceId: own, deviceName: 'mine' });
    await two.admin.ok(deviceCalls.resetDeviceSecret, { deviceId: own });
    for (const call of [
      two.admin.error(productTakeoverCalls.takeOverProduct, { productId }),
      two.admin.error(deviceTakeoverCalls.takeOverDevice, { deviceId: own }),
    ])
      expect((await call).code).toBe('NOT_RECEIVED');

    await one.admin.ok(productCalls.updateDeviceProduct, { productId, productName: unique('later') });
    await one.admin.ok(deviceCalls.updateDevice, { deviceId: own, deviceName: 'later' });
    await expectStatus(one, zoneId, own, 0);
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, productId, 'takenOver');
    await expectFailure(one, zoneId, own, 'takenOver');
    expect((await recordOf(one, zoneId, own))?.reason).toBe(
      'The other platform has taken over this item; it is no longer synced from here',
    );
    expect((await deviceOf(two, own)).deviceName).toBe('mine');
  });
});

describe('two products that swapped their names', () => {
  it('are delivered, also when they are sent one after the other', async () => {
    const ids = [await one.create.product(place.tenancyId), await one.create.product(place.tenancyId)] as const;
    const namesAt = async (hub: Hub) => [
      (await productOf(hub, ids[0])).productName,
      (await productOf(hub, ids[1])).productName,
    ];
    for (const productId of ids) await expectStatus(one, zoneId, productId, 0);
    await pushAll(one, zoneId);
    for (const productId of ids) await expectStatus(one, zoneId, productId, 2);
    const [first = '', second = ''] = await namesAt(one);
    const rename = (productId: string, productName: string) =>
      one.admin.ok(productCalls.updateDeviceProduct, { productId, productName });
    await rename(ids[0], unique('between'));
    await rename(ids[1], first);
    await rename(ids[0], second);
    const request = async (productId: string) => {
      const record = await recordOf(one, zoneId, productId);
      await one.admin.ok(syncCalls.request, { zoneId, syncIds: [record?.syncId ?? ''] });
    };
    await request(ids[0]);
    await expectFailure(one, zoneId, ids[0], 'productNameTaken');
    await request(ids[1]);
    for (const productId of ids) await expectStatus(one, zoneId, productId, 2);
    expect(await namesAt(two)).toEqual([second, first]);
  });
});

describe('a receiver of a version before this check', () => {
  it('gets the fields that it knows, and its acceptance counts as delivered', async () => {
    const bodies: Record<string, unknown>[] = [];
    const old = createServer(async (request, response) => {
      const answer = (data: object) =>
        response.end(JSON.stringify({ success: true, statusCode: 200, message: '', data }));
      if (request.method === 'GET') return void answer({ protocol: 1, installationId: 'old-hub', zoneKnown: 1 });
      const body = (await json(request)) as { items: { kind: string; id: string }[] };
      bodies.push(body);
      const results = body.items.map(({ kind, id }) => ({ kind, id, result: 'created', code: '', params: {} }));
      answer({ installationId: 'old-hub', results });
    });
    old.listen(0, '127.0.0.1');
    await once(old, 'listening');
    const { port } = old.address() as { port: number };
    const oldZone = await addOuterZone(one, { bucketUrl: `http://127.0.0.1:${port}`, apiKey: landing.key });
    await one.admin.ok(syncCalls.oneKey, { zoneId: oldZone, dataType: 1 });
    await expectStatus(one, oldZone, place.productId, 2);
    expect(await one.admin.ok(syncCalls.oneKey, { zoneId: oldZone, dataType: 1 })).toEqual({ requested: 0 });
    for (const body of bodies) expect(Object.keys(body).sort()).toEqual(['items', 'preview', 'zoneId']);
    await one.admin.ok(zoneCalls.removeZone, { id: oldZone });
    old.close();
  });
});
