import type { Input, Output, otaCalls } from '@device-center/contract';
import type { Insertable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { OtaTaskTable } from '../../db/hub-tables.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requireApplicationOf } from '../../domain/application/applications.ts';
import { analyzeUpgrades, logTask, type OtaTask } from '../../domain/ota/records.ts';
import { findBareVersion, lockVersions, type OtaVersion } from '../../domain/ota/versions.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso } from '../../platform/time.ts';
import { asTaskInProgress, reserveAll } from './ota.reservations.ts';
import { openRun } from './ota.runs.ts';
import { scheduleOf } from './ota.schedule.ts';
import { chunksOf, insertChunk, selectTargets, type TargetSelector } from './ota.targets.ts';

type Calls = typeof otaCalls;
type TaskInput = Input<Calls['addDeviceOtaTask']>;
type Deps = { db: Db; notifier: Pick<Notifier, 'send'>; now?: () => number };

const MINUTE_MS = 60_000;
/** Small, because PostgreSQL may still plan this insert with the statistics of empty tables. */
const FIRST_CHUNK = 1_000;

export const findTargetVersion = (db: Db, actor: Actor, versionId: string): Promise<OtaVersion> =>
  findBareVersion(db, actor, versionId, 'deviceVersionId');

type Condition = Pick<TaskInput, 'versionNumber' | 'deviceListId' | 'appId'>;

export const selectorFromInput = (
  { versionNumber, deviceListId, appId }: Condition,
  version: OtaVersion,
): TargetSelector => {
  if (versionNumber && deviceListId) throw new AppError('CONDITION_AMBIGUOUS', {}, 'deviceListId');
  if (!versionNumber && !deviceListId) throw new AppError('NO_TARGET_DEVICES', {}, 'deviceListId');
  return {
    productId: version.product_id,
    appId: appId ?? '',
    ...(versionNumber ? { versions: [...new Set(versionNumber)] } : {}),
    ...(deviceListId ? { deviceIds: [...new Set(deviceListId)] } : {}),
  };
};

/** A task without an application targets devices of all applications. */
export const requireApplication = async (db: Db, version: OtaVersion, appId = ''): Promise<void> => {
  if (appId !== '') await requireApplicationOf(db, version.tenancy_id, appId, 'appId');
};

/** Throws where a selected device does not exist, so that a task never silently targets fewer devices. */
const targetIds = async (db: Db, selector: TargetSelector): Promise<string[]> => {
  const rows = await (await selectTargets(db, selector))
    .select('device.device_id')
    .orderBy('device.device_id')
    .execute();
  if (selector.deviceIds && rows.length !== selector.deviceIds.length)
    throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceListId');
  if (rows.length === 0) throw new AppError('NO_TARGET_DEVICES', {}, 'deviceListId');
  return rows.map((row) => row.device_id);
};

type Rollout = Pick<
  TaskInput,
  'stages' | 'stageWait' | 'perMinute' | 'timeout' | 'retries' | 'stopPercent' | 'stopAfter' | 'allowOlder'
>;

export const taskRowOf = (
  version: OtaVersion,
  description: {
    taskName: string;
    taskRank: number;
    creator: string;
    appId: string;
    versions?: string[];
    rehearsal: 0 | 1;
  },
  schedule: ReturnType<typeof scheduleOf>,
  rollout: Rollout,
  now: number,
): Insertable<OtaTaskTable> => {
  const taskId = newId();
  return {
    task_id: taskId,
    tenancy_id: version.tenancy_id,
    version_id: version.version_id,
    version_name: version.version_name,
    version_number: version.version_number,
    product_id: version.product_id,
    task_name: description.taskName,
    task_name_key: foldCase(description.taskName),
    task_id_key: foldCase(taskId),
    task_rank: description.taskRank,
    status: 0,
    complete: 0,
    ...schedule,
    next_at: 0,
    run_open: 0,
    runs: 0,
    app_id: description.appId,
    from_versions: description.versions ? JSON.stringify(description.versions) : '',
    chosen: description.versions ? 0 : 1,
    stages: JSON.stringify(rollout.stages),
    stage_wait_ms: rollout.stageWait * MINUTE_MS,
    per_minute: rollout.perMinute,
    timeout_ms: rollout.timeout * MINUTE_MS,
    retries: rollout.retries,
    stop_percent: rollout.stopPercent,
    stop_after: rollout.stopAfter,
    allow_older: rollout.allowOlder,
    rehearsal: description.rehearsal,
    stop_reason: '',
    base_done: 0,
    base_failed: 0,
    stage: 0,
    stage_at: 0,
    told: 0,
    slot_at: 0,
    tally: '',
    ended_at: 0,
    leader: '',
    leader_until: 0,
    creator: description.creator,
    created_at: now,
    updated_at: now,
  };
};

/** Locks the version, so that a concurrent change of it waits and then sees this task. False where it has changed. */
export const lockTaskVersion = async (db: Db, task: OtaTask): Promise<boolean> => {
  const [version] = await lockVersions(db, [task.version_id]);
  return version?.version_number === task.version_number;
};

const requireTaskVersion = async (db: Db, task: OtaTask): Promise<void> => {
  if (!(await lockTaskVersion(db, task))) throw new AppError('VERSION_NOT_FOUND', {}, 'deviceVersionId');
};

/** Creates upgrade tasks. */
export const createOtaCreation = ({ db, notifier, now = Date.now }: Deps) => {
  const writeChunk = (task: OtaTask, deviceIds: string[]): Promise<void> =>
    transact(db, async (db) => {
      const range = await insertChunk(db, task, deviceIds, now());
      await reserveAll(db, task, range);
    });

  const complete = (context: Context, task: OtaTask, count: number): Promise<void> =>
    withAudit(db, context, async (db) => {
      await requireTaskVersion(db, task);
      const time = now();
      const status = task.execute_now === 1 ? 1 : 0;
      const changes = status === 1 ? await openRun(db, task, time) : {};
      await db
        .updateTable('ota_task')
        .set({ ...changes, status, complete: 1 })
        .where('task_id', '=', task.task_id)
        .execute();
      const { username } = context.actor;
      await logTask(db, task.task_id, { username, action: 'create', to: status, detail: String(count) }, time);
      const after = {
        taskName: task.task_name,
        versionNumber: task.version_number,
        taskRank: task.task_rank,
        devices: count,
        condition: task.chosen === 1 ? 'devices' : task.from_versions,
        start: iso(task.start_at),
        end: iso(task.end_at),
        cron: task.cron,
      };
      const audit = { tenancyId: task.tenancy_id, targetId: task.task_id, targetName: task.task_name, after };
      return { result: undefined, audit };
    });

  /** The task stays invisible (`complete` = 0) while its records are inserted in chunks; a failure deletes it. */
  const insertTask = async (context: Context, row: Insertable<OtaTaskTable>, deviceIds: string[]): Promise<string> => {
    await db.insertInto('ota_task').values(row).execute();
    return fill(context, row as OtaTask, deviceIds);
  };

  const fill = async (context: Context, task: OtaTask, deviceIds: string[]): Promise<string> => {
    try {
      await writeChunk(task, deviceIds.slice(0, FIRST_CHUNK));
      if (deviceIds.length > FIRST_CHUNK) await analyzeUpgrades(db);
      for (const chunk of chunksOf(deviceIds.slice(FIRST_CHUNK))) await writeChunk(task, chunk);
      await complete(context, task, deviceIds.length);
    } catch (error) {
      await db.deleteFrom('ota_task').where('task_id', '=', task.task_id).execute();
      throw asTaskInProgress(error);
    }
    notifier.send('command');
    return task.task_id;
  };

  return {
    fill,

    async addDeviceOtaTask(context: Context, input: TaskInput): Promise<Output<Calls['addDeviceOtaTask']>> {
      const version = await findTargetVersion(db, context.actor, input.deviceVersionId);
      await requireApplication(db, version, input.appId);
      const selector = selectorFromInput(input, version);
      const time = now();
      const schedule = scheduleOf(input, time);
      const deviceIds = await targetIds(db, selector);
      const description = {
        taskName: input.taskName,
        taskRank: input.taskRank,
        creator: context.actor.username,
        appId: selector.appId,
        rehearsal: 0 as const,
        ...(selector.versions ? { versions: selector.versions } : {}),
      };
      const taskId = await insertTask(context, taskRowOf(version, description, schedule, input, time), deviceIds);
      return { taskId, deviceCount: deviceIds.length };
    },
  };
};

export type OtaCreation = ReturnType<typeof createOtaCreation>;
