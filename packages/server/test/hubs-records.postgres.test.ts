import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Uplink } from '../src/records/batch.ts';
import { openRecordStore } from '../src/records/store.ts';
import { comeAlive, type Workshop, workshop } from './device-kit.ts';
import { messageRow } from './device-records.ts';
import { type Hub, unique } from './hub.ts';
import { type Hubs, seenFrom, startHubs } from './hubs-kit.ts';
import { LONG, upRecords } from './link-kit.ts';

const DEVICES_AT_EACH = LONG ? 10 : 3;
const MESSAGES = LONG ? 5_000 : 600;
const SESSIONS = LONG ? 1_000 : 60;

let hubs: Hubs;
let place: Workshop;
beforeAll(async () => {
  hubs = await startHubs();
  place = await workshop(hubs.a);
});
afterAll(() => hubs.close());

it('what both take at full speed is kept, each message once, under numbers that never meet', async () => {
  const doors: Hub[] = [hubs.a, seenFrom(hubs)];
  const devices = (
    await Promise.all(
      doors.map((hub) => Promise.all(Array.from({ length: DEVICES_AT_EACH }, () => comeAlive(hub, place)))),
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

it('a first message that two hubs write at the same moment is kept once', async () => {
  const stores = [hubs.a.env, hubs.a.env].map(({ DATABASE_URL, DATA_DIR = '' }) =>
    openRecordStore({ DATABASE_URL, DATA_DIR, RETENTION_DAYS: 90 }),
  );
  const whose = { tenancyId: '1', productId: place.productId, deviceId: unique('moving') };
  for (let session = 0; session < SESSIONS; session++) {
    const sessionId = unique('session');
    const uplink = (): Uplink => ({
      record: { ...messageRow(whose, { message_id: session, device_time: 1, session_id: sessionId }), response: 0 },
      samples: [],
      logs: [],
    });
    const verdicts = await Promise.all(
      stores.map((store, index) =>
        store.write({ writerNo: 9_001 + index, uplinks: [uplink()], downlinks: [], connects: [] }),
      ),
    );
    expect(verdicts.flat().sort()).toEqual(['repeat', 'stored']);
  }
  expect(await upRecords(hubs.a, whose.deviceId)).toHaveLength(SESSIONS);
  await Promise.all(stores.map((store) => store.close()));
}, 120_000);
