import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, publish, samples, upRecords } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, type ProductFixture } from './device-fixtures.ts';
import { describeOnEachEngine } from './engine.ts';
import type { Hub } from './hub.ts';
import { sharedHub } from './in-process-hub.ts';
import { connectClient, connectDevice, type RawDevice } from './raw-device.ts';

describeOnEachEngine(() => {
  let hub: Hub;
  let fixture: ProductFixture;
  beforeAll(async () => {
    hub = await sharedHub();
    fixture = await createProductFixture(hub);
  });
  afterAll(() => hub.close());

  const bright = (brightness: number, more: object = {}) => ({
    type: 2,
    payload: { properties: { brightness } },
    ...more,
  });
  const again = (device: RawDevice, secret = device.secret) => connectDevice(hub.url, { ...device, secret });
  const ids = async ({ deviceId }: { deviceId: string }) =>
    (await upRecords(hub, deviceId)).map((row) => row.message_id);
  const values = async ({ deviceId }: { deviceId: string }) => (await samples(hub, deviceId)).map((row) => row.value);

  describe('a repeated message', () => {
    it.each([0, 1, 2] as const)('with QoS %i is stored once', async (qos) => {
      const device = await connectNewDevice(hub, fixture);
      const envelope = device.seal(bright(5));
      for (let count = 0; count < 5; count++) await device.publish(envelope, qos);
      await device.publish(device.seal(bright(6)));
      expect(await ids(device)).toEqual([Number(envelope.dataId), Number(envelope.dataId) + 1]);
      expect(await values(device)).toEqual(['5', '6']);
      expect(device.received).toEqual([]);
      await device.end();
    });

    it('published twice in succession is stored once', async () => {
      const device = await connectNewDevice(hub, fixture);
      const envelope = device.seal(bright(5));
      await Promise.all(Array.from({ length: 16 }, () => device.publish(envelope)));
      expect(await ids(device)).toHaveLength(1);
      await device.end();
    });

    it('on another connection of the same session is stored once', async () => {
      const device = await connectNewDevice(hub, fixture);
      const envelope = device.seal(bright(5));
      await device.publish(envelope);
      await device.end();
      const client = await connectClient(device.bucket);
      await client.publishAsync(device.bucket.topics.up, JSON.stringify(envelope), { qos: 1 });
      expect(await ids(device)).toHaveLength(1);
      await client.endAsync();
    });

    it('after another login, with its old session and id, is stored once; one that never arrived is stored', async () => {
      const first = await connectNewDevice(hub, fixture);
      const sent = first.seal(bright(5));
      const lost = first.seal(bright(6));
      await first.publish(sent);
      await first.end();
      const second = await again(first);
      for (const { dataId, payload, timestamp, sessionId } of [sent, lost, sent, lost])
        await publish(second, JSON.stringify(second.seal({ type: 2, payload, dataId, timestamp, sessionId })));
      await second.publish(second.seal(bright(7, { dataId: '10000' })));
      expect(await values(first)).toEqual(['5', '6', '7']);
      // dataIds are per session: the new session may start at any number.
      expect(await ids(first)).toEqual([10_000, 10_001, 10_000]);
      await second.end();
    });

    it('with the same id and other content is rejected, never dropped silently', async () => {
      const device = await connectNewDevice(hub, fixture);
      const first = await device.send(bright(5));
      const others = [
        bright(6, { dataId: first.dataId, timestamp: first.timestamp }),
        bright(5, { dataId: first.dataId, timestamp: first.timestamp + 1 }),
      ];
      for (const other of others) {
        await publish(device, JSON.stringify(device.seal(other)));
        await expect.poll(() => device.received.map(({ code }) => code).at(-1)).toBe(40901);
        device.received.length = 0;
      }
      expect(await values(device)).toEqual(['5']);
      await device.end();
    });

    it('that was rejected is rejected again, and recorded once', async () => {
      const device = await connectNewDevice(hub, fixture);
      const wrong = device.seal(bright(500));
      for (let count = 0; count < 3; count++) await device.publish(wrong);
      await expect.poll(() => device.received.map(({ code }) => code)).toEqual([40005, 40005, 40005]);
      expect(await ids(device)).toHaveLength(1);
      expect(await values(device)).toEqual([]);
      await device.end();
    });

    it('with a request is answered again', async () => {
      const device = await connectNewDevice(hub, fixture);
      const question = device.seal({ type: 10, payload: { ask: ['time'] } });
      await device.publish(question);
      await device.publish(question);
      await expect.poll(() => device.received.map(({ code }) => code)).toEqual([200, 200]);
      expect(await ids(device)).toHaveLength(1);
      await device.end();
    });
  });

  describe('dataIds', () => {
    it('below the high-water mark that are unknown are stored, once', async () => {
      const device = await connectNewDevice(hub, fixture);
      for (const dataId of ['50', '40', '45', '0', '9007199254740991', '41', '40'])
        await publish(device, JSON.stringify(device.seal(bright(5, { dataId, timestamp: 1_767_225_600_000 }))));
      expect(await ids(device)).toEqual([50, 40, 45, 0, 9007199254740991, 41]);
      expect(device.received).toEqual([]);
      await device.end();
    });

    it('may be whole numbers, with the same meaning', async () => {
      const device = await connectNewDevice(hub, fixture);
      const envelope = device.seal(bright(5));
      await publish(device, JSON.stringify({ ...envelope, dataId: Number(envelope.dataId), tenantId: 1 }));
      await publish(device, JSON.stringify(envelope));
      expect(await ids(device)).toHaveLength(1);
      expect((await ask(device, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
      await device.end();
    });

    it('of different devices are independent', async () => {
      const [one, other] = [await connectNewDevice(hub, fixture), await connectNewDevice(hub, fixture)];
      await one.send(bright(5, { dataId: '7' }));
      await other.send(bright(6, { dataId: '7' }));
      expect([await values(one), await values(other)]).toEqual([['5'], ['6']]);
      await Promise.all([one.end(), other.end()]);
    });

    it('shuffled and doubled over two connections are each stored once', async () => {
      const device = await connectNewDevice(hub, fixture);
      const sealed = Array.from({ length: 300 }, (_, index) => device.seal(bright((index % 100) + 1)));
      const shuffled = [...sealed, ...sealed].sort((one, other) => (one.signature < other.signature ? -1 : 1));
      await Promise.all(shuffled.slice(0, 300).map((envelope) => device.publish(envelope)));
      const client = await connectClient(device.bucket);
      await Promise.all(
        [...shuffled.slice(250), ...sealed].map((envelope) =>
          client.publishAsync(device.bucket.topics.up, JSON.stringify(envelope), { qos: 1 }),
        ),
      );
      expect((await ids(device)).sort((one, other) => one - other)).toEqual(sealed.map(({ dataId }) => Number(dataId)));
      expect(await values(device)).toHaveLength(300);
      await client.endAsync();
    });
  });
});
