import { controlCalls, deviceCalls, firmwareCalls, zoneCalls } from '@device-center/contract';
import type { Device } from '@device-center/device-sdk';
import { createVirtualUpgrade } from '@device-center/virtual-device';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWire, freePort, type TestBroker } from './broker-fixtures.ts';
import { setPower } from './command-fixtures.ts';
import { connectRows, deviceLogs, expectLatestEvent } from './connectivity-fixtures.ts';
import { createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { uploaded } from './firmware-fixtures.ts';
import { type Hub, unique } from './hub.ts';
import { addTask, expectTask } from './ota-fixtures.ts';
import { addBrokerZone, command, expectNode, latest, startBrokerFixture, zoneDevice } from './zone-flow-fixtures.ts';

let hub: Hub;
let shop: ProductFixture;
let broker: TestBroker;
let zoneId: number;
beforeAll(async () => {
  ({ hub, broker, shop, zoneId } = await startBrokerFixture());
});
afterAll(async () => {
  await hub.close();
  await broker.dispose();
});

const devices: Device[] = [];
afterEach(() => Promise.all(devices.splice(0).map((device) => device.stop())));

const started = async (): Promise<Device> => {
  const device = await zoneDevice(hub, shop, zoneId);
  devices.push(device);
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  return device;
};

const details = (deviceId: string) => hub.admin.ok(deviceCalls.getDeviceDetails, { deviceId });

const PATIENT = { timeout: 20_000, interval: 50 };

describe('a device on the broker of its zone', () => {
  it('gets its address, connects, reports, executes commands and disconnects', async () => {
    const device = await started();
    const { deviceId } = device;
    expect(await details(deviceId)).toMatchObject({ haZoneId: zoneId, transport: 'broker' });
    await device.report({ power: true });
    await expect.poll(() => latest(hub.admin, deviceId), PATIENT).toEqual({ power: true });
    device.onSet((properties) => properties);
    expect(await command(hub.admin, deviceId, 'power', false)).toMatchObject({
      status: 'answered',
      output: { power: false },
    });
    await device.log(5, 'warm');
    await expect.poll(async () => (await deviceLogs(hub, deviceId)).map(({ log }) => log), PATIENT).toEqual(['warm']);
    await device.stop();
    await expectLatestEvent(hub, deviceId, 2, 'byDevice');
    await expectOnline(hub, deviceId, 2);
    const rows = await connectRows(hub, deviceId);
    expect(rows.map(({ status }) => status)).toEqual([2, 1]);
  });

  it('goes offline by its will, and reconnects', async () => {
    const wire = await createWire(broker.port);
    const device = await zoneDevice(hub, shop, zoneId, {
      connectAt: (bucket) => ({ ...bucket, port: wire.port }),
    });
    devices.push(device);
    const { deviceId } = device;
    await device.start();
    await expectOnline(hub, deviceId, 1);
    wire.break();
    await expectLatestEvent(hub, deviceId, 2, 'lost');
    wire.mend();
    await expectOnline(hub, deviceId, 1);
    // The will of this connection and the login of the next one arrive in either order.
    wire.cut();
    await new Promise((resolve) => device.on('online', resolve));
    await device.report({ power: true });
    await expect.poll(() => latest(hub.admin, deviceId), PATIENT).toEqual({ power: true });
    await expectOnline(hub, deviceId, 1);
    await wire.close();
  });

  it('is notified when kicked, goes offline, and is rejected until it is released', async () => {
    const device = await started();
    const { deviceId } = device;
    const kicked = new Promise<{ untilTime: number | null }>((resolve) => device.on('kicked', resolve));
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 1, until: 1 });
    expect((await kicked).untilTime).toBeGreaterThan(Date.now());
    await expectLatestEvent(hub, deviceId, 2, 'kicked');
    await expectOnline(hub, deviceId, 2);
    await hub.admin.ok(controlCalls.kickOut, { deviceId, op: 0 });
  });

  it('is notified when blacklisted, goes offline, and is rejected', async () => {
    const device = await started();
    const { deviceId } = device;
    const refused: (string | undefined)[] = [];
    device.on('refused', ({ refusal }) => refused.push(refusal.codeName));
    await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1 });
    await expectLatestEvent(hub, deviceId, 2, 'blacklisted');
    await expect.poll(() => refused, PATIENT).toContain('BLACKLISTED');
  });

  it('moves to another zone on request', async () => {
    const device = await started();
    const { deviceId } = device;
    await hub.admin.ok(controlCalls.configHaArea, { deviceId, haZoneId: 1 });
    expect(await hub.admin.ok(zoneCalls.moveZoneDevices, { id: 1 })).toEqual({ devices: 1 });
    await expect.poll(async () => (await details(deviceId)).transport, PATIENT).toBe('tcp');
    await expectOnline(hub, deviceId, 1);
    await device.report({ power: true });
    expect(await latest(hub.admin, deviceId)).toEqual({ power: true });
  });
});

