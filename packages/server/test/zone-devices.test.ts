import { bucketCalls, deviceCalls, zoneCalls } from '@device-center/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectCode, waitForClose } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { getBucket } from './raw-device.ts';
import { createDeviceIn, innerNode, zoneFields } from './zone-fixtures.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await sharedHub();
  });
  afterAll(() => hub.close());

  const add = async (more: object = {}): Promise<number> =>
    (await hub.admin.ok(zoneCalls.addZone, zoneFields(more) as never)).id;

  describe('a device', () => {
    // Spec 4.5, 7.114, 7.127
    it("gets the address of its zone's broker, or of the hub when it has none", async () => {
      const id = await add({
        address: 'mqtts://iot.example.com',
        nodes: JSON.stringify([innerNode({ hostName: 'b1.example.com', port: 8884, tls: 1 })]),
      });
      const device = await connectNewDevice(hub, await createProductFixture(hub));
      const own = device.bucket;
      await hub.db.updateTable('device').set({ zone_id: id }).where('device_id', '=', device.deviceId).execute();
      const { token } = device.answer;
      const bucket = await getBucket(hub.url, token);
      expect(bucket).toMatchObject({
        ...{ zoneId: id, protocol: 'mqtts', host: 'iot.example.com', port: 8884, tls: true, path: '' },
        ...{ clientId: device.deviceId, username: device.deviceId, password: token },
        topics: { up: own.topics.up.replace(/^dc/, 'plant/a'), down: own.topics.down.replace(/^dc/, 'plant/a') },
      });
      const address = async () => (await hub.admin.ok(zoneCalls.getZoneDetail, { id })).deviceAddress;
      expect(await address()).toBe('mqtts://iot.example.com:8884');
      expect(bucketCalls.getConnectBucket.output.safeParse(bucket).success).toBe(true);
      expect(await getBucket(hub.url, token, 'ws')).toMatchObject({ protocol: 'ws', path: '/mqtt', zoneId: id });
      await hub.admin.ok(zoneCalls.setZoneState, { id, status: 0 });
      expect(await getBucket(hub.url, token)).toMatchObject({ host: own.host, port: own.port, zoneId: id });
      expect(await address()).toBe('');
      await device.end();
    });

    it('in another zone is disconnected on request, with the reason', async () => {
      const id = await add();
      const product = await createProductFixture(hub);
      const [moved, stays] = [await connectNewDevice(hub, product), await connectNewDevice(hub, product)];
      await expectOnline(hub, moved.deviceId, 1);
      await expectOnline(hub, stays.deviceId, 1);
      await hub.db.updateTable('device').set({ zone_id: id }).where('device_id', '=', moved.deviceId).execute();
      const end = waitForClose(moved);
      expect(await hub.admin.ok(zoneCalls.moveZoneDevices, { id })).toEqual({ devices: 1 });
      await end;
      await expectOnline(hub, moved.deviceId, 2);
      // The device requests its address after it has logged in again.
      expect(await connectCode(moved.bucket)).toBe(4);
      const row = await hub.records
        .selectFrom('connect_record')
        .select('reason')
        .where('device_id', '=', moved.deviceId)
        .where('status', '=', 2)
        .executeTakeFirst();
      expect(row?.reason).toBe('moved');
      expect(stays.client.connected).toBe(true);
      expect(await hub.admin.ok(zoneCalls.moveZoneDevices, { id })).toEqual({ devices: 0 });
      await moved.end(true);
      await stays.end();
    });

    it('is found by its zone', async () => {
      const id = await add();
      const { deviceId, tenancyId } = await createDeviceIn(hub, id);
      await createDeviceIn(hub, 1);
      const { list, total } = await hub.admin.ok(deviceCalls.queryDeviceList, { haZoneId: id });
      expect([total, list.map((row) => row.deviceId)]).toEqual([1, [deviceId]]);
      const both = await hub.admin.ok(deviceCalls.queryDeviceList, { haZoneId: id, tenancyId, online: 2 });
      expect(both.total).toBe(1);
      expect((await hub.admin.ok(deviceCalls.queryDeviceList, { haZoneId: 1, tenancyId })).total).toBe(0);
    });
  });
});
