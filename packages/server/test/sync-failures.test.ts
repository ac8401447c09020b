import { createServer, type Server, type ServerResponse } from 'node:http';
import { apiKeyCalls, deviceCalls, productCalls, syncCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from './broker-fixtures.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import {
  addOuterZone,
  countsOf,
  createReceiver,
  expectFailure,
  expectStatus,
  expectSynced,
  productOf,
  pushAll,
  recordOf,
  recordsOf,
  SYNC_WITHIN,
  startSyncHub,
} from './sync-fixtures.ts';

const ZONES = LONG ? 40 : 12;

let one: Hub;
let two: Hub;
let fixture: ProductFixture;
beforeAll(async () => {
  [one, two] = await Promise.all([startSyncHub(), startSyncHub()]);
  fixture = await createProductFixture(one);
});
afterAll(() => Promise.all([one?.close(), two?.close()]));

const toTwo = async (more: { bucketZoneId?: number } = {}) => {
  const landing = await createReceiver(two);
  const zoneId = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key, ...more });
  await expectStatus(one, zoneId, fixture.productId, 0);
  return { landing, zoneId };
};

const remove = (zoneId: number) => one.admin.ok(zoneCalls.removeZone, { id: zoneId });

describe("a failed delivery has a reason in the reader's language:", () => {
  // Spec 4.13
  it('an id of another tenant', async () => {
    const { zoneId, landing } = await toTwo();
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, fixture.productId, 2);
    // The same product into another tenant of the same hub: there it is another's.
    const other = await toTwo();
    await pushAll(one, other.zoneId);
    await expectFailure(one, other.zoneId, fixture.productId, 'productIdTaken');
    const record = await recordOf(one, other.zoneId, fixture.productId);
    expect(record?.reason).toContain(fixture.productId);
    expect(record?.nextTime).not.toBeNull();
    const details = await one.admin.ok(
      syncCalls.getSyncRecord,
      { syncId: record?.syncId ?? '' },
      { language: 'zh-CN' },
    );
    expect(details.reason).toContain('对方平台已有 ID 相同的产品');
    expect(details.effect).toMatchObject({ change: 'refused', reasonCode: 'productIdTaken' });
    expect(details.tries[0]).toMatchObject({ ok: 0, node: two.url, reasonCode: 'productIdTaken' });

    // A device with an id that the receiver's operators have registered.
    const deviceId = await two.create.device({
      productId: await two.create.product(landing.tenancyId),
      applicationId: landing.applicationId,
    });
    const { productId, applicationId } = fixture;
    await one.admin.ok(deviceCalls.addDevice, { productId, applicationId, deviceId });
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, deviceId, 'deviceIdTaken');
    await one.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await remove(zoneId);
    await remove(other.zoneId);
    // The receiver may delete it; the next delivery creates it again.
    await two.admin.ok(productCalls.deleteDeviceProduct, { productIds: [fixture.productId] });
  });

  it('a name of another product, until it is free', async () => {
    const { zoneId, landing } = await toTwo();
    const { productName } = await productOf(one, fixture.productId);
    const other = await two.create.product(landing.tenancyId, { productName });
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, fixture.productId, 'productNameTaken');
    await two.admin.ok(productCalls.updateDeviceProduct, { productId: other, productName: unique('else') });
    // The hub retries by itself.
    await expectStatus(one, zoneId, fixture.productId, 2);
    const details = await one.admin.ok(syncCalls.getSyncRecord, {
      syncId: (await recordOf(one, zoneId, fixture.productId))?.syncId ?? '',
    });
    expect(details.attempts).toBe(0);
    expect(details.tries.length).toBeGreaterThan(1);
    expect(details.tries.map(({ ok }) => ok)).toEqual([1, ...details.tries.slice(1).map(() => 0)]);
    await remove(zoneId);
    await two.admin.ok(productCalls.deleteDeviceProduct, { productIds: [fixture.productId] });
  });

  it('a device without its product', async () => {
    const { zoneId } = await toTwo();
    const deviceId = await one.create.device({ productId: fixture.productId, applicationId: fixture.applicationId });
    await expectStatus(one, zoneId, deviceId, 0);
    await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 2 });
    await expectFailure(one, zoneId, deviceId, 'productMissing');
    await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
    await expectStatus(one, zoneId, deviceId, 2);
    await one.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await remove(zoneId);
    await two.admin.ok(deviceCalls.deleteDevices, { deviceIds: [deviceId] });
    await two.admin.ok(productCalls.deleteDeviceProduct, { productIds: [fixture.productId] });
  });

  it('a revoked key, an unknown zone, a key of another kind, no key', async () => {
    const { zoneId, landing } = await toTwo();
    await two.admin.ok(apiKeyCalls.revokeApiKey, { keyId: landing.keyId });
    const unknown = await toTwo({ bucketZoneId: 98_765 });
    const forRole = await two.admin.ok(apiKeyCalls.addApiKey, { keyName: unique('k'), roleId: '1' });
    const wrong = await addOuterZone(one, { bucketUrl: two.url, apiKey: forRole.key });
    const without = await addOuterZone(one, { bucketUrl: two.url });
    for (const id of [zoneId, unknown.zoneId, wrong, without]) await pushAll(one, id);
    await expectFailure(one, zoneId, fixture.productId, 'API_KEY_INVALID');
    await expectFailure(one, unknown.zoneId, fixture.productId, 'zoneUnknown');
    await expectFailure(one, wrong, fixture.productId, 'API_KEY_SCOPE');
    await expectFailure(one, without, fixture.productId, 'noApiKey');
    const refusal = await one.admin.error(syncCalls.previewSync, { zoneId: unknown.zoneId, dataType: 1 });
    expect(refusal).toMatchObject({ code: 'SYNC_TARGET_UNAVAILABLE', statusCode: 503 });
    for (const id of [zoneId, unknown.zoneId, wrong, without]) await remove(id);
  });

  it('a forbidden address, the hub itself, and a redirect', async () => {
    const { key } = await createReceiver(two);
    const elsewhere: Server = createServer((_request, response) => {
      response.writeHead(302, { Location: `${two.url}/api/bucket/sync` }).end();
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as { port: number };
    const metadata = await addOuterZone(one, { bucketUrl: 'http://169.254.169.254', apiKey: key });
    const itself = await addOuterZone(one, { bucketUrl: one.url, apiKey: key });
    const redirected = await addOuterZone(one, { bucketUrl: `http://127.0.0.1:${port}`, apiKey: key });
    for (const id of [metadata, itself, redirected]) await pushAll(one, id);
    await expectFailure(one, metadata, fixture.productId, 'addressForbidden');
    await expectFailure(one, itself, fixture.productId, 'addressForbidden');
    await expectFailure(one, redirected, fixture.productId, 'redirect');
    for (const id of [metadata, itself, redirected]) await remove(id);
    elsewhere.close();
  });

  // Spec 4.11
  it('none yet before the answer: until then it is being synchronized', async () => {
    const asked: ServerResponse[] = [];
    const slow: Server = createServer((_request, response) => void asked.push(response));
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const { port } = slow.address() as { port: number };
    const zoneId = await addOuterZone(one, {
      bucketUrl: `http://127.0.0.1:${port}`,
      apiKey: (await createReceiver(two)).key,
    });
    await expectStatus(one, zoneId, fixture.productId, 0);
    await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
    await expect.poll(() => asked.length, SYNC_WITHIN).toBeGreaterThan(0);
    expect(await recordOf(one, zoneId, fixture.productId)).toMatchObject({ syncStatus: 1 });
    expect((await countsOf(one, zoneId)).model).toMatchObject({ total: 1, success: 0, fail: 0, sending: 1 });
    for (const response of asked) response.writeHead(500).end();
    await expectStatus(one, zoneId, fixture.productId, 3);
    await remove(zoneId);
    slow.close();
    slow.closeAllConnections();
  });

  it('an unavailable hub, which gets everything when it is back', async () => {
    const port = await freePort();
    const three = await startSyncHub({ PORT: String(port) });
    const { key } = await createReceiver(three);
    const zoneId = await addOuterZone(one, { bucketUrl: three.url, apiKey: key });
    await expectStatus(one, zoneId, fixture.productId, 0);
    await three.process.stop();
    await pushAll(one, zoneId);
    await expectFailure(one, zoneId, fixture.productId, 'refused');
    const { attempts } = (await recordOf(one, zoneId, fixture.productId)) ?? { attempts: 0 };
    await expect
      .poll(async () => (await recordOf(one, zoneId, fixture.productId))?.attempts ?? 0, SYNC_WITHIN)
      .toBeGreaterThan(attempts);
    const again = await three.start();
    await expectSynced(one, zoneId, 'model', 1);
    await again.close();
    await remove(zoneId);
  });
});

