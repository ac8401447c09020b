import { closedStatus, compareVersions, TaskStatus, type UpgradeTally } from '@device-center/contract';
import type { Insertable, Updateable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { OtaDeviceTable, OtaTaskTable } from '../../db/hub-tables.ts';
import { logTask, type OtaTask, readTally } from '../../db/ota-records.ts';
import { taskRowOf } from '../../features/ota/ota.creation.ts';
import { reserveWaiting } from '../../features/ota/ota.reservations.ts';
import { scheduleOf } from '../../features/ota/ota.schedule.ts';
import { insertChunk } from '../../features/ota/ota.targets.ts';
import type { Company, DemoFailure, DemoUpgrade } from './company.ts';
import type { CreatedVersion } from './firmware.ts';
import { DAY_MS, type PlannedDevice } from './plan.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PER_MINUTE = 15;
const TIMEOUT_MINUTES = 30;
/** From one stage to the next: by then the slowest has ended. */
const STAGE_MS = 5 * MINUTE_MS;
const UPGRADE_MS = [45 * SECOND_MS, 160 * SECOND_MS] as const;
/** How far a device was when it failed, by the reason. */
const FAILED_AT_PERCENT = { 0: 0, 1: 12, 2: 0, 3: 61, 4: 100, 5: 40 } as const;

type Told = { device: PlannedDevice; stage: number; toldAt: number; endedAt: number; failure: DemoFailure | undefined };

const between = ([low, high]: readonly [number, number]): number => Math.floor(low + Math.random() * (high - low));

/** Who was told, in order, and who still waits. */
const divide = (upgrade: DemoUpgrade, devices: PlannedDevice[]) => {
  const about = devices.map((device, place) => ({ device, failure: upgrade.failures?.[place] }));
  const known = about.filter(({ device }) => device.stays.length > 0);
  const runsTarget = ({ device }: (typeof known)[number]) => compareVersions(device.versionNumber, upgrade.to) >= 0;
  const isTold = (one: (typeof known)[number]) => one.failure !== undefined || runsTarget(one);
  return {
    told: upgrade.state === 'later' ? [] : known.filter(isTold),
    waiting: known.filter((one) => !isTold(one) && upgrade.from.includes(one.device.versionNumber)),
  };
};

/** When each was told and had ended: stage by stage, at the task's rate. */
const tellingOf = (upgrade: DemoUpgrade, began: number, total: number, parts: ReturnType<typeof divide>['told']) => {
  let [stage, place] = [0, 0];
  return parts.map(({ device, failure }, index): Told => {
    const present = upgrade.stages.findIndex((share) => index < Math.ceil((total * share) / 100));
    place = present === stage ? place : 0;
    stage = present;
    const toldAt = began + SECOND_MS + stage * STAGE_MS + Math.floor((place++ * MINUTE_MS) / PER_MINUTE);
    const lasted = failure?.reason === 1 ? TIMEOUT_MINUTES * MINUTE_MS : between(UPGRADE_MS);
    return { device, failure, stage: stage + 1, toldAt, endedAt: toldAt + lasted };
  });
};

const recordOf = (upgrade: DemoUpgrade, { failure, stage, toldAt, endedAt }: Told): Updateable<OtaDeviceTable> => ({
  status: failure ? 6 : 5,
  reason: failure?.reason ?? 0,
  detail: failure?.detail ?? '',
  attempt: 1,
  tries: 1,
  place: 0,
  deadline: endedAt + TIMEOUT_MINUTES * MINUTE_MS,
  percent: failure ? FAILED_AT_PERCENT[failure.reason] : 100,
  stage,
  from_version: upgrade.from[0] ?? '',
  told_at: toldAt,
  reported_at: failure?.reason === 1 ? 0 : endedAt,
  ended_at: endedAt,
});

const scheduleIn = ({ timezone }: Company, { state, cron = '' }: DemoUpgrade, began: number, now: number) => {
  if (state !== 'later')
    return scheduleOf(
      { executeNow: 1, taskType: 1, cron: '', timezone, taskStart: undefined, taskEnd: windowEnd(state, began) },
      began,
    );
  const taskStart = Math.ceil(now / HOUR_MS) * HOUR_MS + DAY_MS / 2;
  return scheduleOf({ executeNow: 0, taskType: 2, cron, timezone, taskStart, taskEnd: taskStart + 28 * DAY_MS }, began);
};

/** One that waits for an operator is to be found waiting for a while. */
const windowEnd = (state: DemoUpgrade['state'], began: number): number | undefined =>
  state === 'paused' ? began + 60 * DAY_MS : undefined;

const rolloutOf = ({ stages }: DemoUpgrade) => ({
  stages,
  stageWait: 0,
  perMinute: PER_MINUTE,
  timeout: TIMEOUT_MINUTES,
  retries: 0,
  stopPercent: 30,
  stopAfter: 10,
  allowOlder: 0 as const,
});

/** How a task stands once all this has happened. */
const standingOf = ({ state }: DemoUpgrade, told: Told[], tally: UpgradeTally): Updateable<OtaTaskTable> => {
  const lastStage = (told.at(-1)?.stage ?? 1) - 1;
  const last = Math.max(0, ...told.map(({ endedAt }) => endedAt));
  const run = { runs: 1, told: told.length, stage: lastStage };
  if (state === 'later') return {};
  if (state === 'paused') return { ...run, status: TaskStatus.paused, run_open: 1, updated_at: last + MINUTE_MS };
  const ended = { status: closedStatus(tally), tally: JSON.stringify(tally), ended_at: last, updated_at: last };
  return { ...run, ...ended };
};

/** Who did what, in order; without a name, the hub itself. */
const writeLog = async (db: Db, task: OtaTask, username: string, told: Told[], devices: number): Promise<void> => {
  const { task_id: taskId, created_at: began, status, updated_at: at } = task;
  const write = (line: Parameters<typeof logTask>[2], time: number) => logTask(db, taskId, line, time);
  const to = told.length > 0 ? TaskStatus.waiting : TaskStatus.notStarted;
  await write({ username, action: 'create', to, detail: String(devices) }, began);
  const first = told[0];
  if (!first) return;
  await write({ action: 'firstNotified', from: TaskStatus.waiting, to: TaskStatus.upgrading }, first.toldAt);
  for (const [place, { stage, toldAt }] of told.entries())
    if (stage !== (told[place - 1]?.stage ?? 1)) await write({ action: 'stage', detail: String(stage) }, toldAt);
  const from = TaskStatus.upgrading;
  if (status === TaskStatus.paused) await write({ username, action: 'suspend', from, to: status }, at);
  else await write({ action: 'allDone', from, to: status }, at);
};

type Maker = { company: Company; creator: string };

const insertTask = async (
  db: Db,
  { company, creator }: Maker,
  upgrade: DemoUpgrade,
  version: CreatedVersion,
  devices: PlannedDevice[],
  now: number,
): Promise<void> => {
  const began = Math.floor(now - upgrade.hoursAgo * HOUR_MS);
  const { told: parts, waiting } = divide(upgrade, devices);
  const meant = [...parts, ...waiting].map(({ device }) => device.deviceId);
  const told = tellingOf(upgrade, began, meant.length, parts);
  const { taskName, taskRank, from: versions } = upgrade;
  const who = { taskName, taskRank, creator, appId: '', versions, rehearsal: 0 as const };
  const schedule = scheduleIn(company, upgrade, began, now);
  const row: Insertable<OtaTaskTable> = taskRowOf(version, who, schedule, rolloutOf(upgrade), began);
  await db.insertInto('ota_task').values(row).execute();
  await insertChunk(db, row, meant, began);
  for (const one of told) {
    await db
      .updateTable('ota_device')
      .set(recordOf(upgrade, one))
      .where('task_id', '=', row.task_id)
      .where('device_id', '=', one.device.deviceId)
      .execute();
    const { device, failure, endedAt } = one;
    if (!failure) device.earlier.push({ versionNumber: upgrade.from[0] ?? '', until: endedAt });
  }
  const standing = { ...standingOf(upgrade, told, await readTally(db, row.task_id)), complete: 1 as const };
  await db.updateTable('ota_task').set(standing).where('task_id', '=', row.task_id).execute();
  const task = { ...row, ...standing } as OtaTask;
  await reserveWaiting(db, task, told.length > 0 ? 1 : 0);
  await writeLog(db, task, creator, told, meant.length);
};

/** The company's upgrade tasks, oldest first. */
export const insertUpgrades = async (
  db: Db,
  maker: Maker,
  devices: PlannedDevice[],
  versionFor: (product: string, versionNumber: string) => CreatedVersion | undefined,
  now: number,
): Promise<void> => {
  for (const upgrade of maker.company.upgrades) {
    const version = versionFor(upgrade.product, upgrade.to);
    const ofProduct = devices.filter(({ product }) => product.key === upgrade.product);
    if (version) await insertTask(db, maker, upgrade, version, ofProduct, now);
  }
};
