import { spawn } from 'node:child_process';
import { apiKeyCalls, deviceCalls, modelCalls, type SyncItem, syncCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startMosquitto, type TestBroker } from './broker-fixtures.ts';
import { publish } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { property } from './functions.ts';
import { type Hub, unique } from './hub.ts';
import {
  createReceiver,
  deviceOf,
  expectFailure,
  expectStatus,
  expectSynced,
  modelOf,
  pushAll,
  recordOf,
  startSyncHub,
  valuesOf,
} from './sync-fixtures.ts';

const ACCOUNT = { username: 'hub', password: 'hub-password' };

let one: Hub;
let two: Hub;
let broker: TestBroker;
let fixture: ProductFixture;
beforeAll(async () => {
  [one, two, broker] = await Promise.all([
    startSyncHub(),
    startSyncHub(),
    startMosquitto({ accounts: { [ACCOUNT.username]: ACCOUNT.password } }),
  ]);
  fixture = await createProductFixture(one);
});
afterAll(async () => {
  await Promise.all([one?.close(), two?.close()]);
  await broker?.dispose();
});

type Node = Record<string, string | number>;

const addInnerZone = async (routeKey: string, ...nodes: Node[]): Promise<number> => {
  const fields = {
    zoneName: unique('zone'),
    zoneType: 1,
    routeKey,
    address: '127.0.0.1',
    isSyncModel: 0,
    syncAll: 1,
  } as const;
  return (await one.admin.ok(zoneCalls.addZone, { ...fields, nodes: JSON.stringify(nodes) as never })).id;
};

const toBroker = (more: Node = {}): Node => ({
  hostName: '127.0.0.1',
  port: broker.port,
  serverType: 1,
  ...ACCOUNT,
  ...more,
});

/** The retained messages of the broker, as a subscriber gets them. */
const retained = async (filter: string): Promise<Map<string, SyncItem>> => {
  const account = ['-u', ACCOUNT.username, '-P', ACCOUNT.password];
  const where = ['-h', '127.0.0.1', '-p', String(broker.port)];
  const child = spawn('mosquitto_sub', [
    ...where,
    ...account,
    '-t',
    filter,
    '--retained-only',
    '-W',
    '2',
    '-F',
    '%t %p',
  ]);
  let out = '';
  child.stdout.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  await new Promise((resolve) => child.once('close', resolve));
  const lines = out.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line): [string, SyncItem] => {
      const gap = line.indexOf(' ');
      return [line.slice(0, gap), JSON.parse(line.slice(gap + 1)) as SyncItem];
    }),
  );
};

describe('a zone with a broker', () => {
  const routeKey = unique('route');
  let zoneId: number;
  let deviceId: string;

  // Spec 9.14
  it('stores models and devices as retained messages', async () => {
    const device = await connectNewDevice(one, fixture);
    deviceId = device.deviceId;
    await publish(device, JSON.stringify(device.seal({ type: 2, payload: { properties: { power: true } } })));
    await device.end();
    zoneId = await addInnerZone(routeKey, toBroker());
    await expectStatus(one, zoneId, deviceId, 0);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    await expectSynced(one, zoneId, 'data', 1);
    const kept = await retained(`${routeKey}/sync/#`);
    expect([...kept.keys()].sort()).toEqual(
      [`${routeKey}/sync/device/${deviceId}`, `${routeKey}/sync/model/${fixture.productId}`].sort(),
    );
    const model = kept.get(`${routeKey}/sync/model/${fixture.productId}`);
    expect(model).toMatchObject({ kind: 'model', id: fixture.productId });
    expect((model?.content as { functions: unknown[] } | undefined)?.functions).toEqual(
      await modelOf(one, fixture.productId),
    );
    const data = kept.get(`${routeKey}/sync/device/${deviceId}`)?.content as
      | { values: { signCode: string }[] }
      | undefined;
    expect(data?.values).toMatchObject([{ signCode: 'power', value: true }]);
    expect(JSON.stringify(data)).not.toContain('secret');
  });

  it('replaces the previous message, and announces it in the preview', async () => {
    await one.admin.ok(modelCalls.addProductFunction, { productId: fixture.productId, ...property('added') });
    await one.admin.ok(deviceCalls.updateDevice, { deviceId, deviceName: 'renamed' });
    await expectStatus(one, zoneId, deviceId, 0);
    const preview = await one.admin.ok(syncCalls.previewSync, { zoneId, dataType: 1 });
    expect(preview.counts).toMatchObject({ changed: 1, created: 0 });
    await pushAll(one, zoneId);
    await expectStatus(one, zoneId, deviceId, 2);
    await expectStatus(one, zoneId, fixture.productId, 2);
    const kept = await retained(`${routeKey}/sync/#`);
    expect(kept.size).toBe(2);
    expect(kept.get(`${routeKey}/sync/device/${deviceId}`)?.content).toMatchObject({ deviceName: 'renamed' });
  });

  it('fails with the reason when the account is wrong or the broker unavailable, and catches up later', async () => {
    const wrong = await addInnerZone(unique('route'), toBroker({ password: 'not-the-one' }));
    await expectStatus(one, wrong, fixture.productId, 0);
    await pushAll(one, wrong);
    await expectFailure(one, wrong, fixture.productId, 'credentials');
    await one.admin.ok(zoneCalls.removeZone, { id: wrong });

    await broker.stop();
    const { syncId = '' } = (await recordOf(one, zoneId, fixture.productId)) ?? {};
    await one.admin.ok(syncCalls.request, { zoneId, syncIds: [syncId] });
    await expectFailure(one, zoneId, fixture.productId, 'refused');
    await broker.start();
    await expectStatus(one, zoneId, fixture.productId, 2);
    await one.admin.ok(zoneCalls.removeZone, { id: zoneId });
  });
});

