import {
  doneStatuses,
  type Input,
  isActiveTask,
  nextTaskStatus,
  type otaCalls,
  type TaskAction,
  taskActionTexts,
  taskStatusTexts,
  UpgradeStatus,
} from '@device-center/contract';
import { change } from '../../db/change.ts';
import type { Db } from '../../db/connect.ts';
import { holdTask, logTask, type OtaTask, readTally, recordNoOf } from '../../db/ota-records.ts';
import { scopeOf } from '../../db/scope.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { holdsVersion } from './ota.creation.ts';
import { factsOf, moveTask } from './ota.lifecycle.ts';
import { asTaskInProgress, holdAll } from './ota.reservations.ts';
import { allowedIn, findTask } from './ota.rows.ts';
import { cancelGone, resetRecords } from './ota.runs.ts';
import { scheduleOf } from './ota.schedule.ts';

type Calls = typeof otaCalls;
type Deps = {
  db: Db;
  hints: Pick<Notifier, 'send'>;
  /** Something has changed that the dispatcher should look at. */
  wake: () => void;
  now?: () => number;
};

const auditOf = (task: OtaTask, to: number | 'gone') => ({
  tenancyId: task.tenancy_id,
  targetId: task.task_id,
  targetName: task.task_name,
  before: { taskStatus: task.status },
  after: { taskStatus: to },
});

