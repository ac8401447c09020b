import { controlCalls, deviceCalls, otaCalls } from '@device-center/contract';
import { createDevice, type Device } from '@device-center/device-sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Uplink } from '../src/records/batch.ts';
import { openRecordStore } from '../src/records/store.ts';
import type { Client } from './client.ts';
import { expectLatestEvent, LONG, upRecords, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { messageRow } from './device-records.ts';
import { describeOnPostgres } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { viaSecondHub } from './hubs-fixtures.ts';
import { startHubsInProcess, type TwoHubs } from './hubs-in-process.ts';
import { addTask, expectTask, type FleetMember, notificationsOf, startFleet, taskOf } from './ota-fixtures.ts';

describeOnPostgres(() => {
  const DEVICES_AT_EACH = LONG ? 10 : 3;
  const MESSAGES = LONG ? 5_000 : 600;
  const SESSIONS = LONG ? 1_000 : 60;
  const UPGRADED_AT_EACH = LONG ? 30 : 5;

  let hubs: TwoHubs;
  let there: Hub;
  let lamps: ProductFixture;
  let gateways: ProductFixture;
  let sensors: ProductFixture;
  const devices: Device[] = [];
  const fleet: FleetMember[] = [];
  beforeAll(async () => {
    hubs = await startHubsInProcess();
    there = viaSecondHub(hubs);
    lamps = await createProductFixture(hubs.a);
    gateways = await createProductFixture(hubs.a, { nodeType: 2 });
    sensors = await createProductFixture(hubs.a, { nodeType: 3 });
  });
  afterAll(async () => {
    await Promise.all([...devices, ...fleet.map(({ device }) => device)].map((device) => device.stop()));
    await hubs.close();
  });

  it('disconnects a device at one hub that is restricted at the other', async () => {
    const device = await connectNewDevice(there, lamps);
    const { deviceId } = device;
    await expectOnline(hubs.a, deviceId, 1);
    await hubs.a.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1, reason: 'stolen' });
    await waitForClose(device);
    await expectLatestEvent(hubs.a, deviceId, 2, 'blacklisted');
  });

  const startMqttServer = async (hub: Hub): Promise<Device> => {
    const { productId, productSecret } = gateways;
    const own = { deviceId: unique('gw'), backoff: { first: 50, max: 200 } };
    const device = createDevice({ hubUrl: hub.url, productId, productSecret, ...own });
    devices.push(device);
    await device.start();
    return device;
  };

  it('keeps a child online that moved to a gateway of the other hub, when the first gateway disconnects', async () => {
    const [first, second] = [await startMqttServer(hubs.a), await startMqttServer(there)];
    const child = { productId: sensors.productId, productSecret: sensors.productSecret, deviceId: unique('kid') };
    let deviceSecret = '';
    const onSecret = (secret: string): void => {
      deviceSecret = secret;
    };
    await first.addChild({ ...child, onSecret }).report({ brightness: 1 });
    await expectOnline(there, child.deviceId, 1);
    // The device has its own secret now, so the product's is invalid for it.
    const moved = second.addChild({ ...child, secret: deviceSecret });
    moved.onSet((properties) => properties);
    await moved.report({ brightness: 2 });
    const detailsAt = (hub: Hub) => hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId: child.deviceId });
    await expect.poll(async () => (await detailsAt(hubs.a)).parentId).toBe(second.deviceId);
    await expect.poll(() => hubs.a.db.selectFrom('connection_moved').selectAll().execute()).toEqual([]);
    await first.stop();
    await expectOnline(hubs.a, first.deviceId, 2);
    expect(await detailsAt(there)).toMatchObject({ online: 1, parentId: second.deviceId });
    const sent = { deviceId: child.deviceId, functionId: 'brightness', functionValue: '50' };
    expect(await hubs.a.admin.ok(controlCalls.commandDeviceFunction, sent)).toMatchObject({ status: 'answered' });
  });

  it('stores each message of two hubs at full speed once, under separate ids', async () => {
    const doors = [hubs.a, there];
    const devices = (
      await Promise.all(
        doors.map((hub) => Promise.all(Array.from({ length: DEVICES_AT_EACH }, () => connectNewDevice(hub, lamps)))),
      )
    ).flat();
    await Promise.all(
      devices.map((device) =>
        Promise.all(
          Array.from({ length: MESSAGES }, (_, index) =>
            device.send({ type: 2, payload: { properties: { brightness: 1 + (index % 100) } } }),
          ),
        ),
      ),
    );
    for (const device of devices) {
      expect(device.received).toEqual([]);
      const kept = await upRecords(hubs.a, device.deviceId);
      expect(new Set(kept.map(({ message_id }) => message_id)).size).toBe(MESSAGES);
      expect(kept).toHaveLength(MESSAGES);
    }
    await Promise.all(devices.map((device) => device.end()));
  }, 300_000);

  it('stores a first message once that two hubs write concurrently', async () => {
    const stores = [hubs.a.env, hubs.a.env].map(({ DATABASE_URL, DATA_DIR = '' }) =>
      openRecordStore({ DATABASE_URL, DATA_DIR, RETENTION_DAYS: 90 }),
    );
    const whose = { tenancyId: '1', productId: lamps.productId, deviceId: unique('moving') };
    for (let session = 0; session < SESSIONS; session++) {
      const sessionId = unique('session');
      const uplink = (): Uplink => ({
        record: { ...messageRow(whose, { message_id: session, device_time: 1, session_id: sessionId }), response: 0 },
        samples: [],
        logs: [],
      });
      const results = await Promise.all(
        stores.map((store, index) =>
          store.write({ writerNo: 9_001 + index, uplinks: [uplink()], downlinks: [], connects: [] }),
        ),
      );
      expect(results.flat().sort()).toEqual(['duplicate', 'stored']);
    }
    expect(await upRecords(hubs.a, whose.deviceId)).toHaveLength(SESSIONS);
    await Promise.all(stores.map((store) => store.close()));
  }, 120_000);

  it('serializes concurrent actions on one task at two hubs by the table of its states', async () => {
    const version = await createVersion(hubs.a, lamps, '1.5.0');
    const both = [hubs.a.admin, hubs.b.admin];
    // It is never online, so its task waits.
    const deviceId = await hubs.a.create.device(lamps);
    const onBoth = async (work: (client: Client) => Promise<{ statusCode: number }>): Promise<number[]> =>
      (await Promise.all(both.map(work))).map(({ statusCode }) => statusCode).sort();
    for (let round = 0; round < 5; round++) {
      const taskId = await addTask(hubs.a.admin, version.versionId, { deviceListId: [deviceId] });
      const [suspended, cancelled] = await Promise.all([
        hubs.a.admin.call(otaCalls.suspendOtaTaskStatus, { taskId }),
        hubs.b.admin.call(otaCalls.cancelOtaTask, { taskId }),
      ]);
      expect([200, 409]).toContain(suspended.statusCode);
      expect(cancelled.statusCode).toBe(200);
      for (const client of both) expect((await taskOf(client, taskId)).taskStatus).toBe(4);
      expect(await onBoth((client) => client.call(otaCalls.restartDeviceOtaTask, { taskId }))).toEqual([200, 409]);
      const rivals = await onBoth((client) =>
        client.call(
          otaCalls.addDeviceOtaTask,
          { taskName: unique('task'), deviceVersionId: version.versionId, deviceListId: [deviceId] },
          { as: 'json' },
        ),
      );
      expect(rivals).toEqual([409, 409]);
      expect(await onBoth((client) => client.call(otaCalls.cancelOtaTask, { taskId }))).toEqual([200, 409]);
      const { list } = await hubs.b.admin.ok(otaCalls.getDeviceOtaTaskLog, { taskId, pageSize: 50 });
      const steps = list.toReversed().map(({ fromStatus, toStatus }) => [fromStatus, toStatus]);
      for (const [index, [from]] of steps.entries()) if (index > 0) expect(from).toBe(steps[index - 1]?.[1]);
      expect(steps).toHaveLength(suspended.statusCode === 200 ? 5 : 4);
      const gone = await onBoth((client) => client.call(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] }));
      expect(gone).toEqual([200, 404]);
    }
    // One of two concurrent tasks gets the device.
    const created = await onBoth((client) =>
      client.call(
        otaCalls.addDeviceOtaTask,
        { taskName: unique('task'), deviceVersionId: version.versionId, deviceListId: [deviceId] },
        { as: 'json' },
      ),
    );
    expect(created).toEqual([200, 409]);
  }, 120_000);

  it(`notifies each of ${2 * UPGRADED_AT_EACH} devices of both hubs once, and ends with exact counts`, async () => {
    const version = await createVersion(hubs.a, lamps, '2.0.0');
    const faults = Array.from({ length: UPGRADED_AT_EACH }, (_, index) =>
      index === 0 ? ('install' as const) : ('' as const),
    );
    for (const hub of [hubs.a, there]) fleet.push(...(await startFleet(hub, lamps, faults)));
    const ids = fleet.map(({ deviceId }) => deviceId);
    for (const deviceId of ids) await expectOnline(hubs.a, deviceId, 1);
    // Created at one hub, read at the other.
    const taskId = await addTask(hubs.a.admin, version.versionId, { deviceListId: ids });
    await expectTask(hubs.b.admin, taskId, 7);
    for (const { admin } of [hubs.a, hubs.b]) {
      const { tally, deviceCount, completion } = await taskOf(admin, taskId);
      expect([deviceCount, completion]).toEqual([ids.length, 100]);
      expect(tally).toMatchObject({ 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: ids.length - 2, 6: 2 });
    }
    const tellings = await notificationsOf(hubs.a, ids);
    expect(tellings).toHaveLength(ids.length);
    expect(new Set(tellings).size).toBe(ids.length);
    expect(fleet.filter(({ installed }) => installed.length === 1)).toHaveLength(ids.length - 2);
  }, 180_000);
});
