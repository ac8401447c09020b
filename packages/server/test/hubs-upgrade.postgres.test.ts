import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectOnline, workshop } from './device-kit.ts';
import { makeVersion } from './firmware-kit.ts';
import { type Hubs, seenFrom, startHubs } from './hubs-kit.ts';
import { LONG } from './link-kit.ts';
import { addTask, expectTask, type FleetMember, startFleet, taskOf, tellingsOf } from './ota-kit.ts';

const AT_EACH = LONG ? 30 : 5;

let hubs: Hubs;
const fleet: FleetMember[] = [];
beforeAll(async () => {
  hubs = await startHubs();
});
afterAll(async () => {
  await Promise.all(fleet.map(({ device }) => device.stop()));
  await hubs.close();
});

it(`a task over ${2 * AT_EACH} devices of both hubs tells each once and ends with exact counts`, async () => {
  const shop = await workshop(hubs.a);
  const version = await makeVersion(hubs.a, shop, '2.0.0');
  const faults = Array.from({ length: AT_EACH }, (_, index) => (index === 0 ? ('install' as const) : ('' as const)));
  for (const hub of [hubs.a, seenFrom(hubs)]) fleet.push(...(await startFleet(hub, shop, faults)));
  const ids = fleet.map(({ deviceId }) => deviceId);
  for (const deviceId of ids) await expectOnline(hubs.a, deviceId, 1);
  // Made at one hub, looked at from the other.
  const taskId = await addTask(hubs.a.admin, version.versionId, { deviceListId: ids });
  await expectTask(hubs.b.admin, taskId, 7);
  for (const { admin } of [hubs.a, hubs.b]) {
    const { tally, deviceCount, completion } = await taskOf(admin, taskId);
    expect([deviceCount, completion]).toEqual([ids.length, 100]);
    expect(tally).toMatchObject({ 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: ids.length - 2, 6: 2 });
  }
  const tellings = await tellingsOf(hubs.a, ids);
  expect(tellings).toHaveLength(ids.length);
  expect(new Set(tellings).size).toBe(ids.length);
  expect(fleet.filter(({ installed }) => installed.length === 1)).toHaveLength(ids.length - 2);
}, 180_000);
