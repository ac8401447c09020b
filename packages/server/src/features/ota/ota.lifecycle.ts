import {
  FailReason,
  inProgressStatuses,
  isUnfinished,
  nextTaskStatus,
  type TaskContext,
  type TaskEvent,
  TaskStatus,
  type TaskStatusId,
  UpgradeStatus,
  type UpgradeTally,
  undoneStatuses,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { logTask, type OtaTask, readTally } from '../../domain/ota/records.ts';
import { notifyCancelled } from './ota.notify.ts';
import { onlineRecipients, releaseReservations } from './ota.reservations.ts';
import { openRun } from './ota.runs.ts';
import { nextRunAt } from './ota.schedule.ts';

/** Who moves a task, and when; without a username it is the hub. */
type Mover = { username?: string; now: number; detail?: string };

export const attributesOf = (task: OtaTask, tally: UpgradeTally, now: number, later = false): TaskContext => ({
  polling: task.task_type === 2,
  later,
  runOpen: task.run_open === 1,
  nextTime: nextRunAt(task, now + 1) !== 0,
  chosen: task.chosen === 1,
  tally,
});

type End = { status: 6 | 7; reason: 0 | 1 };
/** How the unfinished upgrades of a task end. */
const endOf: Partial<Record<TaskEvent, End>> = {
  cancel: { status: UpgradeStatus.cancelled, reason: FailReason.none },
  endTime: { status: UpgradeStatus.failed, reason: FailReason.timeout },
};

/** Ends waiting and running upgrades; running ones on online devices get a cancel command. */
const endAll = async (db: Db, task: OtaTask, end: End, now: number): Promise<void> => {
  const recipients = await onlineRecipients(db, task.task_id, inProgressStatuses);
  await db
    .updateTable('ota_device')
    .set({ ...end, ended_at: now, due_at: 0 })
    .where('task_id', '=', task.task_id)
    .where('status', 'in', undoneStatuses)
    .execute();
  await notifyCancelled(db, task, recipients, now);
};

/** The hub runs the mock devices of a rehearsal while the rehearsal runs. */
const runRehearsalDevices = async (db: Db, task: OtaTask, run_in_hub: 0 | 1): Promise<void> => {
  if (task.rehearsal === 1)
    await db.updateTable('mock_device').set({ run_in_hub }).where('rehearsal_task', '=', task.task_id).execute();
};

/** The side effects and further columns of entering a status. */
const enterStatus = async (
  db: Db,
  task: OtaTask,
  event: TaskEvent,
  to: TaskStatusId,
  now: number,
): Promise<Partial<OtaTask>> => {
  if (!isUnfinished(to)) {
    await releaseReservations(db, task.task_id);
    await runRehearsalDevices(db, task, 0);
    const tally = JSON.stringify(await readTally(db, task.task_id));
    return { tally, ended_at: now, run_open: 0, next_at: 0, stage_at: 0 };
  }
  if (to === TaskStatus.waitingNext) {
    await releaseReservations(db, task.task_id);
    // A scheduled time during an open run or a pause is skipped; one missed before the task's first run is not.
    const after = event === 'startTime' ? task.start_at : now + 1;
    return { run_open: 0, next_at: nextRunAt(task, after), stop_reason: '', stage_at: 0 };
  }
  const begins = to === TaskStatus.waiting && task.status !== TaskStatus.paused;
  if (begins) {
    await runRehearsalDevices(db, task, 1);
    return openRun(db, task, now);
  }
  if (event === 'start') {
    const tally = await readTally(db, task.task_id);
    return { stop_reason: '', base_done: tally[5] + tally[6], base_failed: tally[6] };
  }
  if (to === TaskStatus.paused) return { next_at: 0, stop_reason: event === 'threshold' ? 'threshold' : '' };
  return {};
};

/**
 * Moves a task, whose row the caller has locked, by the contract's transition table. Returns the changed task, or
 * undefined where the table has no such transition.
 */
export const moveTask = async (
  db: Db,
  task: OtaTask,
  event: TaskEvent,
  { username, now, detail }: Mover,
  later = false,
): Promise<OtaTask | undefined> => {
  const nextStatus = async () =>
    nextTaskStatus(task.status, event, attributesOf(task, await readTally(db, task.task_id), now, later));
  let to = await nextStatus();
  const end = endOf[event];
  if (to !== undefined && end) {
    await endAll(db, task, end, now);
    // The final status depends on how the upgrades of its devices have ended.
    to = await nextStatus();
  }
  if (to === undefined || to === 'gone') return undefined;
  const changes = { ...(await enterStatus(db, task, event, to, now)), status: to, updated_at: now };
  await db.updateTable('ota_task').set(changes).where('task_id', '=', task.task_id).execute();
  await logTask(db, task.task_id, { username, action: event, from: task.status, to, detail }, now);
  return { ...task, ...changes };
};
