import { closedStatus, compareVersions, TaskStatus, type UpgradeTally } from '@device-center/contract';
import type { Insertable, Updateable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { OtaDeviceTable, OtaTaskTable } from '../../db/hub-tables.ts';
import { logTask, type OtaTask, readTally } from '../../domain/ota/records.ts';
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
/** Between two stages: longer than the slowest device takes. */
const STAGE_MS = 5 * MINUTE_MS;
const UPGRADE_MS = [45 * SECOND_MS, 160 * SECOND_MS] as const;
/** Progress of a device when it failed, by reason. */
const FAILED_AT_PERCENT = { 0: 0, 1: 12, 2: 0, 3: 61, 4: 100, 5: 40 } as const;

type Notified = {
  device: PlannedDevice;
  stage: number;
  notifiedAt: number;
  endedAt: number;
  failure: DemoFailure | undefined;
};

const between = ([low, high]: readonly [number, number]): number => Math.floor(low + Math.random() * (high - low));

/** Devices that were notified, in order, and those that wait. */
const divide = (upgrade: DemoUpgrade, devices: PlannedDevice[]) => {
  const candidates = devices.map((device, position) => ({ device, failure: upgrade.failures?.[position] }));
  const known = candidates.filter(({ device }) => device.onlinePeriods.length > 0);
  const runsTarget = ({ device }: (typeof known)[number]) => compareVersions(device.versionNumber, upgrade.to) >= 0;
  const isNotified = (one: (typeof known)[number]) => one.failure !== undefined || runsTarget(one);
  return {
    notified: upgrade.state === 'later' ? [] : known.filter(isNotified),
    waiting: known.filter((one) => !isNotified(one) && upgrade.from.includes(one.device.versionNumber)),
  };
};

/** Times at which each device was notified and finished: stage by stage, at the task's rate. */
const notifiedOf = (
  upgrade: DemoUpgrade,
  startedAt: number,
  total: number,
  parts: ReturnType<typeof divide>['notified'],
) => {
  let [stage, position] = [0, 0];
  return parts.map(({ device, failure }, index): Notified => {
    const present = upgrade.stages.findIndex((share) => index < Math.ceil((total * share) / 100));
    position = present === stage ? position : 0;
    stage = present;
    const notifiedAt = startedAt + SECOND_MS + stage * STAGE_MS + Math.floor((position++ * MINUTE_MS) / PER_MINUTE);
    const lasted = failure?.reason === 1 ? TIMEOUT_MINUTES * MINUTE_MS : between(UPGRADE_MS);
    return { device, failure, stage: stage + 1, notifiedAt, endedAt: notifiedAt + lasted };
  });
};

const recordOf = (
  upgrade: DemoUpgrade,
  { failure, stage, notifiedAt, endedAt }: Notified,
): Updateable<OtaDeviceTable> => ({
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
  told_at: notifiedAt,
  reported_at: failure?.reason === 1 ? 0 : endedAt,
  ended_at: endedAt,
});

const scheduleIn = ({ timezone }: Company, { state, cron = '' }: DemoUpgrade, startedAt: number, now: number) => {
  if (state !== 'later')
    return scheduleOf(
      { executeNow: 1, taskType: 1, cron: '', timezone, taskStart: undefined, taskEnd: windowEnd(state, startedAt) },
      startedAt,
    );
  const taskStart = Math.ceil(now / HOUR_MS) * HOUR_MS + DAY_MS / 2;
  return scheduleOf(
    { executeNow: 0, taskType: 2, cron, timezone, taskStart, taskEnd: taskStart + 28 * DAY_MS },
    startedAt,
  );
};

/** A paused task stays open long enough to be seen. */
const windowEnd = (state: DemoUpgrade['state'], startedAt: number): number | undefined =>
  state === 'paused' ? startedAt + 60 * DAY_MS : undefined;

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

/** State of the task after these events. */
const taskStateOf = ({ state }: DemoUpgrade, notified: Notified[], tally: UpgradeTally): Updateable<OtaTaskTable> => {
  const lastStage = (notified.at(-1)?.stage ?? 1) - 1;
  const last = Math.max(0, ...notified.map(({ endedAt }) => endedAt));
  const run = { runs: 1, told: notified.length, stage: lastStage };
  if (state === 'later') return {};
  if (state === 'paused') return { ...run, status: TaskStatus.paused, run_open: 1, updated_at: last + MINUTE_MS };
  const ended = { status: closedStatus(tally), tally: JSON.stringify(tally), ended_at: last, updated_at: last };
  return { ...run, ...ended };
};

/** Log entries of the task in order; without a user name, by the hub. */
const writeLog = async (
  db: Db,
  task: OtaTask,
  username: string,
  notified: Notified[],
  devices: number,
): Promise<void> => {
  const { task_id: taskId, created_at: startedAt, status, updated_at: at } = task;
  const write = (line: Parameters<typeof logTask>[2], time: number) => logTask(db, taskId, line, time);
  const to = notified.length > 0 ? TaskStatus.waiting : TaskStatus.notStarted;
  await write({ username, action: 'create', to, detail: String(devices) }, startedAt);
  const first = notified[0];
  if (!first) return;
  await write({ action: 'firstNotified', from: TaskStatus.waiting, to: TaskStatus.upgrading }, first.notifiedAt);
  for (const [position, { stage, notifiedAt }] of notified.entries())
    if (stage !== (notified[position - 1]?.stage ?? 1))
      await write({ action: 'stage', detail: String(stage) }, notifiedAt);
  const from = TaskStatus.upgrading;
  if (status === TaskStatus.paused) await write({ username, action: 'suspend', from, to: status }, at);
  else await write({ action: 'allDone', from, to: status }, at);
};

type Author = { company: Company; creator: string };

const insertTask = async (
  db: Db,
  { company, creator }: Author,
  upgrade: DemoUpgrade,
  version: CreatedVersion,
  devices: PlannedDevice[],
  now: number,
): Promise<void> => {
  const startedAt = Math.floor(now - upgrade.hoursAgo * HOUR_MS);
  const { notified: parts, waiting } = divide(upgrade, devices);
  const targetIds = [...parts, ...waiting].map(({ device }) => device.deviceId);
  const notified = notifiedOf(upgrade, startedAt, targetIds.length, parts);
  const { taskName, taskRank, from: versions } = upgrade;
  const who = { taskName, taskRank, creator, appId: '', versions, rehearsal: 0 as const };
  const schedule = scheduleIn(company, upgrade, startedAt, now);
  const row: Insertable<OtaTaskTable> = taskRowOf(version, who, schedule, rolloutOf(upgrade), startedAt);
  await db.insertInto('ota_task').values(row).execute();
  await insertChunk(db, row, targetIds, startedAt);
  for (const one of notified) {
    await db
      .updateTable('ota_device')
      .set(recordOf(upgrade, one))
      .where('task_id', '=', row.task_id)
      .where('device_id', '=', one.device.deviceId)
      .execute();
    const { device, failure, endedAt } = one;
    if (!failure) device.earlier.push({ versionNumber: upgrade.from[0] ?? '', until: endedAt });
  }
  const taskState = { ...taskStateOf(upgrade, notified, await readTally(db, row.task_id)), complete: 1 as const };
  await db.updateTable('ota_task').set(taskState).where('task_id', '=', row.task_id).execute();
  const task = { ...row, ...taskState } as OtaTask;
  await reserveWaiting(db, task, notified.length > 0 ? 1 : 0);
  await writeLog(db, task, creator, notified, targetIds.length);
};

/** Inserts the company's upgrade tasks, oldest first. */
export const insertUpgrades = async (
  db: Db,
  author: Author,
  devices: PlannedDevice[],
  versionFor: (product: string, versionNumber: string) => CreatedVersion | undefined,
  now: number,
): Promise<void> => {
  for (const upgrade of author.company.upgrades) {
    const version = versionFor(upgrade.product, upgrade.to);
    const ofProduct = devices.filter(({ product }) => product.key === upgrade.product);
    if (version) await insertTask(db, author, upgrade, version, ofProduct, now);
  }
};
