import {
  doneStatuses,
  FailReason,
  reservingTaskStatuses,
  UpgradeStatus,
  type UpgradeStatusId,
  undoneStatuses,
} from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { routeIdOf } from '../../domain/device/commands.ts';
import { type OtaRecord, type OtaTask, onRegistration } from '../../domain/ota/records.ts';
import { AppError } from '../../platform/app-error.ts';
import { notifyCancelled, type Recipient } from './ota.notify.ts';
import type { RecordRange } from './ota.targets.ts';

type Statuses = readonly UpgradeStatusId[];

/** The online devices of a task whose upgrades have one of these statuses. */
export const onlineRecipients = async (db: Db, taskId: string, statuses: Statuses): Promise<Recipient[]> => {
  const rows = await db
    .selectFrom('ota_device')
    .innerJoin('device', onRegistration)
    .select(['record_no', 'ota_device.device_id', 'parent_id', 'attempt'])
    .where('task_id', '=', taskId)
    .where('ota_device.status', 'in', statuses)
    .where('device.online', '=', 1)
    .execute();
  return rows.map((row) => ({
    recordNo: row.record_no,
    deviceId: row.device_id,
    viaId: routeIdOf(row),
    attempt: row.attempt,
  }));
};

/** Those of the notified devices that are online now. */
const reachable = async (
  db: Db,
  notified: Pick<OtaRecord, 'record_no' | 'device_id' | 'registration_no' | 'attempt'>[],
): Promise<Recipient[]> => {
  if (notified.length === 0) return [];
  const online = await db
    .selectFrom('device')
    .select(['device_id', 'registration_no', 'parent_id'])
    .where(
      'device_id',
      'in',
      notified.map((row) => row.device_id),
    )
    .where('online', '=', 1)
    .execute();
  const devices = new Map(online.map((row) => [row.device_id, row]));
  return notified.flatMap((row) => {
    const device = devices.get(row.device_id);
    if (device?.registration_no !== row.registration_no) return [];
    return { recordNo: row.record_no, deviceId: row.device_id, viaId: routeIdOf(device), attempt: row.attempt };
  });
};

/** The records of one inserted chunk, or all waiting records of the task. A range belongs to one task only. */
const waitingIn = (taskId: string, range: RecordRange | undefined) =>
  range
    ? sql`r.record_no > ${sql.lit(range.after)} and r.record_no <= ${sql.lit(range.upTo)}`
    : sql`r.task_id = ${taskId} and r.status = 0`;

/** Reserves all waiting devices, except those that a task of the same or a higher rank has reserved. */
export const reserveWaiting = async (db: Db, task: OtaTask, started: 0 | 1, range?: RecordRange): Promise<void> => {
  await sql`
    insert into ota_hold (device_id, registration_no, task_rank, task_id, started)
    select r.device_id, r.registration_no, ${sql.lit(task.task_rank)}, r.task_id, ${sql.lit(started)}
    from ota_device r
    where ${waitingIn(task.task_id, range)}
      and not exists (
        select 1 from ota_hold h
        where h.device_id = r.device_id and h.registration_no = r.registration_no and h.task_rank >= ${task.task_rank}
      )`.execute(db);
};

/** Whether a waiting device has an unfinished upgrade of another active task with the same or a higher rank. */
const isReservedElsewhere = async (db: Db, task: OtaTask, range?: RecordRange): Promise<boolean> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ota_device r
    where ${waitingIn(task.task_id, range)}
      and exists (
        select 1 from ota_device o join ota_task t on t.task_id = o.task_id
        where o.device_id = r.device_id and o.registration_no = r.registration_no and o.task_id <> r.task_id
          and o.status in (${sql.join(undoneStatuses)})
          and t.status in (${sql.join(reservingTaskStatuses)}) and t.task_rank >= ${task.task_rank}
      )`.execute(db);
  return Number(rows[0]?.n ?? 0) > 0;
};

const taskInProgress = (): AppError => new AppError('TASK_IN_PROGRESS', {}, 'taskRank');

/** Reserves all waiting devices for a task that is to start; throws where another task has reserved one of them. */
export const reserveAll = async (db: Db, task: OtaTask, range?: RecordRange): Promise<void> => {
  await reserveWaiting(db, task, 0, range);
  if (await isReservedElsewhere(db, task, range)) throw taskInProgress();
};

/** Two tasks of the same rank that reserve a device at once: the unique index rejects the second one. */
export const asTaskInProgress = (error: unknown): unknown =>
  uniqueViolation(error)?.startsWith('ota_hold.') ? taskInProgress() : error;

export const releaseReservations = async (db: Db, taskId: string): Promise<void> => {
  await db.deleteFrom('ota_hold').where('task_id', '=', taskId).execute();
};

/** The upgrade records of this task's reserved devices in tasks of a lower rank. */
const lowerRankRecords = (task: OtaTask, statuses: Statuses) => sql`
  ota_hold h
  join ota_device r on r.device_id = h.device_id and r.registration_no = h.registration_no
    and r.task_id <> h.task_id and r.status in (${sql.join(statuses)})
  join ota_task t on t.task_id = r.task_id and t.status in (${sql.join(reservingTaskStatuses)})
    and t.task_rank < h.task_rank
  where h.task_id = ${task.task_id}`;

/** Notified devices that can still stop without damage. */
const stoppable: Statuses = [UpgradeStatus.notified, UpgradeStatus.downloading];
const preemptable: Statuses = [UpgradeStatus.waiting, ...stoppable];

/**
 * Decisions §5: when a task reaches status 1, the devices that it shares with tasks of a lower rank fail there. A
 * device that verifies or installs may finish first; until then the new task does not notify it.
 */
export const preemptLowerRanks = async (db: Db, task: OtaTask, now: number): Promise<number> => {
  const { rows: notified } = await sql<Pick<OtaRecord, 'record_no' | 'device_id' | 'registration_no' | 'attempt'>>`
    select r.record_no, r.device_id, r.registration_no, r.attempt from ${lowerRankRecords(task, stoppable)}`.execute(
    db,
  );
  const { rows: failed } = await sql<{ record_no: number }>`
    update ota_device set status = ${UpgradeStatus.failed}, reason = ${FailReason.preempted}, ended_at = ${now},
      detail = ${task.task_name}, due_at = 0
    where status in (${sql.join(preemptable)})
      and record_no in (select r.record_no from ${lowerRankRecords(task, preemptable)})
    returning record_no`.execute(db);
  if (failed.length === 0) return 0;
  await sql`
    delete from ota_hold
    where task_id <> ${task.task_id}
      and device_id in (select mine.device_id from ota_hold mine where mine.task_id = ${task.task_id})
      and exists (
        select 1 from ota_device r
        where r.task_id = ota_hold.task_id and r.device_id = ota_hold.device_id
          and r.registration_no = ota_hold.registration_no and r.status in (${sql.join(doneStatuses)})
      )`.execute(db);
  await notifyCancelled(db, task, await reachable(db, notified), now);
  return failed.length;
};
