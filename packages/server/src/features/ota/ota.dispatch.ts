import {
  deviceCodes,
  FailReason,
  isActiveTask,
  isUnfinished,
  nextTaskStatus,
  type TaskEvent,
  TaskStatus,
  TaskType,
  UpgradeStatus,
  underWayStatuses,
  unfinishedStatuses,
} from '@device-center/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { databaseTime } from '../../db/clock.ts';
import type { Db } from '../../db/connect.ts';
import type { DeviceCommandTable } from '../../db/device-tables.ts';
import { transact } from '../../db/errors.ts';
import { isLeaseFree, leaseUntil } from '../../db/lease.ts';
import {
  endRecord,
  failRecord,
  holdTask,
  isItsDevice,
  type OtaRecord,
  type OtaTask,
  readTally,
  recordOfDevice,
  revertNotified,
} from '../../db/ota-records.ts';
import { newId } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { factsOf, moveTask } from './ota.lifecycle.ts';
import { type LinkFor, readTarget } from './ota.notify.ts';
import { reserveWaiting } from './ota.reservations.ts';
import { advanceStage, tellDue } from './ota.stages.ts';

type Deps = {
  db: Db;
  log: Log;
  linkFor: LinkFor;
  commandHint: () => void;
  now?: () => number;
  claimTime?: () => RawBuilder<number>;
};

const LEASE_MS = 15_000;
const BUSY_WAIT_MS = 30_000;
/** How often the rows are looked at by themselves where nothing has been heard. */
const THOROUGH_EVERY_MS = 3_000;
/** What was being written down when its hub was killed, and never will be whole. */
const INCOMPLETE_MS = 600_000;
const AT_ONCE = 500;

type Told = Pick<OtaRecord, 'record_no' | 'task_id' | 'device_id' | 'registration_no' | 'tries' | 'attempt'>;
type Answered = Told & Pick<Selectable<DeviceCommandTable>, 'state' | 'code' | 'message' | 'sent_at'>;