/** What an operator does to a task. */
export const createOtaActions = ({ db, hints, wake, now = Date.now }: Deps) => {
  const held = async (db: Db, context: Context, taskId: string, field = 'taskId'): Promise<OtaTask> => {
    await findTask(db, context.actor, taskId, field);
    const task = await holdTask(db, taskId);
    if (!task) throw new AppError('TASK_NOT_FOUND', {}, field);
    return task;
  };

  const refuse = async (db: Db, context: Context, task: OtaTask): Promise<never> => {
    const { language } = context;
    const row = await findTask(db, context.actor, task.task_id);
    const allowed = allowedIn(row, await readTally(db, task.task_id), now());
    throw new AppError('TASK_ACTION_REFUSED', {
      status: taskStatusTexts[task.status][language],
      allowed: allowed.map((action) => taskActionTexts[action][language]).join(', ') || '-',
    });
  };

  const mayDo = async (db: Db, task: OtaTask, action: TaskAction): Promise<boolean> =>
    nextTaskStatus(task.status, action, factsOf(task, await readTally(db, task.task_id), now())) !== undefined;

  const woken = <Result>(result: Result): Result => {
    wake();
    // The task may be led by another hub.
    hints.send('upgrade');
    hints.send('command');
    return result;
  };

  const act =
    (action: 'start' | 'suspend' | 'cancel') =>
    async (context: Context, { taskId }: { taskId: string }): Promise<null> => {
      await change(db, context, async (db) => {
        const task = await held(db, context, taskId);
        const moved = await moveTask(db, task, action, { username: context.actor.username, now: now() });
        if (!moved) return refuse(db, context, task);
        return { result: null, audit: auditOf(task, moved.status) };
      });
      return woken(null);
    };

  /** Decisions §5: a window already past starts now with its old length. */
  const window = (task: OtaTask, time: number): Pick<OtaTask, 'start_at' | 'end_at'> =>
    task.end_at > time
      ? { start_at: task.start_at, end_at: task.end_at }
      : { start_at: time, end_at: time + (task.end_at - task.start_at) };

  /** The records are waiting again: they are held as a creation would hold them, and the task moves on. */
  const beginAgain = async (
    db: Db,
    context: Context,
    ended: OtaTask,
    action: 'restart' | 'retry',
    changes: Partial<OtaTask>,
    later: boolean,
  ) => {
    const fresh = { ...changes, tally: '', ended_at: 0, run_open: 0, stop_reason: '' } as const;
    await db.updateTable('ota_task').set(fresh).where('task_id', '=', ended.task_id).execute();
    const task: OtaTask = { ...ended, ...fresh };
    await cancelGone(db, task, now());
    if (!(await holdsVersion(db, task)))
      throw new AppError('TASK_VERSION_DELETED', { versionNumber: task.version_number }, 'taskId');
    await holdAll(db, task);
    const mover = { username: context.actor.username, now: now() };
    const moved = await moveTask(db, task, action, mover, later);
    if (!moved) return refuse(db, context, task);
    return { result: null, audit: auditOf(task, moved.status) };
  };

  /** One that is not in the task is not found; one that did not fail is named, once the task may be retried at all. */
  const readChosen = async (db: Db, task: OtaTask, deviceIds: string[] = []): Promise<Map<string, number>> => {
    if (deviceIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('ota_device')
      .select(['device_id', 'status'])
      .where('task_id', '=', task.task_id)
      .where('device_id', 'in', deviceIds)
      .orderBy('record_no')
      .execute();
    // Of a device that was registered again while the task went on there are two: the later one counts.
    const chosen = new Map(rows.map((row) => [row.device_id, row.status]));
    if (chosen.size !== deviceIds.length) throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceListId');
    return chosen;
  };

  const start = act('start');
  const suspend = act('suspend');
  const cancel = act('cancel');

  return {
    startOtaTaskStatus: start,
    suspendOtaTaskStatus: suspend,
    cancelOtaTask: cancel,

    updateDeviceOtaTaskStatus: (
      context: Context,
      { taskId, taskStatus }: Input<Calls['updateDeviceOtaTaskStatus']>,
    ): Promise<null> => ({ 1: start, 3: suspend, 4: cancel })[taskStatus](context, { taskId }),

    async restartDeviceOtaTask(context: Context, { taskId }: Input<Calls['restartDeviceOtaTask']>): Promise<null> {
      await change(db, context, async (db) => {
        const task = await held(db, context, taskId);
        if (!(await mayDo(db, task, 'restart'))) return refuse(db, context, task);
        await resetRecords(db, taskId, doneStatuses);
        return beginAgain(db, context, task, 'restart', window(task, now()), false);
      }).catch((error: unknown) => {
        throw asTaskInProgress(error);
      });
      return woken(null);
    },

    async retryOtaForFailed(context: Context, asked: Input<Calls['retryOtaForFailed']>): Promise<null> {
      await change(db, context, async (db) => {
        const task = await held(db, context, asked.taskId);
        const deviceIds = asked.deviceListId && [...new Set(asked.deviceListId)];
        const chosen = await readChosen(db, task, deviceIds);
        if (!(await mayDo(db, task, 'retry'))) return refuse(db, context, task);
        const wrong = [...chosen].find(([, status]) => status !== UpgradeStatus.failed);
        if (wrong) throw new AppError('UPGRADE_NOT_FAILED', { deviceId: wrong[0] }, 'deviceListId');
        const time = now();
        const schedule = scheduleOf(asked, time);
        await resetRecords(db, task.task_id, [UpgradeStatus.failed], deviceIds);
        const changes = { ...schedule, task_rank: asked.taskRank ?? task.task_rank };
        return beginAgain(db, context, task, 'retry', changes, asked.executeNow === 0);
      }).catch((error: unknown) => {
        throw asTaskInProgress(error);
      });
      return woken(null);
    },

    async deviceOtaFirst(context: Context, { deviceOtaTaskId }: Input<Calls['deviceOtaFirst']>): Promise<null> {
      await change(db, context, async (db) => {
        const { tenancyId } = scopeOf(context.actor);
        const recordNo = recordNoOf(deviceOtaTaskId);
        let rows = db.selectFrom('ota_device').select(['task_id', 'device_id']).where('record_no', '=', recordNo);
        if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
        const record = await rows.executeTakeFirst();
        if (!record) throw new AppError('UPGRADE_NOT_FOUND', {}, 'deviceOtaTaskId');
        const task = await held(db, context, record.task_id, 'deviceOtaTaskId');
        if (!isActiveTask(task.status)) throw new AppError('UPGRADE_NOT_WAITING');
        const { numUpdatedRows } = await db
          .updateTable('ota_device')
          .set((row) => ({ place: row.case().when('place', '>', 0).then(-1).else(row.ref('place')).end(), due_at: 0 }))
          .where('record_no', '=', recordNo)
          .where('status', '=', UpgradeStatus.waiting)
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) throw new AppError('UPGRADE_NOT_WAITING');
        const { username } = context.actor;
        await logTask(db, task.task_id, { username, action: 'first', detail: record.device_id }, now());
        const audit = { tenancyId: task.tenancy_id, targetId: task.task_id, targetName: task.task_name };
        return { result: null, audit: { ...audit, after: { first: record.device_id } } };
      });
      return woken(null);
    },

    /** All of them or none. */
    async deleteDeviceOtaTask(context: Context, { taskIds }: Input<Calls['deleteDeviceOtaTask']>): Promise<null> {
      await change(db, context, async (db) => {
        const audit = [];
        for (const taskId of [...new Set(taskIds)].sort()) {
          const task = await held(db, context, taskId, 'taskIds');
          if (!(await mayDo(db, task, 'delete'))) return refuse(db, context, task);
          await db.deleteFrom('ota_task').where('task_id', '=', taskId).execute();
          audit.push(auditOf(task, 'gone'));
        }
        return { result: null, audit };
      });
      return null;
    },
  };
};
