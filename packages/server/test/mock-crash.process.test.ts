import { mockCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireClaims, expireGracePeriod } from './claims-fixtures.ts';
import { expectLatestEvent } from './connectivity-fixtures.ts';
import { expectOnline } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub, unique } from './hub.ts';

const WITHIN = { timeout: 60_000, interval: 100 };

let hub: SpawnedHub;
beforeAll(async () => {
  hub = await spawnHub();
});
afterAll(() => hub.close());

it('reconnects a mock device of the hub after the hub was killed', async () => {
  const applicationId = await hub.create.application('1');
  const productId = await hub.create.product('1', { applicationId });
  const created = { deviceName: unique('mock'), productId };
  const { deviceId } = await hub.admin.ok(mockCalls.createMockDevice, created, { as: 'json' });
  const run = (runInHub: 0 | 1) =>
    hub.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub, everySeconds: 1 }, { as: 'json' });
  const reports = async (): Promise<number> =>
    (await hub.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 2, dataFlow: 1 })).total;

  await run(1);
  await expect.poll(reports, WITHIN).toBeGreaterThan(0);
  const before = await reports();
  await hub.process.kill();
  await expireClaims(hub);
  hub = await hub.start();
  await expectOnline(hub, deviceId, 2);
  await expireGracePeriod(hub, deviceId);
  await expect.poll(reports, WITHIN).toBeGreaterThan(before);
  await run(0);
  await expectLatestEvent(hub, deviceId, 2, 'byDevice');
}, 180_000);
