import { controlCalls, deviceCalls, homeCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectLatestEvent, LONG, upRecords } from './connectivity-fixtures.ts';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { describeOnPostgres } from './engine.ts';
import { unique } from './hub.ts';
import { type Hubs, startHubs } from './hubs-fixtures.ts';
import { connectClient, getBucket, login } from './raw-device.ts';

describeOnPostgres(() => {
  const DEVICES = LONG ? 40 : 8;
  const BEFORE = LONG ? 200 : 20;
  const MESSAGES = LONG ? 1_000 : 60;
  /** Of a device that waits for no answer before it sends the next. */
  const AT_ONCE = 5;

  let hubs: Hubs;
  let fixture: ProductFixture;
  const fleet: { device: Device; acknowledged: number }[] = [];

  beforeAll(async () => {
    hubs = await startHubs({}, true);
    fixture = await createProductFixture(hubs.a);
  });
  afterAll(async () => {
    await Promise.all(fleet.map(({ device }) => device.stop()));
    await hubs.close();
  });

  const start = async (): Promise<void> => {
    const { productId, productSecret } = fixture;
    const hubUrl = `http://127.0.0.1:${hubs.http.port}`;
    const deviceId = unique('lamp');
    const device = createDevice({ hubUrl, productId, productSecret, deviceId, backoff: { first: 50, max: 500 } });
    device.onSet((properties) => properties);
    await device.start();
    fleet.push({ device, acknowledged: 0 });
  };

  /** The n-th message contains n, so that missing and duplicate ones show up. */
  const talk = async (member: (typeof fleet)[number]): Promise<void> => {
    for (let from = 0; from < MESSAGES; from += AT_ONCE)
      await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => {
          await member.device.report({ brightness: 1 + ((from + index) % 100) });
          member.acknowledged++;
        }),
      );
  };

  /** A device that is at the second hub, and does not come back. */
  const strandAtSecond = async (): Promise<string> => {
    const deviceId = unique('stranded');
    const { token } = await login(hubs.b.url, {
      deviceId,
      productId: fixture.productId,
      secret: fixture.productSecret,
    });
    const bucket = await getBucket(hubs.b.url, token);
    const client = await connectClient({ ...bucket, port: hubs.b.process.mqttPort });
    client.on('error', () => undefined);
    await expectOnline(hubs.a, deviceId, 1);
    return deviceId;
  };

  it('moves the devices of a killed hub to the other, without loss or duplicates', async () => {
    const stranded = await strandAtSecond();
    for (let count = 0; count < DEVICES; count++) await start();
    const ids = fleet.map(({ device }) => device.deviceId);
    for (const deviceId of ids) await expectOnline(hubs.a, deviceId, 1);
    const hubNos = async () =>
      (await hubs.a.db.selectFrom('device').select('hub_no').where('device_id', 'in', ids).execute()).map(
        ({ hub_no }) => hub_no,
      );
    // Both hubs have some of them.
    expect(new Set(await hubNos()).size).toBe(2);
    const traffic = Promise.all(fleet.map(talk));
    await expect
      .poll(() => Math.min(...fleet.map(({ acknowledged }) => acknowledged)), { timeout: 60_000, interval: 10 })
      .toBeGreaterThanOrEqual(BEFORE);
    await hubs.b.process.kill();
    await hubs.expireLeasesOfB();
    await traffic;
    for (const { device, acknowledged } of fleet) {
      expect(acknowledged).toBe(MESSAGES);
      const rows = await upRecords(hubs.a, device.deviceId);
      const kept = rows
        .filter(({ message_type }) => message_type === 2)
        .sort((one, other) => one.message_id - other.message_id)
        .map(({ envelope }) => JSON.parse(JSON.parse(envelope).payload).properties.brightness as number);
      expect(kept).toEqual(Array.from({ length: MESSAGES }, (_, index) => 1 + (index % 100)));
    }
    // All are connected to the remaining hub.
    for (const deviceId of ids) await expectOnline(hubs.a, deviceId, 1);
    expect(new Set(await hubNos()).size).toBe(1);
    for (const deviceId of ids.slice(0, 3)) {
      const sent = { deviceId, functionId: 'power', functionValue: 'true' };
      expect(await hubs.a.admin.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({ status: 'answered' });
    }
    // The device that did not reconnect is offline, with the reason.
    await expectOnline(hubs.a, stranded, 2);
    await expectLatestEvent(hubs.a, stranded, 2, 'hubStopped');
    const { total } = await hubs.a.admin.ok(deviceCalls.queryDeviceList, { productId: fixture.productId, online: 1 });
    expect(total).toBe(DEVICES);
    const { messageCount } = await hubs.a.admin.ok(homeCalls.getSystemDeviceCurrentCount, {});
    const { count } = await hubs.a.records
      .selectFrom('message_record')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('data_flow', '=', 1)
      .executeTakeFirstOrThrow();
    expect(messageCount).toBe(Number(count));
  }, 300_000);
});