/** Tells devices what to install, a task by one hub at a time; all it knows is in rows. */
export const createDispatch = ({
  db,
  log,
  linkFor,
  commandHint,
  now = Date.now,
  claimTime = () => databaseTime(db),
}: Deps) => {
  const own = newId();
  const lookedAt = new Map<string, number>();
  let hinted = true;

  const lead = async (task: Pick<OtaTask, 'task_id'>): Promise<boolean> => {
    const time = claimTime();
    const { numUpdatedRows } = await db
      .updateTable('ota_task')
      .set({ leader: own, leader_until: leaseUntil(LEASE_MS, time) })
      .where('task_id', '=', task.task_id)
      .where((row) => row.or([row('leader', '=', own), isLeaseFree('leader_until', LEASE_MS, time)]))
      .executeTakeFirst();
    return Number(numUpdatedRows) === 1;
  };

  const failSilent = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const silent = await db
      .selectFrom('ota_device')
      .select([...recordOfDevice, 'tries', 'attempt'])
      .where('task_id', '=', task.task_id)
      .where('status', 'in', underWayStatuses)
      .where('deadline', '<=', time)
      .limit(AT_ONCE)
      .execute();
    for (const record of silent)
      await failRecord(db, record, task, { reason: FailReason.timeout, detail: 'no report' }, time);
  };

  /** What became of the orders: one that was never handed over was none. */
  const settleOrder = async (db: Db, task: OtaTask, told: Answered, time: number): Promise<void> => {
    if (told.state === 'timedOut') {
      if (told.sent_at === 0) await revertNotified(db, told, time);
      return;
    }
    if (told.code === deviceCodes.AWAY.number) return revertNotified(db, told, time);
    // It may come back, or subscribe again: like one that has no time just now.
    if (told.code === deviceCodes.NOT_SUBSCRIBED.number) return revertNotified(db, told, time + BUSY_WAIT_MS);
    if (told.code === deviceCodes.BUSY.number) return revertNotified(db, told, time + BUSY_WAIT_MS);
    await failRecord(db, told, task, { reason: FailReason.install, detail: `${told.code} ${told.message}` }, time);
  };

  const settleOrders = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const answered: Answered[] = await db
      .selectFrom('ota_device')
      .innerJoin('device_command', 'device_command.command_id', 'ota_device.command_id')
      .select([...recordOfDevice, 'tries', 'attempt'])
      .select(['state', 'device_command.code', 'device_command.message', 'sent_at'])
      .where('task_id', '=', task.task_id)
      .where('ota_device.status', '=', UpgradeStatus.notified)
      .where('device_command.state', 'in', ['failed', 'timedOut'])
      .limit(AT_ONCE)
      .execute();
    for (const told of answered) await settleOrder(db, task, told, time);
  };

  /** Whose report of the new version was heard, and the hub killed before it was written down here. */
  const settleRunning = async (db: Db, task: OtaTask, time: number): Promise<void> => {
    const records = await db
      .selectFrom('ota_device')
      .innerJoin('device', isItsDevice)
      .select(recordOfDevice)
      .where('task_id', '=', task.task_id)
      .where('ota_device.status', 'in', underWayStatuses)
      .where('device.version_number', '=', task.version_number)
      .limit(AT_ONCE)
      .execute();
    for (const record of records) await endRecord(db, record, { status: UpgradeStatus.success }, time);
  };

  const exceedsThreshold = (task: OtaTask, success: number, failed: number): boolean => {
    if (task.stop_percent === 0) return false;
    const done = success + failed - task.base_done;
    return done >= task.stop_after && (failed - task.base_failed) * 100 > task.stop_percent * done;
  };

  /** Nobody is under way and nobody online waits: offline ones wait for the next run. */
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

  /** Everybody is done, or the run is over, or too many have failed. Answers the task as it is now. */
  const conclude = async (db: Db, task: OtaTask, time: number): Promise<OtaTask> => {
    const tally = await readTally(db, task.task_id);
    const facts = factsOf(task, tally, time);
    const leadsOn = (event: TaskEvent): boolean => nextTaskStatus(task.status, event, facts) !== undefined;
    if (leadsOn('allDone')) return move(db, task, 'allDone', time);
    if (leadsOn('runOver') && (await isRunOver(db, task))) return move(db, task, 'runOver', time);
    if (!leadsOn('threshold') || !exceedsThreshold(task, tally[5], tally[6])) return task;
    const detail = `${tally[6] - task.base_failed}/${tally[5] + tally[6] - task.base_done}`;
    return move(db, task, 'threshold', time, detail);
  };

  const isStartDue = ({ status, start_at }: OtaTask, time: number): boolean =>
    status === TaskStatus.notStarted && time >= start_at;
  const isNextDue = ({ status, next_at }: OtaTask, time: number): boolean =>
    status === TaskStatus.waitingNext && next_at > 0 && time >= next_at;

  /** What the clock alone does to a task. The start of a polling one may be its first time too. */
  const byTheClock = async (db: Db, held: OtaTask, time: number): Promise<OtaTask> => {
    if (time >= held.end_at) return move(db, held, 'endTime', time);
    const task = isStartDue(held, time) ? await move(db, held, 'startTime', time) : held;
    return isNextDue(task, time) ? move(db, task, 'nextTime', time) : task;
  };

  const work = async (db: Db, held: OtaTask, time: number, thorough: boolean): Promise<number> => {
    let task = await byTheClock(db, held, time);
    if (!isActiveTask(task.status)) return 0;
    await failSilent(db, task, time);
    await settleOrders(db, task, time);
    if (thorough) await settleRunning(db, task, time);
    // Whom another held when this run opened may be free by now.
    if (thorough && task.task_type === TaskType.polling) await reserveWaiting(db, task, 1);
    task = await conclude(db, task, time);
    if (task.status !== TaskStatus.waiting && task.status !== TaskStatus.upgrading) return 0;
    task = await advanceStage(db, task, time);
    const target = await readTarget(db, task.version_id);
    if (!target) return 0;
    const told = await tellDue(db, task, target, linkFor, time);
    if (told > 0 && task.status === TaskStatus.waiting) await moveTask(db, task, 'firstNotified', { now: time });
    return told;
  };

  const isIdle = (task: OtaTask, time: number): boolean =>
    time < task.end_at && !isActiveTask(task.status) && !isStartDue(task, time) && !isNextDue(task, time);

  /** One task's turn; answers how many devices were told. */
  const turn = async (task: OtaTask, time: number, thorough: boolean): Promise<number> => {
    if (isIdle(task, time) || !(await lead(task))) return 0;
    return transact(db, async (db) => {
      const held = await holdTask(db, task.task_id);
      return held && isUnfinished(held.status) ? work(db, held, time, thorough) : 0;
    });
  };

  /** As long as there is somebody to tell. */
  const exhaust = async (task: OtaTask, thorough: boolean): Promise<void> => {
    for (let told = await turn(task, now(), thorough); told > 0; told = await turn(task, now(), false)) commandHint();
  };

  /** Something is to happen by the clock, and not because somebody says something. */
  const hasClock = ({ status, per_minute, stage_at }: OtaTask): boolean =>
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
    /** Devices have reported, or come online: look at once. */
    hint(): void {
      hinted = true;
    },

    /** All tasks once; again and again as long as there is somebody to tell. Answers whether there are tasks. */
    async look(): Promise<boolean> {
      const wasHinted = hinted;
      hinted = false;
      const tasks = await unfinished();
      for (const task of tasks) {
        const time = now();
        const thorough = Math.abs(time - (lookedAt.get(task.task_id) ?? 0)) >= THOROUGH_EVERY_MS;
        if (!wasHinted && !thorough && !hasClock(task)) continue;
        if (thorough) lookedAt.set(task.task_id, time);
        await exhaust(task, thorough).catch((error: unknown) =>
          log.error({ err: error, taskId: task.task_id }, 'an upgrade task could not be looked at'),
        );
      }
      return tasks.length > 0;
    },

    /** Whoever comes next need not wait until the lease is over. */
    async stop(): Promise<void> {
      await db.updateTable('ota_task').set({ leader: '', leader_until: 0 }).where('leader', '=', own).execute();
    },

    /** What was never written down whole, since its hub was killed over it. */
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
