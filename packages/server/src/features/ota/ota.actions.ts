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
import type { Db } from '../../db/connect.ts';
import { scopeOf } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { lockTask, logTask, type OtaTask, readTally, recordNoOf } from '../../domain/ota/records.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Notifier } from '../../platform/notifier.ts';
import { lockTaskVersion } from './ota.creation.ts';
import { attributesOf, moveTask } from './ota.lifecycle.ts';
import { asTaskInProgress, reserveAll } from './ota.reservations.ts';
import { allowedActionsOf, findTask } from './ota.rows.ts';
import { cancelGone, resetRecords } from './ota.runs.ts';
import { scheduleOf } from './ota.schedule.ts';

type Calls = typeof otaCalls;
type Deps = {
  db: Db;
  notifier: Pick<Notifier, 'send'>;
  /** Triggers the dispatcher of this hub, because a task has changed. */
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

/** The calls by which an operator changes a task. */
export const createOtaActions = ({ db, notifier, wake, now = Date.now }: Deps) => {
  const lockVisibleTask = async (db: Db, context: Context, taskId: string, field = 'taskId'): Promise<OtaTask> => {
    await findTask(db, context.actor, taskId, field);
    const task = await lockTask(db, taskId);
    if (!task) throw new AppError('TASK_NOT_FOUND', {}, field);
    return task;
  };

  const rejectAction = async (db: Db, context: Context, task: OtaTask): Promise<never> => {
    const { language } = context;
    const row = await findTask(db, context.actor, task.task_id);
    const allowed = allowedActionsOf(row, await readTally(db, task.task_id), now());
    throw new AppError('TASK_ACTION_REFUSED', {
      status: taskStatusTexts[task.status][language],
      allowed: allowed.map((action) => taskActionTexts[action][language]).join(', ') || '-',
    });
  };

  const isAllowed = async (db: Db, task: OtaTask, action: TaskAction): Promise<boolean> =>
    nextTaskStatus(task.status, action, attributesOf(task, await readTally(db, task.task_id), now())) !== undefined;

  const wakeDispatchers = <Result>(result: Result): Result => {
    wake();
    // Another hub may hold the task's lease.
    notifier.send('upgrade');
    notifier.send('command');
    return result;
  };

  const runAction =
    (action: 'start' | 'suspend' | 'cancel') =>
    async (context: Context, { taskId }: { taskId: string }): Promise<null> => {
      await withAudit(db, context, async (db) => {
        const task = await lockVisibleTask(db, context, taskId);
        const moved = await moveTask(db, task, action, { username: context.actor.username, now: now() });
        if (!moved) return rejectAction(db, context, task);
        return { result: null, audit: auditOf(task, moved.status) };
      });
      return wakeDispatchers(null);
    };

  /** Decisions §5: a time window that is over starts now and keeps its length. */
  const shiftWindow = (task: OtaTask, time: number): Pick<OtaTask, 'start_at' | 'end_at'> =>
    task.end_at > time
      ? { start_at: task.start_at, end_at: task.end_at }
      : { start_at: time, end_at: time + (task.end_at - task.start_at) };

  /** The upgrade records are waiting again. Reserves their devices as a creation does, then moves the task. */
  const reopenTask = async (
    db: Db,
    context: Context,
    ended: OtaTask,
    action: 'restart' | 'retry',
    changes: Partial<OtaTask>,
    later: boolean,
  ) => {
    const resetColumns = { ...changes, tally: '', ended_at: 0, run_open: 0, stop_reason: '' } as const;
    await db.updateTable('ota_task').set(resetColumns).where('task_id', '=', ended.task_id).execute();
    const task: OtaTask = { ...ended, ...resetColumns };
    await cancelGone(db, task, now());
    if (!(await lockTaskVersion(db, task)))
      throw new AppError('TASK_VERSION_DELETED', { versionNumber: task.version_number }, 'taskId');
    await reserveAll(db, task);
    const mover = { username: context.actor.username, now: now() };
    const moved = await moveTask(db, task, action, mover, later);
    if (!moved) return rejectAction(db, context, task);
    return { result: null, audit: auditOf(task, moved.status) };
  };

  /** Status by device. A device that is not in the task is not found; the caller checks the status. */
  const readChosenStatuses = async (db: Db, task: OtaTask, deviceIds: string[] = []): Promise<Map<string, number>> => {
    if (deviceIds.length === 0) return new Map();
    const rows = await db
      .selectFrom('ota_device')
      .select(['device_id', 'status'])
      .where('task_id', '=', task.task_id)
      .where('device_id', 'in', deviceIds)
      .orderBy('record_no')
      .execute();
    // A device that was registered again while the task ran has two records: the later one counts.
    const chosen = new Map(rows.map((row) => [row.device_id, row.status]));
    if (chosen.size !== deviceIds.length) throw new AppError('DEVICE_NOT_FOUND', {}, 'deviceListId');
    return chosen;
  };

  const start = runAction('start');
  const suspend = runAction('suspend');
  const cancel = runAction('cancel');

  return {
    startOtaTaskStatus: start,
    suspendOtaTaskStatus: suspend,
    cancelOtaTask: cancel,

    updateDeviceOtaTaskStatus: (
      context: Context,
      { taskId, taskStatus }: Input<Calls['updateDeviceOtaTaskStatus']>,
    ): Promise<null> => ({ 1: start, 3: suspend, 4: cancel })[taskStatus](context, { taskId }),

    async restartDeviceOtaTask(context: Context, { taskId }: Input<Calls['restartDeviceOtaTask']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const task = await lockVisibleTask(db, context, taskId);
        if (!(await isAllowed(db, task, 'restart'))) return rejectAction(db, context, task);
        await resetRecords(db, taskId, doneStatuses);
        return reopenTask(db, context, task, 'restart', shiftWindow(task, now()), false);
      }).catch((error: unknown) => {
        throw asTaskInProgress(error);
      });
      return wakeDispatchers(null);
    },

    async retryOtaForFailed(context: Context, input: Input<Calls['retryOtaForFailed']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const task = await lockVisibleTask(db, context, input.taskId);
        const deviceIds = input.deviceListId && [...new Set(input.deviceListId)];
        const chosen = await readChosenStatuses(db, task, deviceIds);
        if (!(await isAllowed(db, task, 'retry'))) return rejectAction(db, context, task);
        const wrong = [...chosen].find(([, status]) => status !== UpgradeStatus.failed);
        if (wrong) throw new AppError('UPGRADE_NOT_FAILED', { deviceId: wrong[0] }, 'deviceListId');
        const time = now();
        const schedule = scheduleOf(input, time);
        await resetRecords(db, task.task_id, [UpgradeStatus.failed], deviceIds);
        const changes = { ...schedule, task_rank: input.taskRank ?? task.task_rank };
        return reopenTask(db, context, task, 'retry', changes, input.executeNow === 0);
      }).catch((error: unknown) => {
        throw asTaskInProgress(error);
      });
      return wakeDispatchers(null);
    },

    async deviceOtaFirst(context: Context, { deviceOtaTaskId }: Input<Calls['deviceOtaFirst']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const { tenancyId } = scopeOf(context.actor);
        const recordNo = recordNoOf(deviceOtaTaskId);
        let rows = db.selectFrom('ota_device').select(['task_id', 'device_id']).where('record_no', '=', recordNo);
        if (tenancyId !== null) rows = rows.where('tenancy_id', '=', tenancyId);
        const record = await rows.executeTakeFirst();
        if (!record) throw new AppError('UPGRADE_NOT_FOUND', {}, 'deviceOtaTaskId');
        const task = await lockVisibleTask(db, context, record.task_id, 'deviceOtaTaskId');
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
      return wakeDispatchers(null);
    },

    /** Deletes all tasks or none. */
    async deleteDeviceOtaTask(context: Context, { taskIds }: Input<Calls['deleteDeviceOtaTask']>): Promise<null> {
      await withAudit(db, context, async (db) => {
        const audit = [];
        for (const taskId of [...new Set(taskIds)].sort()) {
          const task = await lockVisibleTask(db, context, taskId, 'taskIds');
          if (!(await isAllowed(db, task, 'delete'))) return rejectAction(db, context, task);
          await db.deleteFrom('ota_task').where('task_id', '=', taskId).execute();
          audit.push(auditOf(task, 'gone'));
        }
        return { result: null, audit };
      });
      return null;
    },
  };
};
