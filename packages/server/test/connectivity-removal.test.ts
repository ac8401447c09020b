import { controlCalls, deviceCalls, productCalls } from '@device-center/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectCode, waitForClose } from './connectivity-fixtures.ts';
import { countRows, hubTables, recordTables, removals } from './connectivity-removal-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { PINGREQ, subscribe } from './mqtt/bytes.ts';
import { RawClient } from './mqtt/raw-client.ts';
import { loginFields, type RawDevice, tryLogin } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  beforeAll(async () => {
    hub = await sharedHub();
  });

  /** Leaves something in every table. */
  const liveFully = async (device: RawDevice): Promise<void> => {
    const { deviceId } = device;
    await expectOnline(hub, deviceId, 1);
    await device.send({ type: 2, payload: { properties: { power: true } } });
    await device.send({ type: 6, payload: { logs: [{ level: 5, time: Date.now(), log: 'hello' }] } });
    const commanded = hub.admin.ok(controlCalls.commandDeviceFunction, {
      deviceId,
      functionId: 'power',
      functionValue: 'true',
    });
    await device.respond(await device.next(({ type }) => type === 2), 200, { properties: { power: true } });
    await commanded;
    expect(Object.keys(await countRows(hub, deviceId)).sort()).toEqual([...hubTables, ...recordTables].sort());
  };

  /** Publishes until the hub disconnects it. */
  const chatter = async (device: RawDevice): Promise<void> => {
    const gone = waitForClose(device);
    while (device.client.connected)
      await Promise.race([
        gone,
        device.send({ type: 2, payload: { properties: { power: true } } }).catch(() => undefined),
      ]);
  };

  describe.each(removals)('a device that is %s', (_how, remove) => {
    it('is disconnected while it sends, is unknown afterwards, and leaves no trace', async () => {
      const fixture = await createProductFixture(hub);
      const device = await connectNewDevice(hub, fixture);
      const createBystander = await connectNewDevice(hub, await createProductFixture(hub));
      await liveFully(device);
      await liveFully(createBystander);
      const talking = chatter(device);
      await remove(hub, device, fixture);
      await talking;
      // Whatever the hub still had to write of it has been written with this one.
      await createBystander.send({ type: 2, payload: { properties: { power: true } } });
      await expect.poll(() => countRows(hub, device.deviceId)).toEqual({});
      expect(await connectCode(device.bucket)).toBe(4);
      expect(await tryLogin(hub.url, loginFields(device))).toMatchObject({ code: 'SIGNATURE', statusCode: 401 });
      expect(Object.keys(await countRows(hub, createBystander.deviceId))).toHaveLength(
        hubTables.length + recordTables.length,
      );
      expect(createBystander.client.connected).toBe(true);
      await createBystander.end();
    });
  });

  describe('deletion of a product', () => {
    it('is rejected while it has devices; afterwards its secret is invalid', async () => {
      const fixture = await createProductFixture(hub);
      const { productId } = fixture;
      const device = await connectNewDevice(hub, fixture);
      expect(await hub.admin.error(productCalls.deleteDeviceProduct, { productIds: [productId] })).toMatchObject({
        statusCode: 409,
        code: 'PRODUCT_HAS_DEVICES',
      });
      expect(device.client.connected).toBe(true);
      await hub.admin.ok(deviceCalls.deleteDevices, { deviceIds: [device.deviceId] });
      await hub.admin.ok(productCalls.deleteDeviceProduct, { productIds: [productId] });
      const who = { productId, deviceId: device.deviceId, secret: fixture.productSecret };
      expect(await tryLogin(hub.url, loginFields(who))).toMatchObject({ code: 'SIGNATURE' });
    });
  });

  describe('MQTT state of a blacklisted device', () => {
    it('is empty: no retained message, no session, nothing queued', async () => {
      const fixture = await createProductFixture(hub);
      const device = await connectNewDevice(hub, fixture, { options: { clean: false } });
      const { deviceId, bucket } = device;
      const envelope = device.seal({ type: 7, payload: 'AAAA' });
      await device.client.publishAsync(bucket.topics.up, JSON.stringify(envelope), { qos: 1, retain: true });
      await device.client.subscribeAsync(bucket.topics.down, { qos: 1 });
      await expectOnline(hub, deviceId, 1);
      const cut = waitForClose(device);
      await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 1 });
      await cut;
      await expectOnline(hub, deviceId, 2);
      await hub.admin.ok(controlCalls.markBlack, { idList: [deviceId], op: 0 });
      expect(await connectCode(bucket, { clean: false })).toBe(4);
      const again = await connectNewDevice(hub, { ...fixture, productSecret: device.secret }, {}, deviceId);
      await again.end();
      const { clientId, password, port } = again.bucket;
      const [raw, connack] = await RawClient.connect(port, { clientId, password, flags: 0xc0 });
      expect([connack.returnCode, connack.sessionPresent]).toEqual([0, false]);
      raw.send(subscribe(4, bucket.topics.down), PINGREQ);
      await raw.next('suback');
      // Nothing lies between.
      await raw.next('pingresp');
      raw.stream.destroy();
    });
  });
});