describe('a disabled zone', () => {
  // Spec 4.4
  it('gets no deliveries, and reports that', async () => {
    const { zoneId } = await toTwo();
    const [record] = await recordsOf(one, zoneId);
    await one.admin.ok(zoneCalls.setZoneState, { id: zoneId, status: 0 });
    const refusals = [
      await one.admin.error(syncCalls.oneKey, { zoneId, dataType: 1 }),
      await one.admin.error(syncCalls.request, { zoneId, syncIds: [record?.syncId ?? ''] }),
      await one.admin.error(syncCalls.previewSync, { zoneId, dataType: 1 }),
    ];
    expect(refusals.map(({ code }) => code)).toEqual(['ZONE_DISABLED', 'ZONE_DISABLED', 'ZONE_DISABLED']);
    // Changes meanwhile are detected by the record.
    expect((await countsOf(one, zoneId)).model).toMatchObject({ total: 1, waiting: 1 });
    await remove(zoneId);
    expect((await one.admin.error(syncCalls.oneKey, { zoneId, dataType: 1 })).code).toBe('ZONE_NOT_FOUND');
    expect((await one.admin.error(syncCalls.oneKey, { zoneId: 2, dataType: 1 })).code).toBe('SYNC_NO_TARGET');
  });

  it('takes no record of another zone', async () => {
    const [first, second] = [await toTwo(), await toTwo()];
    const [record] = await recordsOf(one, first.zoneId);
    const refusal = await one.admin.error(syncCalls.request, {
      zoneId: second.zoneId,
      syncIds: [record?.syncId ?? ''],
    });
    expect(refusal.code).toBe('SYNC_RECORD_NOT_FOUND');
    await remove(first.zoneId);
    await remove(second.zoneId);
  });
});

describe('a new zone', () => {
  it('keeps its requests while other zones are compared', async () => {
    const bucketUrl = `http://127.0.0.1:${await freePort()}`;
    const asked = new Map<number, string>();
    for (let zones = 0; zones < ZONES; zones++) {
      const zoneId = await addOuterZone(one, { bucketUrl });
      await one.admin.ok(syncCalls.oneKey, { zoneId, dataType: 1 });
      asked.set(zoneId, (await recordOf(one, zoneId, fixture.productId))?.syncId ?? '');
    }
    // Once more all have been looked through when the last one knows a new product.
    const productId = await one.create.product(fixture.tenancyId);
    for (const [zoneId, syncId] of asked) {
      await expectStatus(one, zoneId, productId, 0);
      expect((await recordOf(one, zoneId, fixture.productId))?.syncId).toBe(syncId);
    }
    for (const zoneId of asked.keys()) await remove(zoneId);
    await one.admin.ok(productCalls.deleteDeviceProduct, { productIds: [productId] });
  });
});
