import { otaCalls } from '@device-center/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workshop } from './device-kit.ts';
import { makeVersion } from './firmware-kit.ts';
import { type Hub, startHub } from './hub.ts';
import { LONG, startAgain } from './link-kit.ts';
import { addTask, expectTask, type FleetMember, recordsOf, startFleet, taskOf, tellingsOf } from './ota-kit.ts';

const DEVICES = LONG ? 60 : 20;
const KILLS = LONG ? 20 : 3;

let hub: Hub;
let fleet: FleetMember[] = [];

beforeAll(async () => {
  hub = await startHub();
  // On the ports it had, so that its devices find it again.
  Object.assign(hub.env, { PORT: new URL(hub.url).port, MQTT_PORT: String(hub.process.mqttPort) });
}, 60_000);
afterAll(async () => {
  await Promise.all(fleet.map(({ device }) => device.stop()));
  await hub.close();
});

it(
  `${KILLS} kills while ${DEVICES} devices are told and upgraded: nobody is told twice, nobody is forgotten`,
  async () => {
    const shop = await workshop(hub);
    const version = await makeVersion(hub, shop, '2.0.0');
    fleet = await startFleet(
      hub,
      shop,
      Array.from({ length: DEVICES }, () => 'slow'),
    );
    const ids = fleet.map(({ deviceId }) => deviceId);
    const perMinute = LONG ? 60 : 240;
    const taskId = await addTask(hub.admin, version.versionId, { deviceListId: ids, perMinute, retries: 3 });
    for (let kill = 1; kill <= KILLS; kill++) {
      const enough = Math.floor((DEVICES * kill) / (KILLS + 1));
      const told = async () => (await tellingsOf(hub, ids)).length;
      await expect.poll(told, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(enough);
      await hub.process.kill();
      hub = await startAgain(hub);
    }
    for (const member of fleet) member.fault.now = '';
    await expectTask(hub.admin, taskId, 5);
    expect((await taskOf(hub.admin, taskId)).tally).toMatchObject({ 0: 0, 5: DEVICES, 6: 0 });
    const tellings = await tellingsOf(hub, ids);
    expect(new Set(tellings).size).toBe(tellings.length);
    expect((await recordsOf(hub.admin, taskId)).every(({ attempt }) => attempt >= 1)).toBe(true);
  },
  LONG ? 900_000 : 180_000,
);

it('a task that was being written down when the hub was killed is nobody’s, and holds nobody', async () => {
  const shop = await workshop(hub);
  const version = await makeVersion(hub, shop, '2.0.0');
  const [member] = await startFleet(hub, shop, ['']);
  if (!member) throw new Error('no device');
  fleet.push(member);
  const taskId = await addTask(hub.admin, version.versionId, {
    deviceListId: [member.deviceId],
    executeNow: 0,
    taskStart: Date.now() + 3_600_000,
  });
  // As it lies there when the last piece is missing.
  await hub.db.updateTable('ota_task').set({ complete: 0, created_at: 1 }).where('task_id', '=', taskId).execute();
  expect((await hub.admin.get(otaCalls.queryDeviceOtaTaskList, { taskId })).total).toBe(0);
  expect((await hub.admin.refused(otaCalls.startOtaTaskStatus, { taskId })).code).toBe('TASK_NOT_FOUND');
  await hub.process.kill();
  hub = await startAgain(hub);
  const again = () =>
    hub.admin.call(otaCalls.addDeviceOtaTask, {
      taskName: 'again',
      deviceVersionId: version.versionId,
      deviceListId: [member.deviceId],
    });
  await expect.poll(async () => (await again()).success, { timeout: 90_000, interval: 500 }).toBe(true);
}, 150_000);
