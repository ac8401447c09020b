import { apiKeyCalls, controlCalls, firmwareCalls, syncCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMosquitto, startRabbit, type TestBroker } from './broker-fixtures.ts';
import { expireClaims } from './claims-fixtures.ts';
import type { Client } from './client.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { uploaded } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { type Hubs, startHubs } from './hubs-fixtures.ts';
import { addTask, recordsOf, taskOf } from './ota-fixtures.ts';
import { addOuterZone, countsOf, createReceiver, SYNC_WITHIN, startSyncHub } from './sync-fixtures.ts';
import { NEAR } from './zone-fixtures.ts';
import { addBrokerZone, expectNode, storedValues } from './zone-flow-fixtures.ts';

describeOnPostgres(() => {
  /** Over the zones: the hubs' own listeners, Mosquitto, and in the long form RabbitMQ, which takes long to start. */
  const DEVICES = LONG ? 500 : 12;
  const REPORTS = LONG ? 20 : 5;
  const WITHIN = { timeout: 180_000, interval: 200 };

  let hubs: Hubs;
  let other: Hub;
  let mosquitto: TestBroker;
  let rabbit: TestBroker | undefined;
  let shop: ProductFixture;
  let zones: number[];
  const devices: Device[] = [];

  beforeAll(async () => {
    [hubs, other, mosquitto] = await Promise.all([
      startHubs({ ...NEAR, SYNC_COMPARE_EVERY: '1s', RATE_LIMIT_DEVICES: '1000000' }, true),
      startSyncHub(),
      startMosquitto(),
    ]);
    const { admin } = hubs.a;
    shop = await createProductFixture(hubs.a);
    zones = [1, await addBrokerZone(admin, mosquitto)];
    if (!LONG) return;
    const { key } = await admin.ok(apiKeyCalls.addApiKey, { keyName: unique('broker'), scope: 'broker' });
    // The balancer is a part of this process, which is busy being all the devices.
    const authUrl = (what: string): string => `${hubs.a.url}/api/bucket/auth/rabbitmq/${what}?key=${key}`;
    // RabbitMQ authorizes every message unless it caches, which docs/zones.md advises for more than a few devices.
    rabbit = await startRabbit({ authUrl, remembersMs: 5_000 });
    const account = { username: 'hub-account', password: 'Hub-pass-1' };
    zones.push(await addBrokerZone(admin, { port: rabbit.port, ...account }));
  }, 240_000);
  afterAll(async () => {
    await Promise.all(devices.map((device) => device.stop()));
    await hubs.close();
    await other.close();
    await Promise.all([mosquitto.dispose(), rabbit?.dispose()]);
  }, 240_000);

  const install = () =>
    createVirtualUpgrade({ fault: () => '', goOffline: () => undefined, installMs: 20, slowMs: 20 });

  /** Registered by one hub, logged in through the balancer, connected wherever its zone is. */
  const startDevice = async (fixture: number): Promise<Device> => {
    const { productId, productSecret, applicationId } = shop;
    const deviceId = await hubs.a.create.device({ productId, applicationId });
    const haZoneId = zones[fixture % zones.length] ?? 1;
    if (haZoneId !== 1) await hubs.a.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId });
    const device = createDevice({
      hubUrl: `http://127.0.0.1:${hubs.http.port}`,
      productId,
      productSecret,
      deviceId,
      versionNumber: '1.0.0',
      protocolVersion: 4,
      backoff: { first: 200, max: 2_000 },
      upgrade: install(),
    });
    device.onSet((properties) => properties);
    devices.push(device);
    await device.start();
    return device;
  };

  const onlineCount = async (): Promise<number> => {
    const rows = await hubs.a.db.selectFrom('device').select('device_id').where('online', '=', 1).execute();
    return rows.length;
  };

  const slotsOf = async (zoneId: number): Promise<number> =>
    (await hubs.a.db.selectFrom('zone_slot').select('slot_no').where('zone_id', '=', zoneId).execute()).length;

  /** Retries: a device may be moving to another hub. */
  const commanded = async (admin: Client, deviceId: string): Promise<void> => {
    const sent = { deviceId, functionId: 'power', functionValue: 'true' };
    await expect
      .poll(async () => {
        const answer = await admin.call(controlCalls.commandDeviceFunction, sent);
        return answer.success && answer.data.status;
      }, WITHIN)
      .toBe('answered');
  };

  const report = async (device: Device, from: number, to: number): Promise<void> => {
    for (let brightness = from; brightness <= to; brightness++) await device.report({ brightness });
  };

  it(
    `runs two hubs, ${LONG ? 'three' : 'two'} zones, commands, an upgrade and a synchronisation, with a hub killed and a broker restarted`,
    async () => {
      const [, ofMosquitto = 0] = zones;
      for (const zoneId of zones.slice(1)) await expectNode(hubs.a.admin, zoneId, 'connected', 60_000);
      for (let fixture = 0; fixture < DEVICES; fixture++) await startDevice(fixture);
      await expect.poll(onlineCount, WITHIN).toBe(DEVICES);
      const deviceIds = devices.map(({ deviceId }) => deviceId);

      const { firmwareUri } = await uploaded(hubs.a.admin, Buffer.from(unique('firmware')));
      const { versionId } = await hubs.b.admin.ok(firmwareCalls.addDeviceOtaVersion, {
        versionName: 'two',
        versionNumber: '2.0.0',
        productId: shop.productId,
        firmwareUri,
        nickName: 'two.bin',
      });
      const landing = await createReceiver(other);
      const target = await addOuterZone(hubs.a, { bucketUrl: other.url, apiKey: landing.key });

      const said = devices.map((device) => report(device, 1, REPORTS));
      const taskId = await addTask(hubs.a.admin, versionId, { versionNumber: ['1.0.0'], executeNow: 1 });
      for (const [fixture, deviceId] of deviceIds.entries())
        if (fixture < 6) await commanded(fixture % 2 === 0 ? hubs.a.admin : hubs.b.admin, deviceId);

      await hubs.b.process.kill();
      await hubs.expireLeasesOfB();
      await expireClaims(hubs.a);
      // The long form has both faults at the same moment; here the dead hub's place at the broker is taken first.
      if (!LONG) await expect.poll(() => slotsOf(ofMosquitto), WITHIN).toBe(1);
      await mosquitto.stop();
      await mosquitto.start();
      await Promise.all(said);
      await Promise.all(devices.map((device) => report(device, REPORTS + 1, 2 * REPORTS)));

      // Every device is back, and is reached by the hub that is left.
      await expect.poll(onlineCount, WITHIN).toBe(DEVICES);
      for (const deviceId of deviceIds.slice(0, 6)) await commanded(hubs.a.admin, deviceId);

      // The task ends with exact counts.
      await expect.poll(async () => (await taskOf(hubs.a.admin, taskId)).taskStatus, WITHIN).toBe(5);
      if (DEVICES <= 200)
        expect((await recordsOf(hubs.a.admin, taskId)).filter(({ status }) => status === 5)).toHaveLength(DEVICES);

      // Every acknowledged message is stored once.
      const all = Array.from({ length: 2 * REPORTS }, (_, fixture) => fixture + 1);
      for (const deviceId of deviceIds)
        await expect
          .poll(
            async () => (await storedValues(hubs.a, deviceId, 'brightness')).toSorted((a, b) => Number(a) - Number(b)),
            WITHIN,
          )
          .toEqual(all);

      // Both platforms are equal.
      for (const dataType of [1, 2] as const) await hubs.a.admin.ok(syncCalls.oneKey, { zoneId: target, dataType });
      await expect
        .poll(async () => {
          const { model, data } = await countsOf(hubs.a, target);
          return [model.total - model.success, data.total, data.success];
        }, SYNC_WITHIN)
        .toEqual([0, DEVICES, DEVICES]);
      const there = await other.db.selectFrom('device').select(['device_id', 'version_number']).execute();
      expect(there.map(({ device_id }) => device_id).toSorted()).toEqual(deviceIds.toSorted());
      expect(new Set(there.map(({ version_number }) => version_number))).toEqual(new Set(['2.0.0']));
    },
    LONG ? 1_800_000 : 600_000,
  );
});
