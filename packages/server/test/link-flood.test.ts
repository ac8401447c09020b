import { afterAll, beforeAll, expect, it } from 'vitest';
import { comeAlive, type Workshop, workshop } from './device-kit.ts';
import { type Hub, startHub } from './hub.ts';
import { deviceSide, residentMiB } from './hub-process.ts';
import { LONG } from './link-kit.ts';
import type { RawDevice } from './raw-device.ts';

const CLIENTS = LONG ? 2_000 : 150;
/** Longer than one and a half times the keep-alive: whoever were not heard in time would be cut within it. */
const FOR_MS = LONG ? 120_000 : 17_000;
const KEEP_ALIVE_S = 10;
const AT_ONCE = 4;
const COME_AT_ONCE = 50;
/** Beside what it weighs when all are connected: what waits within the budget, and the slack of two collectors. */
const GROWTH_MAX_MIB = 700;
/** What the second half may add to the first: if messages were kept it would be a gigabyte in the long form. */
const CREEP_MAX_MIB = 120;
const LOOK_EVERY_MS = 500;

let hub: Hub;
let place: Workshop;
beforeAll(async () => {
  hub = await startHub();
  place = await workshop(hub);
});
afterAll(() => hub.close());

const connectAll = async (): Promise<RawDevice[]> => {
  const devices: RawDevice[] = [];
  while (devices.length < CLIENTS) {
    const next = Math.min(COME_AT_ONCE, CLIENTS - devices.length);
    const options = { options: { keepalive: KEEP_ALIVE_S } };
    devices.push(...(await Promise.all(Array.from({ length: next }, () => comeAlive(hub, place, options)))));
  }
  return devices;
};

it(
  'a flood from many clients cuts none of them, and memory stays level',
  async () => {
    const devices = await connectAll();
    const cut: string[] = [];
    let stopping = false;
    for (const device of devices) device.client.on('close', () => !stopping && cut.push(device.deviceId));
    const before = residentMiB(deviceSide(hub.process));
    const half = Date.now() + FOR_MS / 2;
    const until = Date.now() + FOR_MS;
    const highest = { firstHalf: 0, secondHalf: 0 };
    const looking = setInterval(() => {
      const which = Date.now() < half ? 'firstHalf' : 'secondHalf';
      highest[which] = Math.max(highest[which], residentMiB(deviceSide(hub.process)));
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
