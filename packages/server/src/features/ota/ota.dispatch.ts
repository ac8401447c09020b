import {
  deviceCodes,
  FailReason,
  inProgressStatuses,
  isActiveTask,
  isUnfinished,
  nextTaskStatus,
  type TaskEvent,
  TaskStatus,
  TaskType,
  UpgradeStatus,
  unfinishedStatuses,
} from '@device-center/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { DeviceCommandTable } from '../../db/hub-tables.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import {
  endRecord,
  failRecord,
  lockTask,
  type OtaRecord,
  type OtaTask,
  onRegistration,
  readTally,
  recordKeyColumns,
  revertNotified,
} from '../../domain/ota/records.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { attributesOf, moveTask } from './ota.lifecycle.ts';
import { type LinkFor, readTargetVersion } from './ota.notify.ts';
import { reserveWaiting } from './ota.reservations.ts';
import { advanceStage, notifyDue } from './ota.stages.ts';

type Deps = {
  db: Db;
  log: Log;
  linkFor: LinkFor;
  notifyCommand: () => void;
  now?: () => number;
  claimTime?: () => RawBuilder<number>;
};

const LEASE_MS = 15_000;
const BUSY_WAIT_MS = 30_000;
/** A task is checked completely this often also without a notification, because notifications can get lost. */
const FULL_CHECK_EVERY_MS = 3_000;
/** A task that is still incomplete by then was being inserted by a hub that was killed. */
const INCOMPLETE_MS = 600_000;
const BATCH_SIZE = 500;

type NotifiedRecord = Pick<OtaRecord, 'record_no' | 'task_id' | 'device_id' | 'registration_no' | 'tries' | 'attempt'>;
type FailedCommand = NotifiedRecord & Pick<Selectable<DeviceCommandTable>, 'state' | 'code' | 'message' | 'sent_at'>;

