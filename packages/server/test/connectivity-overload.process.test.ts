import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, connectRows, LONG } from './connectivity-fixtures.ts';
import { connectNewDevice, createProductFixture, expectOnline, type ProductFixture } from './device-fixtures.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import { deviceProcess, residentMiB } from './hub-process.ts';
import type { RawDevice } from './raw-device.ts';

let hub: SpawnedHub;
let fixture: ProductFixture;
beforeAll(async () => {
  hub = await spawnHub();
  fixture = await createProductFixture(hub);
});
afterAll(() => hub.close());

describe('a flood from many clients', () => {
  const CLIENTS = LONG ? 2_000 : 50;
  /** With LONG longer than one and a half keep-alive periods: a client that is not read in time would be disconnected. */
  const FOR_MS = LONG ? 120_000 : 2_000;
  const KEEP_ALIVE_S = 10;
  const AT_ONCE = 4;
  const COME_AT_ONCE = 50;
  /** Allowed growth over the memory with all clients connected: the buffer budget and garbage of two collectors. */
  const GROWTH_MAX_MIB = 700;
  /** The allowed growth in the second half: if messages were retained it would be a gigabyte with LONG. */
  const CREEP_MAX_MIB = 120;
  const LOOK_EVERY_MS = 100;

  const connectAll = async (): Promise<RawDevice[]> => {
    const devices: RawDevice[] = [];
    while (devices.length < CLIENTS) {
      const next = Math.min(COME_AT_ONCE, CLIENTS - devices.length);
      const options = { options: { keepalive: KEEP_ALIVE_S } };
      devices.push(...(await Promise.all(Array.from({ length: next }, () => connectNewDevice(hub, fixture, options)))));
    }
    return devices;
  };

  it(
    'disconnects no client, and memory stays level',
    async () => {
      const devices = await connectAll();
      const cut: string[] = [];
      let stopping = false;
      for (const device of devices) device.client.on('close', () => !stopping && cut.push(device.deviceId));
      const before = residentMiB(deviceProcess(hub.process));
      const half = Date.now() + FOR_MS / 2;
      const until = Date.now() + FOR_MS;
      const highest = { firstHalf: before, secondHalf: 0 };
      const looking = setInterval(() => {
        const which = Date.now() < half ? 'firstHalf' : 'secondHalf';
        highest[which] = Math.max(highest[which], residentMiB(deviceProcess(hub.process)));
      }, LOOK_EVERY_MS);
      let acknowledged = 0;
      const flood = async (device: RawDevice): Promise<void> => {
        while (Date.now() < until) {
          await device.send({ type: 7, payload: 'A'.repeat(400) });
          acknowledged++;
        }
      };
      await Promise.all(devices.flatMap((device) => Array.from({ length: AT_ONCE }, () => flood(device))));
      clearInterval(looking);
      expect(cut).toEqual([]);
      expect(acknowledged).toBeGreaterThan(CLIENTS * AT_ONCE);
      expect(highest.secondHalf - before).toBeLessThan(GROWTH_MAX_MIB);
      expect(highest.secondHalf - highest.firstHalf).toBeLessThan(CREEP_MAX_MIB);
      const [stored] = await hub.records
        .selectFrom('message_record')
        .select((row) => row.fn.countAll<number>().as('messages'))
        .where('data_flow', '=', 1)
        .execute();
      expect(Number(stored?.messages)).toBe(acknowledged);
      stopping = true;
      for (const device of devices) device.client.end(true);
    },
    FOR_MS * 6 + 60_000,
  );
});

describe('overload', () => {
  const FOR_MS = LONG ? 60_000 : 2_000;
  const DEVICES = LONG ? 40 : 12;
  /** Each keeps ten times the hub's window of 64 under way, half of them over MQTT 5, so that the hub always has work. */
  const AT_ONCE = 640;
  /** Allowed growth over the idle memory: budgets of 2 × 32 MiB, one batch in progress, and garbage. */
  const GROWTH_MAX_MIB = 400;

  /** Sends without pause until the time is up, then waits for messages in flight. */
  const flood = async (device: RawDevice, until: number): Promise<Set<string>> => {
    const acknowledged = new Set<string>();
    const work = async (): Promise<void> => {
      // At least once: the first one may take the whole time.
      do {
        const envelope = device.seal({ type: 7, payload: 'A'.repeat(400) });
        await device.publish(envelope);
        acknowledged.add(envelope.dataId);
      } while (Date.now() < until);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return acknowledged;
  };

  it(
    'is throttled: memory is bounded, nothing acknowledged is lost, a healthy device stays connected',
    async () => {
      const healthy = await connectNewDevice(hub, fixture, { options: { keepalive: 10 } });
      const flooders = await Promise.all(
        Array.from({ length: DEVICES }, (_, index) =>
          connectNewDevice(hub, fixture, { options: { protocolVersion: index % 2 === 0 ? 4 : 5 } }),
        ),
      );
      const pid = deviceProcess(hub.process);
      const before = residentMiB(pid);
      let most = before;
      const until = Date.now() + FOR_MS;
      const watch = setInterval(() => {
        most = Math.max(most, residentMiB(pid));
      }, 100);
      const floods = Promise.all(flooders.map((device) => flood(device, until)));
      do expect((await ask(healthy, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
      while (Date.now() < until);
      const acknowledged = await floods;
      clearInterval(watch);
      expect(most - before).toBeLessThan(GROWTH_MAX_MIB);
      for (const [index, { deviceId }] of flooders.entries()) {
        const rows = await hub.records
          .selectFrom('message_record')
          .select('message_id')
          .where('device_id', '=', deviceId)
          .where('data_flow', '=', 1)
          .execute();
        const stored = new Set(rows.map((row) => String(row.message_id)));
        expect(stored.size).toBe(rows.length);
        expect([...(acknowledged[index] ?? [])].filter((dataId) => !stored.has(dataId))).toEqual([]);
        expect(stored.size).toBeGreaterThan(0);
      }
      expect(healthy.client.connected).toBe(true);
      await expectOnline(hub, healthy.deviceId, 1);
      expect((await connectRows(hub, healthy.deviceId)).map(({ status }) => status)).toEqual([1]);
      await Promise.all([healthy, ...flooders].map((device) => device.end()));
      await expectOnline(hub, healthy.deviceId, 2);
    },
    120_000 + 3 * FOR_MS,
  );
});
