import type { Input, Output, otaCalls } from '@device-center/contract';
import type { Insertable } from 'kysely';
import { requireApplicationOf } from '../../db/applications.ts';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { countUpgradesAnew, logTask, type OtaTask } from '../../db/ota-records.ts';
import type { OtaTaskTable } from '../../db/ota-tables.ts';
import { findBareVersion, holdVersions, type OtaVersion } from '../../db/versions.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { fold } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { iso } from '../../platform/time.ts';
import { asTaskInProgress, holdAll } from './ota.reservations.ts';
import { openRun } from './ota.runs.ts';
import { scheduleOf } from './ota.schedule.ts';
import { insertPiece, piecesOf, selectMeant, type TargetSelector } from './ota.targets.ts';

type Calls = typeof otaCalls;
type Asked = Input<Calls['addDeviceOtaTask']>;
type Deps = { db: Db; hints: Pick<Notifier, 'send'>; now?: () => number };

const MINUTE_MS = 60_000;
/** Small, since it may be written while PostgreSQL takes the tables for empty. */
const FIRST_PIECE = 1_000;

export const findTarget = (db: Db, actor: Actor, versionId: string): Promise<OtaVersion> =>
  findBareVersion(db, actor, versionId, 'deviceVersionId');

type Condition = Pick<Asked, 'versionNumber' | 'deviceListId' | 'appId'>;

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

/** A task without one means devices of every application. */
export const requireApplication = async (db: Db, version: OtaVersion, appId = ''): Promise<void> => {
  if (appId !== '') await requireApplicationOf(db, version.tenancy_id, appId, 'appId');
};

/** Chosen ones are all meant, or the caller is told which is not: never withoutRefetchIndicator fewer. */
const idsMeant = async (db: Db, meant: TargetSelector): Promise<string[]> => {
  const rows = await (await selectMeant(db, meant)).select('device.device_id').orderBy('device.device_id').execute();
  if (meant.deviceIds && rows.length !== meant.deviceIds.length)
    throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceListId');
  if (rows.length === 0) throw new AppError('NO_TARGET_DEVICES', {}, 'deviceListId');
  return rows.map((row) => row.device_id);
};

type Rollout = Pick<
  Asked,
  'stages' | 'stageWait' | 'perMinute' | 'timeout' | 'retries' | 'stopPercent' | 'stopAfter' | 'allowOlder'
>;

export const taskRowOf = (
  version: OtaVersion,
  who: { taskName: string; taskRank: number; creator: string; appId: string; versions?: string[]; rehearsal: 0 | 1 },
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
    task_name: who.taskName,
    task_name_key: fold(who.taskName),
    task_id_key: fold(taskId),
    task_rank: who.taskRank,
    status: 0,
    complete: 0,
    ...schedule,
    next_at: 0,
    run_open: 0,
    runs: 0,
    app_id: who.appId,
    from_versions: who.versions ? JSON.stringify(who.versions) : '',
    chosen: who.versions ? 0 : 1,
    stages: JSON.stringify(rollout.stages),
    stage_wait_ms: rollout.stageWait * MINUTE_MS,
    per_minute: rollout.perMinute,
    timeout_ms: rollout.timeout * MINUTE_MS,
    retries: rollout.retries,
    stop_percent: rollout.stopPercent,
    stop_after: rollout.stopAfter,
    allow_older: rollout.allowOlder,
    rehearsal: who.rehearsal,
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
    creator: who.creator,
    created_at: now,
    updated_at: now,
  };
};

/** The version stays as it is from now on: whoever would change it sees this task. */
export const holdsVersion = async (db: Db, task: OtaTask): Promise<boolean> => {
  const [held] = await holdVersions(db, [task.version_id]);
  return held?.version_number === task.version_number;
};

const holdVersion = async (db: Db, task: OtaTask): Promise<void> => {
  if (!(await holdsVersion(db, task))) throw new AppError('VERSION_NOT_FOUND', {}, 'deviceVersionId');
};

/** Which task would be made, for whom, and its making. */
export const createOtaCreation = ({ db, hints, now = Date.now }: Deps) => {
  const writePiece = (task: OtaTask, deviceIds: string[]): Promise<void> =>
    transact(db, async (db) => {
      const piece = await insertPiece(db, task, deviceIds, now());
      await holdAll(db, task, piece);
    });

  const complete = (context: Context, task: OtaTask, count: number): Promise<void> =>
    change(db, context, async (db) => {
      await holdVersion(db, task);
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

  /** Written down in pieces, unseen; then it is there whole, or not at all. */
  const make = async (context: Context, row: Insertable<OtaTaskTable>, deviceIds: string[]): Promise<string> => {
    await db.insertInto('ota_task').values(row).execute();
    return fill(context, row as OtaTask, deviceIds);
  };

  const fill = async (context: Context, task: OtaTask, deviceIds: string[]): Promise<string> => {
    try {
      await writePiece(task, deviceIds.slice(0, FIRST_PIECE));
      if (deviceIds.length > FIRST_PIECE) await countUpgradesAnew(db);
      for (const piece of piecesOf(deviceIds.slice(FIRST_PIECE))) await writePiece(task, piece);
      await complete(context, task, deviceIds.length);
    } catch (error) {
      await db.deleteFrom('ota_task').where('task_id', '=', task.task_id).execute();
      throw asTaskInProgress(error);
    }
    hints.send('command');
    return task.task_id;
  };

  return {
    fill,

    async addDeviceOtaTask(context: Context, asked: Asked): Promise<Output<Calls['addDeviceOtaTask']>> {
      const version = await findTarget(db, context.actor, asked.deviceVersionId);
      await requireApplication(db, version, asked.appId);
      const meant = selectorFromInput(asked, version);
      const time = now();
      const schedule = scheduleOf(asked, time);
      const deviceIds = await idsMeant(db, meant);
      const who = {
        taskName: asked.taskName,
        taskRank: asked.taskRank,
        creator: context.actor.username,
        appId: meant.appId,
        rehearsal: 0 as const,
        ...(meant.versions ? { versions: meant.versions } : {}),
      };
      const taskId = await make(context, taskRowOf(version, who, schedule, asked, time), deviceIds);
      return { taskId, deviceCount: deviceIds.length };
    },
  };
};

export type OtaCreation = ReturnType<typeof createOtaCreation>;
