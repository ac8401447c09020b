import { deviceCalls, productCalls, syncCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Workshop, workshop } from './device-kit.ts';
import type { Hub } from './hub.ts';
import {
  addOuterZone,
  deviceOf,
  expectFailure,
  expectInStep,
  expectStatus,
  makeLanding,
  productOf,
  pushAll,
  recordOf,
  SYNC_WITHIN,
  startSyncHub,
} from './sync-kit.ts';

let one: Hub;
let two: Hub;
let place: Workshop;
let landing: Awaited<ReturnType<typeof makeLanding>>;
let zoneId: number;
let deviceId: string;

beforeAll(async () => {
  [one, two] = await Promise.all([startSyncHub(), startSyncHub()]);
  place = await workshop(one);
  deviceId = await one.has.device({ productId: place.productId, applicationId: place.applicationId });
  landing = await makeLanding(two);
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
  it('is one that every node has', async () => {
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectInStep(one, zoneId, 'model', 1);
    await expectInStep(one, zoneId, 'data', 1);
  });

  it('is reset with a reason once the receiver has deleted the item, and sent again by "sync all"', async () => {
    await two.admin.get(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await expectLost(deviceId, 'missingThere');
    const row = await recordOf(one, zoneId, deviceId);
    expect(row?.reason).toBe('The other side no longer has it; it may have been deleted there');
    expect(await one.admin.get(syncCalls.oneKey, { zoneId, dataType: 2 })).toEqual({ requested: 1 });
    await expectInStep(one, zoneId, 'data', 1);
    expect((await deviceOf(two, deviceId)).received).toBe(1);
  });

  it('is found missing by the preview and by "sync all" themselves', async () => {
    await two.admin.get(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    const preview = await one.admin.get(syncCalls.previewSync, { zoneId, dataType: 2 });
    expect(preview.counts).toMatchObject({ created: 1 });
    expect(await one.admin.get(syncCalls.oneKey, { zoneId, dataType: 2 })).toEqual({ requested: 1 });
    await expectInStep(one, zoneId, 'data', 1);
  });

  it('fails where the receiver has a later revision, until everything is sent again', async () => {
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
      expect(await one.admin.get(syncCalls.resend, { zoneId, dataType })).toEqual({ requested: 1 });
    await expectInStep(one, zoneId, 'model', 1);
    await expectInStep(one, zoneId, 'data', 1);
    expect((await productOf(two, productId)).productName).toBe((await productOf(one, productId)).productName);
    expect((await deviceOf(two, deviceId)).deviceName).toBe((await deviceOf(one, deviceId)).deviceName);
  });

  it('is reset once the node leads to another tenant', async () => {
    const { productId } = place;
    const other = await makeLanding(two);
    const { zoneName, routeKey, address, nodes } = await one.admin.get(zoneCalls.getZoneDetail, { id: zoneId });
    const withKey = (apiKey: string) =>
      one.admin.get(zoneCalls.modifyZone, {
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
    await expectInStep(one, zoneId, 'model', 1);
    await expectInStep(one, zoneId, 'data', 1);
    await two.admin.get(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await two.admin.get(productCalls.deleteDeviceProduct, { productIds: [productId] });
    await expectLost(productId, 'missingThere');
  });
});
