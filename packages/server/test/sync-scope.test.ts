import { syncCalls, syncDeliveryCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import { type Hub, unique } from './hub.ts';
import {
  addOuterZone,
  createReceiver,
  expectStatus,
  expectSynced,
  productOf,
  pushAll,
  recordOf,
  recordsOf,
  SYNC_WITHIN,
  startSyncHub,
} from './sync-fixtures.ts';
import { outerNode, zoneFields } from './zone-fixtures.ts';

let one: Hub;
let two: Hub;
let landing: Awaited<ReturnType<typeof createReceiver>>;

beforeAll(async () => {
  [one, two] = await Promise.all([startSyncHub(), startSyncHub()]);
  landing = await createReceiver(two);
});
afterAll(() => Promise.all([one?.close(), two?.close()]));

const outerFields = () => ({ ...zoneFields({ zoneType: 2, nodes: JSON.stringify([outerNode()]) }) }) as never;
const detailsOf = (id: number) => one.admin.ok(zoneCalls.getZoneDetail, { id });
const idsOf = async (zoneId: number) => (await recordsOf(one, zoneId)).map(({ productId }) => productId);

const choose = async (id: number, syncTenancies: string[]) => {
  const { zoneName, routeKey, address, nodes } = await detailsOf(id);
  const fields = { id, zoneName, zoneType: 2, routeKey, address, isSyncModel: 0 } as const;
  const kept = nodes.map(({ nodeId, bucketUrl, bucketZoneId }) => ({ nodeId, bucketUrl, bucketZoneId }));
  return one.admin.send(zoneCalls.modifyZone, { ...fields, syncTenancies, nodes: kept });
};

describe('the tenants that a new zone synchronises', () => {
  it('are the only one, and none when there are several', async () => {
    const { id: alone } = await one.admin.ok(zoneCalls.addZone, outerFields());
    expect(await detailsOf(alone)).toMatchObject({ syncAll: 0, syncTenancies: [{ tenancyId: '1' }] });
    await one.create.product(await one.create.tenancy());
    const { id } = await one.admin.ok(zoneCalls.addZone, outerFields());
    expect(await detailsOf(id)).toMatchObject({ syncAll: 0, syncTenancies: [] });
    expect(await one.admin.ok(syncCalls.oneKey, { zoneId: id, dataType: 1 })).toEqual({ requested: 0 });
    expect(await recordsOf(one, id)).toEqual([]);
    for (const zoneId of [alone, id]) await one.admin.ok(zoneCalls.removeZone, { id: zoneId });
  });

  it('are the chosen ones: nothing of others is sent', async () => {
    const [mine, others] = [await one.create.tenancy(), await one.create.tenancy()];
    const [own, foreign] = [await one.create.product(mine), await one.create.product(others)];
    const zoneId = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key }, 1, { syncTenancies: [mine] });
    await expectSynced(one, zoneId, 'model', 1);
    expect(await idsOf(zoneId)).toEqual([own]);
    expect((await productOf(two, own)).tenancyId).toBe(landing.tenancyId);

    expect(await choose(zoneId, ['nobody'])).toMatchObject({
      code: 'TENANCY_NOT_FOUND',
      details: [{ field: 'syncTenancies' }],
    });
    expect(await choose(zoneId, [others])).toMatchObject({ success: true });
    await expect.poll(() => idsOf(zoneId), SYNC_WITHIN).toEqual([foreign]);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    const another = await one.create.product(mine);
    const next = await one.create.product(others);
    await expectStatus(one, zoneId, next, 0);
    expect(await recordOf(one, zoneId, another)).toBeUndefined();
    const { list } = await one.admin.ok(syncCalls.querySyncRecordCount, { pageSize: 200 });
    expect(list.find((row) => row.zoneId === zoneId)?.tenants).toBe(1);
    await one.admin.ok(zoneCalls.removeZone, { id: zoneId });
  });
});

describe('items of a third platform', () => {
  it('are passed on, and not sent back to the hub they came from', async () => {
    const at = await createReceiver(one);
    const received = unique('third');
    const functions: unknown[] = [];
    const content = {
      ...{ productName: unique('third'), description: '', categoryName: 'meters', nodeType: 1, protocolId: 1 },
      ...{ classId: 1, allowMd5: 1, modelVersion: 1, functions },
    };
    const item = { kind: 'model', id: received, origin: 'third-hub', revision: 1, content } as const;
    const delivery = { sender: 'third-hub', items: [item] };
    const { results } = await createClient(one.url, at.key).ok(syncDeliveryCalls.deliverSync, delivery, {
      as: 'json',
    });
    expect(results).toMatchObject([{ result: 'created' }]);
    const { tenancyId } = at;
    const forth = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key }, 0, {
      syncTenancies: [tenancyId],
    });
    const back = await createReceiver(one);
    const backZone = await addOuterZone(two, { bucketUrl: one.url, apiKey: back.key }, 0, {
      syncTenancies: [landing.tenancyId],
    });
    const own = await two.create.product(landing.tenancyId);
    await pushAll(two, backZone);
    await expectStatus(two, backZone, own, 2);
    await pushAll(one, forth);
    await expectStatus(one, forth, received, 2);
    expect(await productOf(two, received)).toMatchObject({ received: 1 });
    const later = await two.create.product(landing.tenancyId);
    await expectStatus(two, backZone, later, 0);
    expect(await recordOf(two, backZone, received)).toBeUndefined();
  });
});
