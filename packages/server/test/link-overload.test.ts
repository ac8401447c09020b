import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comeAlive, expectOnline, type Workshop, workshop } from './device-kit.ts';
import { type Hub, startHub } from './hub.ts';
import { deviceSide, residentMiB } from './hub-process.ts';
import { ask, connectRows, LONG } from './link-kit.ts';
import type { RawDevice } from './raw-device.ts';

const FOR_MS = LONG ? 60_000 : 5_000;
const DEVICES = 40;
/** Each keeps ten times the hub's window of 16 under way, so that the hub is never waited for. */
const AT_ONCE = 160;
/** Beside what it weighs at rest: budgets of 2 × 32 MiB, one batch on its way, and the collector's slack. */
const GROWTH_MAX_MIB = 400;

let hub: Hub;
let place: Workshop;
beforeAll(async () => {
  hub = await startHub();
  place = await workshop(hub);
});
afterAll(() => hub.close());

/** Sends without pause until the time is up, and then waits for what is under way. */
const flood = async (device: RawDevice, until: number): Promise<Set<string>> => {
  const acknowledged = new Set<string>();
  const work = async (): Promise<void> => {
    while (Date.now() < until) {
      const envelope = device.seal({ type: 7, payload: 'A'.repeat(400) });
      await device.publish(envelope);
      acknowledged.add(envelope.dataId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return acknowledged;
};

describe('more than the hub can take', () => {
  it(
    'is read more slowly: memory is bounded, nothing acknowledged is lost, a healthy device is not cut',
    async () => {
      const healthy = await comeAlive(hub, place, { options: { keepalive: 10 } });
      const flooders = await Promise.all(Array.from({ length: DEVICES }, () => comeAlive(hub, place)));
      const pid = deviceSide(hub.process);
      const before = residentMiB(pid);
      let most = before;
      const until = Date.now() + FOR_MS;
      const watch = setInterval(() => {
        most = Math.max(most, residentMiB(pid));
      }, 100);
      const floods = Promise.all(flooders.map((device) => flood(device, until)));
      let answered = 0;
      while (Date.now() < until) {
        expect((await ask(healthy, { type: 10, payload: { ask: ['time'] } })).code).toBe(200);
        answered++;
      }
      const acknowledged = await floods;
      clearInterval(watch);
      expect(answered).toBeGreaterThan(0);
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
