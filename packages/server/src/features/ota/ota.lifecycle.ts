import {
  FailReason,
  isUnfinished,
  nextTaskStatus,
  type TaskEvent,
  type TaskFacts,
  TaskStatus,
  type TaskStatusId,
  UpgradeStatus,
  type UpgradeTally,
  underWayStatuses,
  undoneStatuses,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { logTask, type OtaTask, readTally } from '../../db/ota-records.ts';
import { tellCancelled } from './ota.notify.ts';
import { addresseesOf, releaseHolds } from './ota.reservations.ts';
import { openRun } from './ota.runs.ts';
import { nextRunAt } from './ota.schedule.ts';

/** Who moved a task, and when; nobody is the hub itself. */
type Mover = { username?: string; now: number; detail?: string };

export const factsOf = (task: OtaTask, tally: UpgradeTally, now: number, later = false): TaskFacts => ({
  polling: task.task_type === 2,
  later,
  runOpen: task.run_open === 1,
  nextTime: nextRunAt(task, now + 1) !== 0,
  chosen: task.chosen === 1,
  tally,
});

type End = { status: 6 | 7; reason: 0 | 1 };
/** What becomes of those who are not done. */
const endOf: Partial<Record<TaskEvent, End>> = {
  cancel: { status: UpgradeStatus.cancelled, reason: FailReason.none },
  endTime: { status: UpgradeStatus.failed, reason: FailReason.timeout },
};

/** Waiting ones and those under way end as one says; those who were told are told to stop. */
const endAll = async (db: Db, task: OtaTask, end: End, now: number): Promise<void> => {
  const told = await addresseesOf(db, task.task_id, underWayStatuses);
  await db
    .updateTable('ota_device')
    .set({ ...end, ended_at: now, due_at: 0 })
    .where('task_id', '=', task.task_id)
    .where('status', 'in', undoneStatuses)
    .execute();
  await tellCancelled(db, task, told, now);
};

/** The mock devices of a rehearsal live as long as it does. */
const runRehearsed = async (db: Db, task: OtaTask, run_in_hub: 0 | 1): Promise<void> => {
  if (task.rehearsal === 1)
    await db.updateTable('mock_device').set({ run_in_hub }).where('rehearsal_task', '=', task.task_id).execute();
};

/** What else changes when a task comes into a state. */
const arrival = async (
  db: Db,
  task: OtaTask,
  event: TaskEvent,
  to: TaskStatusId,
  now: number,
): Promise<Partial<OtaTask>> => {
  if (!isUnfinished(to)) {
    await releaseHolds(db, task.task_id);
    await runRehearsed(db, task, 0);
    const tally = JSON.stringify(await readTally(db, task.task_id));
    return { tally, ended_at: now, run_open: 0, next_at: 0, stage_at: 0 };
  }
  if (to === TaskStatus.waitingNext) {
    await releaseHolds(db, task.task_id);
    // A time that came while a run was open, or the task was paused, is passed over; one missed before it began is not.
    const after = event === 'startTime' ? task.start_at : now + 1;
    return { run_open: 0, next_at: nextRunAt(task, after), stop_reason: '', stage_at: 0 };
  }
  const begins = to === TaskStatus.waiting && task.status !== TaskStatus.paused;
  if (begins) {
    await runRehearsed(db, task, 1);
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
 * Moves a task, which the caller holds, as the table of the contract says. Answers the task as it is now, or nothing
 * where the table does not know such a move.
 */
export const moveTask = async (
  db: Db,
  task: OtaTask,
  event: TaskEvent,
  { username, now, detail }: Mover,
  later = false,
): Promise<OtaTask | undefined> => {
  const leadsTo = async () =>
    nextTaskStatus(task.status, event, factsOf(task, await readTally(db, task.task_id), now, later));
  let to = await leadsTo();
  const end = endOf[event];
  if (to !== undefined && end) {
    await endAll(db, task, end, now);
    // How it closes depends on how its devices have ended.
    to = await leadsTo();
  }
  if (to === undefined || to === 'gone') return undefined;
  const changes = { ...(await arrival(db, task, event, to, now)), status: to, updated_at: now };
  await db.updateTable('ota_task').set(changes).where('task_id', '=', task.task_id).execute();
  await logTask(db, task.task_id, { username, action: event, from: task.status, to, detail }, now);
  return { ...task, ...changes };
};
