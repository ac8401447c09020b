import { mockCalls, recordCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireClaims, expireGracePeriod, expireLeaseAt } from './claims-fixtures.ts';
import { expectLatestEvent, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { unique } from './hub.ts';
import { adminProcess, deviceProcess } from './hub-process.ts';
import { type Hubs, startHubs, viaSecondHub } from './hubs-fixtures.ts';
import { connectDevice } from './raw-device.ts';

describeOnPostgres(() => {
  const LONG_WAIT = { timeout: 60_000, interval: 200 };

  let hubs: Hubs;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hubs = await startHubs();
    fixture = await createProductFixture(hubs.a);
  });
  afterAll(() => hubs.close());

  it('restarts a frozen device process whose lease expired, and reconnects its devices', async () => {
    const device = await connectNewDevice(viaSecondHub(hubs), fixture, { options: { keepalive: 600 } });
    const { deviceId, secret } = device;
    await expectOnline(hubs.a, deviceId, 1);
    const still = deviceProcess(hubs.b.process);
    process.kill(still, 'SIGSTOP');
    await expireLeaseAt(hubs.a, hubs.b.process.mqttPort);
    await expect
      .poll(async () => (await hubs.a.db.selectFrom('hub_instance').selectAll().execute()).length, LONG_WAIT)
      .toBe(3);
    await expectLatestEvent(hubs.a, deviceId, 2, 'hubStopped');
    expect(device.client.connected).toBe(true);
    process.kill(still, 'SIGCONT');
    await waitForClose(device);
    // On the port it had.
    await expect.poll(() => [0, still].includes(deviceProcess(hubs.b.process)), LONG_WAIT).toBe(false);
    await expect.poll(async () => (await fetch(`${hubs.b.url}/health/ready`)).status, LONG_WAIT).toBe(200);
    const again = await connectDevice(hubs.b.url, { ...fixture, deviceId, secret });
    await expectOnline(hubs.a, deviceId, 1);
    await again.send({ type: 2, payload: { properties: { power: true } } });
    await again.end();
  }, 120_000);

  it('runs a mock device on one hub, and on the other when that one is gone', async () => {
    const applicationId = await hubs.a.create.application('1');
    const productId = await hubs.a.create.product('1', { applicationId });
    const { deviceId } = await hubs.a.admin.ok(
      mockCalls.createMockDevice,
      { deviceName: unique('mock'), productId },
      { as: 'json' },
    );
    const runner = async () =>
      (
        await hubs.a.db
          .selectFrom('mock_device')
          .select('runner')
          .where('device_id', '=', deviceId)
          .executeTakeFirstOrThrow()
      ).runner;
    const reports = async (): Promise<number> =>
      (await hubs.a.admin.ok(recordCalls.deviceMessageRecord, { deviceId, type: 2, dataFlow: 1 })).total;
    // The first hub is frozen until the second one runs the device.
    await hubs.a.admin.ok(mockCalls.saveMockRun, { deviceId, runInHub: 1, everySeconds: 1 }, { as: 'json' });
    process.kill(adminProcess(hubs.a.process), 'SIGSTOP');
    await expect.poll(runner, LONG_WAIT).not.toBe('');
    const first = await runner();
    process.kill(adminProcess(hubs.a.process), 'SIGCONT');
    await expect.poll(reports, LONG_WAIT).toBeGreaterThan(2);
    expect(await runner()).toBe(first);
    await hubs.b.process.kill();
    await hubs.expireLeasesOfB();
    await expireClaims(hubs.a);
    await expectOnline(hubs.a, deviceId, 2);
    await expireGracePeriod(hubs.a, deviceId);
    await expect.poll(runner, LONG_WAIT).not.toMatch(new RegExp(`^(${first})?$`));
    const before = await reports();
    await expect.poll(reports, LONG_WAIT).toBeGreaterThan(before + 2);
    await expectOnline(hubs.a, deviceId, 1);
  }, 180_000);
});
