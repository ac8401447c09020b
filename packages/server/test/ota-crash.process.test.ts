import { afterAll, beforeAll, expect, it } from 'vitest';
import { expireClaims } from './claims-fixtures.ts';
import { LONG } from './connectivity-fixtures.ts';
import { createProductFixture } from './device-fixtures.ts';
import { describeOnOneEngine } from './engine.ts';
import { createVersion } from './firmware-fixtures.ts';
import { type SpawnedHub, spawnHub } from './hub.ts';
import {
  addTask,
  expectTask,
  type FleetMember,
  notificationsOf,
  recordsOf,
  startFleet,
  taskOf,
} from './ota-fixtures.ts';

describeOnOneEngine('postgres', () => {
  const DEVICES = LONG ? 60 : 8;
  const KILLS = LONG ? 20 : 1;

  let hub: SpawnedHub;
  let fleet: FleetMember[] = [];

  beforeAll(async () => {
    hub = await spawnHub();
    // On the ports it had, so that its devices find it again.
    Object.assign(hub.env, { PORT: new URL(hub.url).port, MQTT_PORT: String(hub.process.mqttPort) });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(fleet.map(({ device }) => device.stop()));
    await hub.close();
  });

  it(
    `notifies each of ${DEVICES} devices exactly once despite ${KILLS} kills`,
    async () => {
      const shop = await createProductFixture(hub);
      const version = await createVersion(hub, shop, '2.0.0');
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
        const told = async () => (await notificationsOf(hub, ids)).length;
        await expect.poll(told, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(enough);
        await hub.process.kill();
        await expireClaims(hub);
        hub = await hub.start();
      }
      for (const member of fleet) member.fault.now = '';
      await expectTask(hub.admin, taskId, 5);
      expect((await taskOf(hub.admin, taskId)).tally).toMatchObject({ 0: 0, 5: DEVICES, 6: 0 });
      const tellings = await notificationsOf(hub, ids);
      expect(new Set(tellings).size).toBe(tellings.length);
      expect((await recordsOf(hub.admin, taskId)).every(({ attempt }) => attempt >= 1)).toBe(true);
    },
    LONG ? 900_000 : 180_000,
  );
});