describe('a zone with an HTTP node', () => {
  // Spec 9.14
  it('delivers to another hub with its key', async () => {
    const { key, applicationId } = await createReceiver(two);
    const { hostname, port } = new URL(two.url);
    const node = { hostName: hostname, port: Number(port), serverType: 2, apiKey: key };
    const zoneId = await addInnerZone(unique('route'), node);
    await expectStatus(one, zoneId, fixture.productId, 0);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    await expectSynced(one, zoneId, 'data', 1);
    const [device] = (await one.admin.ok(deviceCalls.queryDeviceList, { productId: fixture.productId })).list;
    const deviceId = device?.deviceId ?? '';
    expect(await deviceOf(two, deviceId)).toMatchObject({ applicationId, received: 1, deviceName: 'renamed' });
    expect(await valuesOf(two, deviceId)).toEqual({ power: true });
    await one.admin.ok(zoneCalls.removeZone, { id: zoneId });
  });

  it('resets its records for new nodes', async () => {
    const { key } = await createReceiver(two);
    const { hostname, port } = new URL(two.url);
    const routeKey = unique('route');
    const zoneId = await addInnerZone(routeKey, toBroker());
    await expectStatus(one, zoneId, fixture.productId, 0);
    await pushAll(one, zoneId);
    await expectSynced(one, zoneId, 'model', 1);
    const { nodes, ...zone } = await one.admin.ok(zoneCalls.getZoneDetail, { id: zoneId });
    const changed = [
      { ...toBroker(), nodeId: nodes[0]?.nodeId },
      { hostName: hostname, port: Number(port), serverType: 2, apiKey: key },
    ];
    const { zoneName, zoneType, address, isSyncModel } = zone;
    await one.admin.ok(zoneCalls.modifyZone, {
      ...{ id: zoneId, zoneName, zoneType, routeKey, address, isSyncModel },
      nodes: JSON.stringify(changed) as never,
    });
    await expectStatus(one, zoneId, fixture.productId, 0);
    await pushAll(one, zoneId);
    // The hub already has it in another tenant: one of two nodes rejects it, which fails the record with that node's name.
    await expectFailure(one, zoneId, fixture.productId, 'productIdTaken');
    const { syncId = '' } = (await recordOf(one, zoneId, fixture.productId)) ?? {};
    const { tries } = await one.admin.ok(syncCalls.getSyncRecord, { syncId });
    expect(tries[0]?.node).toBe(`${hostname}:${port}`);
    await one.admin.ok(zoneCalls.removeZone, { id: zoneId });
  });
});

describe('the test of an outer node', () => {
  it('asks the other hub whether it knows the key and the zone', async () => {
    const { key, keyId } = await createReceiver(two);
    const test = (bucketZoneId: number) =>
      one.admin.ok(zoneCalls.testZoneNode, { zoneType: 2, bucketUrl: two.url, bucketZoneId, apiKey: key });
    expect(await test(1)).toMatchObject({ ok: 1, problem: null });
    expect(await test(98_765)).toMatchObject({ ok: 0, problem: 'zoneUnknown' });
    await two.admin.ok(apiKeyCalls.revokeApiKey, { keyId });
    expect(await test(1)).toMatchObject({ ok: 0, problem: 'httpStatus' });
  });
});
