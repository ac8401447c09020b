/**
 * Upgrade tasks over many devices: time to create one (reference: hand-written INSERT … SELECT in the same run), rate at
 * which connected devices are notified, and when a task stops if all upgrades fail. BENCH_DATABASE_URL measures on
 * PostgreSQL.
 */
import { otaCalls } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../packages/server/src/db/connect.ts';
import { createProductFixture, insertOffline } from '../packages/server/test/device-fixtures.ts';
import { createEnvironment } from '../packages/server/test/environment.ts';
import { createVersion } from '../packages/server/test/firmware-fixtures.ts';
import { spawnHub } from '../packages/server/test/hub.ts';
import { connectDevice, type RawDevice } from '../packages/server/test/raw-device.ts';
import { median } from './median.ts';
import { report } from './report.ts';
import { timed } from './timed.ts';

const DEVICES = Number(process.env.BENCH_DEVICES ?? 100_000);
const CONNECTED = Number(process.env.BENCH_CONNECTED ?? 2_000);
const ROUNDS = 3;
const OLD = '1.0.0';
const LATER_MS = 86_400_000;
const STAGES = [1, 10, 100];

const hub = await spawnHub({ RATE_LIMIT_DEVICES: '1000000' }, [], createEnvironment(process.env.BENCH_DATABASE_URL));
const { db, admin } = hub;
const shop = await createProductFixture(hub);
const version = await createVersion(hub, shop, '2.0.0');

const connectSome = async (count: number): Promise<RawDevice[]> => {
  const devices: RawDevice[] = [];
  for (let from = 0; from < count; from += 50)
    devices.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(50, count - from) }, (_, index) =>
          connectDevice(
            hub.url,
            { productId: shop.productId, deviceId: `told-${from + index}`, secret: shop.productSecret },
            { before: { versionNumber: OLD } },
          ),
        ),
      )),
    );
  return devices;
};

const addTask = async (more: object): Promise<string> => {
  const sent = { taskName: 'bench', deviceVersionId: version.versionId, versionNumber: [OLD], ...more };
  return (await admin.ok(otaCalls.addDeviceOtaTask, sent)).taskId;
};

/** Hand-written SQL in one transaction: a row per device, and its reservation. */
const byHand = (db: Db, taskId: string): Promise<void> =>
  db.transaction().execute(async (db) => {
    await sql`
      insert into ota_device (record_no, task_id, tenancy_id, device_id, registration_no, status, reason, detail, attempt, tries, place,
        due_at, command_id, deadline, percent, stage, from_version, told_at, reported_at, ended_at, created_at)
      select 500000000 + row_number() over (order by device_id), ${taskId}, tenancy_id, device_id, registration_no, 0, 0, '', 0, 0, 1,
        0, 0, 0, 0, 0, version_number, 0, 0, 0, 1
      from device where product_id = ${shop.productId} and version_number = ${OLD}`.execute(db);
    await sql`
      insert into ota_hold (device_id, registration_no, task_rank, task_id, started)
      select device_id, registration_no, 9, task_id, 0 from ota_device where task_id = ${taskId}`.execute(db);
  });

const remove = (taskId: string) => admin.ok(otaCalls.deleteDeviceOtaTask, { taskIds: [taskId] });

const measureCreation = async (): Promise<void> => {
  const hubs: number[] = [];
  const hands: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let taskId = '';
    const later = { executeNow: 0, taskStart: Date.now() + LATER_MS };
    hubs.push(
      await timed(async () => {
        taskId = await addTask(later);
      }),
    );
    await db.deleteFrom('ota_device').where('task_id', '=', taskId).execute();
    await db.deleteFrom('ota_hold').where('task_id', '=', taskId).execute();
    hands.push(await timed(() => byHand(db, taskId)));
    await remove(taskId);
  }
  report({
    what: `an upgrade task over ${DEVICES.toLocaleString('en')} devices is made`,
    value: median(hubs),
    unit: 'ms',
    worst: Math.max(...hubs),
    reference: { name: 'INSERT … SELECT by hand', value: median(hands) },
  });
};

/** Each device responds to the order at once and records the time. */
const onOrder = (devices: RawDevice[], then: (device: RawDevice) => Promise<unknown>): { at: number[] } => {
  const notified = { at: [] as number[] };
  for (const device of devices)
    device.client.on('message', (_topic, bytes) => {
      const envelope = JSON.parse(bytes.toString());
      if (envelope.type !== 4 || envelope.dataFlow !== 0) return;
      const { service, input } = JSON.parse(envelope.payload);
      if (service !== 'ota') return;
      notified.at.push(performance.now());
      device
        .respond(envelope, 200, { output: {} })
        .then(() => then(Object.assign(device, { order: input })))
        // At the end, connections close with messages in flight.
        .catch(() => undefined);
    });
  return notified;
};

const until = async (what: string, done: () => Promise<boolean> | boolean): Promise<void> => {
  const end = Date.now() + 180_000;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`timeout: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

await insertOffline(db, shop, DEVICES - CONNECTED, OLD);
const devices = await connectSome(CONNECTED);
for (const device of devices) device.client.setMaxListeners(20);
console.log(`${DEVICES} devices, ${CONNECTED} of them connected`);
await measureCreation();

const notified = onOrder(devices, async () => undefined);
const began = performance.now();
const taskId = await addTask({ executeNow: 1 });
const made = performance.now() - began;
await until('all devices notified', () => notified.at.length >= CONNECTED);
const seconds = ((notified.at.at(-1) ?? 0) - (notified.at[0] ?? 0)) / 1_000;
console.log(`created and started in ${made.toFixed(0)} ms; ${notified.at.length} notified in ${seconds.toFixed(1)} s`);
report({ what: 'devices notified of an upgrade', value: (notified.at.length / seconds) * 60, unit: 'a minute' });
await admin.ok(otaCalls.cancelOtaTask, { taskId });
await remove(taskId);

for (const device of devices) device.client.removeAllListeners('message');
type Ordered = RawDevice & { order: { deviceOtaTaskId: string; attempt: number } };
onOrder(devices, (device) => {
  const { deviceOtaTaskId, attempt } = (device as Ordered).order;
  const output = { deviceOtaTaskId, attempt, status: 6, percent: 0, reason: 5 };
  return device.send({ type: 3, payload: { event: 'otaProgress', output } });
});
const failing = await addTask({ stages: STAGES, stopPercent: 20, stopAfter: 50 });
const details = () => admin.ok(otaCalls.getDeviceOtaTaskDetails, { taskId: failing });
await until('it was stopped', async () => (await details()).taskStatus === 3);
const stopped = await details();
console.log(
  `all fail, stop above 20 % of 50: stopped in stage ${stopped.stage} of ${STAGES.join('/')} %, ` +
    `${stopped.stageTallies.reduce((sum, stage) => sum + stage.told, 0)} notified of ${Math.ceil((DEVICES * (STAGES[0] ?? 0)) / 100)} in it`,
);

for (const device of devices) device.client.end(true);
await hub.close();
process.exit(0);