describe('a gateway on the broker of its zone', () => {
  it('reports for its children, which go offline with it', async () => {
    const sensors = await createProductFixture(hub, { nodeType: 3 });
    const gateway = await zoneDevice(hub, await createProductFixture(hub, { nodeType: 2 }), zoneId);
    devices.push(gateway);
    await gateway.start();
    const { productId, productSecret } = sensors;
    const child = gateway.addChild({ productId, productSecret, deviceId: unique('kid') });
    await child.report({ brightness: 3 });
    await expectOnline(hub, child.deviceId, 1);
    expect((await details(child.deviceId)).parentId).toBe(gateway.deviceId);
    await expect.poll(() => latest(hub.admin, child.deviceId), PATIENT).toEqual({ brightness: 3 });
    child.onSet((properties) => properties);
    expect(await command(hub.admin, child.deviceId, 'brightness', 50)).toMatchObject({ status: 'answered' });
    await gateway.stop();
    await expectLatestEvent(hub, child.deviceId, 2, 'gatewayLost');
  });
});

it('is upgraded there', async () => {
  const bytes = Buffer.from(unique('firmware'));
  const { firmwareUri } = await uploaded(hub.admin, bytes);
  const { versionId } = await hub.admin.ok(firmwareCalls.addDeviceOtaVersion, {
    versionName: 'two',
    versionNumber: '2.0.0',
    productId: shop.productId,
    firmwareUri,
    nickName: 'two.bin',
  });
  const upgrade = createVirtualUpgrade({ fault: () => '', goOffline: () => undefined, installMs: 10, slowMs: 10 });
  const device = await zoneDevice(hub, shop, zoneId, { versionNumber: '1.0.0', upgrade });
  devices.push(device);
  await device.start();
  await expectOnline(hub, device.deviceId, 1);
  const taskId = await addTask(hub.admin, versionId, { deviceListId: [device.deviceId], executeNow: 1 });
  await expectTask(hub.admin, taskId, 5);
  expect(await details(device.deviceId)).toMatchObject({ versionNumber: '2.0.0', transport: 'broker' });
});

it('is counted: zones, commands and upgrades, each with its own label', async () => {
  const device = await started();
  device.onSet((properties) => properties);
  const named = async (name: string): Promise<Map<string, number>> => {
    const text = await (await fetch(`${hub.url}/metrics`)).text();
    const lines = text.matchAll(new RegExp(`^${name}(?:\\{\\w+="(\\w+)"\\})? (\\d+)$`, 'gm'));
    return new Map(Array.from(lines, ([, label = '', value]) => [label, Number(value)]));
  };
  const sent = async () => (await named('device_commands_sent_total')).get('') ?? 0;
  const answered = (result: string) => async () => (await named('device_commands_answered_total')).get(result) ?? 0;
  const before = { sent: await sent(), failed: await answered('failed')() };
  const succeeded = await answered('succeeded')();
  await command(hub.admin, device.deviceId, 'power', true);
  await expect.poll(answered('succeeded'), PATIENT).toBeGreaterThan(succeeded);
  await expect.poll(sent, PATIENT).toBeGreaterThan(before.sent);
  device.onSet(() => Promise.reject(new Error('no')));
  expect(await setPower(hub, device)).toMatchObject({ success: false, code: 'DEVICE_REFUSED' });
  await expect.poll(answered('failed'), PATIENT).toBeGreaterThan(before.failed);
  await expect
    .poll(() => named('device_upgrades_reported_total'), PATIENT)
    .toEqual(
      new Map([
        ['succeeded', 1],
        ['failed', 0],
      ]),
    );
  const silentZone = await addBrokerZone(hub.admin, { port: await freePort() });
  await expect
    .poll(() => named('zone_subscriber_connected'), PATIENT)
    .toEqual(
      new Map([
        [String(zoneId), 1],
        [String(silentZone), 0],
      ]),
    );
  await hub.admin.ok(zoneCalls.removeZone, { id: silentZone });
  await expect.poll(() => named('zone_subscriber_connected'), PATIENT).toEqual(new Map([[String(zoneId), 1]]));
});

describe('zone faults', () => {
  it('report a lost zone, and restore its devices when the broker is back', async () => {
    const device = await started();
    const { deviceId } = device;
    await broker.kill();
    await expectNode(hub.admin, zoneId, 'failed');
    await expectLatestEvent(hub, deviceId, 2, 'zoneLost');
    await broker.start();
    // The hub tries again every ten seconds by then.
    await expectNode(hub.admin, zoneId, 'connected', 60_000);
    await expectOnline(hub, deviceId, 1);
    await device.report({ brightness: 7 });
    await expect.poll(() => latest(hub.admin, deviceId), PATIENT).toEqual({ brightness: 7 });
  });

  // Spec 4.4
  it("redirect the devices of a disabled zone to the hub's own listener", async () => {
    const device = await started();
    const { deviceId } = device;
    await hub.admin.ok(zoneCalls.setZoneState, { id: zoneId, status: 0 });
    await expectLatestEvent(hub, deviceId, 2, 'zoneLost');
    await device.relogin();
    await expect.poll(async () => (await details(deviceId)).transport, PATIENT).toBe('tcp');
    await hub.admin.ok(zoneCalls.setZoneState, { id: zoneId, status: 1 });
    await expectNode(hub.admin, zoneId, 'connected');
  });
});