/** Sends upgrade orders. One hub at a time works on a task; all state is in the database. */
export const createDispatch = ({
  db,
  log,
  linkFor,
  notifyCommand,
  now = Date.now,
  claimTime = () => databaseTime(db),
}: Deps) => {
  const instanceId = newId();
  const fullCheckAt = new Map<string, number>();
  let wakeRequested = true;

  const acquireTaskLease = async (task: Pick<OtaTask, 'task_id'>): Promise<boolean> => {
    const time = claimTime();
    const { numUpdatedRows } = await db
      .updateTable('ota_task')
      .set({ leader: instanceId, leader_until: leaseUntil(LEASE_MS, time) })
      .where('task_id', '=', task.task_id)
      .where((row) => row.or([row('leader', '=', instanceId), isLeaseFree('leader_until', LEASE_MS, time)]))
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  };

  const failUnreported = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const overdue = await db
      .selectFrom('ota_device')
      .select([...recordKeyColumns, 'tries', 'attempt'])
      .where('task_id', '=', task.task_id)
      .where('status', 'in', inProgressStatuses)
      .where('deadline', '<=', time)
      .limit(BATCH_SIZE)
      .execute();
    for (const record of overdue)
      await failRecord(db, record, task, { reason: FailReason.timeout, detail: 'no report' }, time);
  };

  /** Handles an upgrade whose command failed: one that was never sent does not count as an attempt. */
  const settleCommand = async (db: Db, task: OtaTask, record: FailedCommand, time: number): Promise<void> => {
    if (record.state === 'timedOut') {
      if (record.sent_at === 0) await revertNotified(db, record, time);
      return;
    }
    if (record.code === deviceCodes.AWAY.number) return revertNotified(db, record, time);
    // The device may reconnect or subscribe again: wait as for a busy one.
    if (record.code === deviceCodes.NOT_SUBSCRIBED.number) return revertNotified(db, record, time + BUSY_WAIT_MS);
    if (record.code === deviceCodes.BUSY.number) return revertNotified(db, record, time + BUSY_WAIT_MS);
    await failRecord(
      db,
      record,
      task,
      { reason: FailReason.install, detail: `${record.code} ${record.message}` },
      time,
    );
  };

  const settleCommands = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const failed: FailedCommand[] = await db
      .selectFrom('ota_device')
      .innerJoin('device_command', 'device_command.command_id', 'ota_device.command_id')
      .select([...recordKeyColumns, 'tries', 'attempt'])
      .select(['state', 'device_command.code', 'device_command.message', 'sent_at'])
      .where('task_id', '=', task.task_id)
      .where('ota_device.status', '=', UpgradeStatus.notified)
      .where('device_command.state', 'in', ['failed', 'timedOut'])
      .limit(BATCH_SIZE)
      .execute();
    for (const record of failed) await settleCommand(db, task, record, time);
  };

  /** Upgrades whose device reported the new version to a hub that was killed before it ended their records. */
  const completeReported = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const records = await db
      .selectFrom('ota_device')
      .innerJoin('device', onRegistration)
      .select(recordKeyColumns)
      .where('task_id', '=', task.task_id)
      .where('ota_device.status', 'in', inProgressStatuses)
      .where('device.version_number', '=', task.version_number)
      .limit(BATCH_SIZE)
      .execute();
    for (const record of records) await endRecord(db, record, { status: UpgradeStatus.success }, time);
  };

  const exceedsThreshold = (task: OtaTask, success: number, failed: number): boolean => {
    if (task.stop_percent === 0) return false;
    const done = success + failed - task.base_done;
    return done >= task.stop_after && (failed - task.base_failed) * 100 > task.stop_percent * done;
  };

  /** No reserved device that waits is online: offline ones wait for the next run. */
  const isRunOver = async (db: Db, task: OtaTask): Promise<boolean> => {
    const { rows } = await sql`
      select 1 from ota_device r
      join ota_hold h on h.device_id = r.device_id and h.registration_no = r.registration_no and h.task_id = r.task_id
      join device d on d.device_id = r.device_id and d.registration_no = r.registration_no
      where r.task_id = ${task.task_id} and r.status = 0 and d.online = 1
      limit 1`.execute(db);
    return rows.length === 0;
  };

  const move = async (db: Db, task: OtaTask, event: TaskEvent, time: number, detail?: string): Promise<OtaTask> =>
    (await moveTask(db, task, event, { now: time, detail })) ?? task;

  /** Ends the task or its run, or pauses it at the failure threshold. Returns the changed task. */
  const conclude = async (db: Db, task: OtaTask, time: number): Promise<OtaTask> => {
    const tally = await readTally(db, task.task_id);
    const facts = attributesOf(task, tally, time);
    const isPossible = (event: TaskEvent): boolean => nextTaskStatus(task.status, event, facts) !== undefined;
    if (isPossible('allDone')) return move(db, task, 'allDone', time);
    if (isPossible('runOver') && (await isRunOver(db, task))) return move(db, task, 'runOver', time);
    if (!isPossible('threshold') || !exceedsThreshold(task, tally[5], tally[6])) return task;
    const detail = `${tally[6] - task.base_failed}/${tally[5] + tally[6] - task.base_done}`;
    return move(db, task, 'threshold', time, detail);
  };

  const isStartDue = ({ status, start_at }: OtaTask, time: number): boolean =>
    status === TaskStatus.notStarted && time >= start_at;
  const isNextDue = ({ status, next_at }: OtaTask, time: number): boolean =>
    status === TaskStatus.waitingNext && next_at > 0 && time >= next_at;

  /** Applies the task's times. The start of a polling task may be its first run too. */
  const applySchedule = async (db: Db, locked: OtaTask, time: number): Promise<OtaTask> => {
    if (time >= locked.end_at) return move(db, locked, 'endTime', time);
    const task = isStartDue(locked, time) ? await move(db, locked, 'startTime', time) : locked;
    return isNextDue(task, time) ? move(db, task, 'nextTime', time) : task;
  };

  const work = async (db: Db, locked: OtaTask, time: number, fullCheck: boolean): Promise<number> => {
    let task = await applySchedule(db, locked, time);
    if (!isActiveTask(task.status)) return 0;
    await failUnreported(db, task, time);
    await settleCommands(db, task, time);
    if (fullCheck) await completeReported(db, task, time);
    // Devices that another task had reserved when this run opened may be free by now.
    if (fullCheck && task.task_type === TaskType.polling) await reserveWaiting(db, task, 1);
    task = await conclude(db, task, time);
    if (task.status !== TaskStatus.waiting && task.status !== TaskStatus.upgrading) return 0;
    task = await advanceStage(db, task, time);
    const target = await readTargetVersion(db, task.version_id);
    if (!target) return 0;
    const count = await notifyDue(db, task, target, linkFor, time);
    if (count > 0 && task.status === TaskStatus.waiting) await moveTask(db, task, 'firstNotified', { now: time });
    return count;
  };

  const isIdle = (task: OtaTask, time: number): boolean =>
    time < task.end_at && !isActiveTask(task.status) && !isStartDue(task, time) && !isNextDue(task, time);

  /** Works on one task once; returns how many devices were notified. */
  const dispatchOnce = async (task: OtaTask, time: number, fullCheck: boolean): Promise<number> => {
    if (isIdle(task, time) || !(await acquireTaskLease(task))) return 0;
    return transact(db, async (db) => {
      const locked = await lockTask(db, task.task_id);
      return locked && isUnfinished(locked.status) ? work(db, locked, time, fullCheck) : 0;
    });
  };

  /** Repeats until no device is left to notify now. */
  const dispatchUntilIdle = async (task: OtaTask, fullCheck: boolean): Promise<void> => {
    for (
      let count = await dispatchOnce(task, now(), fullCheck);
      count > 0;
      count = await dispatchOnce(task, now(), false)
    )
      notifyCommand();
  };

  /** The task's next step depends on the clock and not only on reports of devices. */
  const isTimeDriven = ({ status, per_minute, stage_at }: OtaTask): boolean =>
    status === TaskStatus.notStarted || status === TaskStatus.waitingNext || per_minute > 0 || stage_at > 0;

  const unfinished = (): Promise<OtaTask[]> =>
    db
      .selectFrom('ota_task')
      .selectAll()
      .where('status', 'in', unfinishedStatuses)
      .where('complete', '=', 1)
      .orderBy('task_rank', 'desc')
      .orderBy('task_id')
      .execute();

  return {
    /** Devices have reported or come online: the next poll checks all tasks. */
    wake(): void {
      wakeRequested = true;
    },

    /** Works on each unfinished task until no device is left to notify. Returns whether there are such tasks. */
    async poll(): Promise<boolean> {
      const wasRequested = wakeRequested;
      wakeRequested = false;
      const tasks = await unfinished();
      for (const task of tasks) {
        const time = now();
        const fullCheck = Math.abs(time - (fullCheckAt.get(task.task_id) ?? 0)) >= FULL_CHECK_EVERY_MS;
        if (!wasRequested && !fullCheck && !isTimeDriven(task)) continue;
        if (fullCheck) fullCheckAt.set(task.task_id, time);
        await dispatchUntilIdle(task, fullCheck).catch((error: unknown) =>
          log.error({ err: error, taskId: task.task_id }, 'upgrade task dispatch failed'),
        );
      }
      return tasks.length > 0;
    },

    /** Releases the leases, so that another hub can continue at once. */
    async stop(): Promise<void> {
      await db.updateTable('ota_task').set({ leader: '', leader_until: 0 }).where('leader', '=', instanceId).execute();
    },

    /** Deletes tasks whose creation a killed hub left incomplete. */
    async sweep(): Promise<void> {
      await db
        .deleteFrom('ota_task')
        .where('complete', '=', 0)
        .where('created_at', '<', now() - INCOMPLETE_MS)
        .execute();
    },
  };
};

export type Dispatch = ReturnType<typeof createDispatch>;
