import { deviceCalls, modelCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireClaims } from './claims-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { properties } from './functions.ts';
import { type Hub, type SpawnedHub, unique } from './hub.ts';
import {
  addOuterZone,
  countsOf,
  createReceiver,
  expectStatus,
  expectSynced,
  pushAll,
  SYNC_WITHIN,
  spawnSyncHub,
  startSyncHub,
} from './sync-fixtures.ts';

let one: SpawnedHub;
let two: Hub;
let fixture: ProductFixture;
beforeAll(async () => {
  [one, two] = await Promise.all([spawnSyncHub(), startSyncHub()]);
  fixture = await createProductFixture(one);
});
afterAll(() => Promise.all([one?.close(), two?.close()]));

it('resumes the synchronisation after a kill, without duplicates', async () => {
  const landing = await createReceiver(two);
  const zoneId = await addOuterZone(one, { bucketUrl: two.url, apiKey: landing.key });
  await expectStatus(one, zoneId, fixture.productId, 0);
  const functions = properties(20, 'wide');
  await one.admin.ok(modelCalls.addProductFunctions, { productId: fixture.productId, functions });
  const rows = Array.from({ length: 450 }, (_, index) => `${unique('many')}${index}`);
  const now = Date.now();
  const [sample] = await one.db
    .selectFrom('device')
    .selectAll()
    .where(
      'device_id',
      '=',
      await one.create.device({ productId: fixture.productId, applicationId: fixture.applicationId }),
    )
    .execute();
  for (let from = 0; from < rows.length; from += 50)
    await one.db
      .insertInto('device')
      .values(
        rows.slice(from, from + 50).map((deviceId) => ({
          ...(sample as NonNullable<typeof sample>),
          device_id: deviceId,
          device_id_key: deviceId.toLowerCase(),
          created_at: now,
        })),
      )
      .execute();
  await expect.poll(async () => (await countsOf(one, zoneId)).data.total, SYNC_WITHIN).toBe(451);
  await pushAll(one, zoneId);
  await expect.poll(async () => (await countsOf(one, zoneId)).data.success, SYNC_WITHIN).toBeGreaterThan(0);
  await one.process.kill();
  await expireClaims(one);
  one = await one.start();
  await expectSynced(one, zoneId, 'data', 451);
  await expectSynced(one, zoneId, 'model', 1);
  const page = await two.admin.ok(deviceCalls.queryDeviceList, { productId: fixture.productId });
  expect(page.total).toBe(451);
}, 180_000);
