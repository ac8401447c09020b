import {
  doneStatuses,
  FailReason,
  holdingTaskStatuses,
  UpgradeStatus,
  type UpgradeStatusId,
  undoneStatuses,
} from '@device-center/contract';
import { sql } from 'kysely';
import { routeIdOf } from '../../db/commands.ts';
import type { Db } from '../../db/connect.ts';
import { uniqueViolation } from '../../db/errors.ts';
import { isItsDevice, type OtaRecord, type OtaTask } from '../../db/ota-records.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Recipient, tellCancelled } from './ota.notify.ts';
import type { Numbers } from './ota.targets.ts';

type Statuses = readonly UpgradeStatusId[];

/** Those of a task in some state that are online, to be told something. */
export const addresseesOf = async (db: Db, taskId: string, statuses: Statuses): Promise<Recipient[]> => {
  const rows = await db
    .selectFrom('ota_device')
    .innerJoin('device', isItsDevice)
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

/** Of those who were told, the ones that can be told something now. */
const reachable = async (
  db: Db,
  told: Pick<OtaRecord, 'record_no' | 'device_id' | 'registration_no' | 'attempt'>[],
): Promise<Recipient[]> => {
  if (told.length === 0) return [];
  const online = await db
    .selectFrom('device')
    .select(['device_id', 'registration_no', 'parent_id'])
    .where(
      'device_id',
      'in',
      told.map((row) => row.device_id),
    )
    .where('online', '=', 1)
    .execute();
  const devices = new Map(online.map((row) => [row.device_id, row]));
  return told.flatMap((row) => {
    const device = devices.get(row.device_id);
    if (device?.registration_no !== row.registration_no) return [];
    return { recordNo: row.record_no, deviceId: row.device_id, viaId: routeIdOf(device), attempt: row.attempt };
  });
};

/** Of a task that is written down in pieces, the piece just written: its numbers are nobody else's. */
const waitingIn = (taskId: string, piece: Numbers | undefined) =>
  piece
    ? sql`r.record_no > ${sql.lit(piece.after)} and r.record_no <= ${sql.lit(piece.upTo)}`
    : sql`r.task_id = ${taskId} and r.status = 0`;

/** Takes hold of all that wait, but for those whom a task of the same or a higher rank holds. */
export const reserveWaiting = async (db: Db, task: OtaTask, started: 0 | 1, piece?: Numbers): Promise<void> => {
  await sql`
    insert into ota_hold (device_id, registration_no, task_rank, task_id, started)
    select r.device_id, r.registration_no, ${sql.lit(task.task_rank)}, r.task_id, ${sql.lit(started)}
    from ota_device r
    where ${waitingIn(task.task_id, piece)}
      and not exists (
        select 1 from ota_hold h
        where h.device_id = r.device_id and h.registration_no = r.registration_no and h.task_rank >= ${task.task_rank}
      )`.execute(db);
};

/** Whether one of those that wait belongs to another task in progress, of the same or a higher rank. */
const isHeldElsewhere = async (db: Db, task: OtaTask, piece?: Numbers): Promise<boolean> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ota_device r
    where ${waitingIn(task.task_id, piece)}
      and exists (
        select 1 from ota_device o join ota_task t on t.task_id = o.task_id
        where o.device_id = r.device_id and o.registration_no = r.registration_no and o.task_id <> r.task_id
          and o.status in (${sql.join(undoneStatuses)})
          and t.status in (${sql.join(holdingTaskStatuses)}) and t.task_rank >= ${task.task_rank}
      )`.execute(db);
  return Number(rows[0]?.n ?? 0) > 0;
};

const taskInProgress = (): AppError => new AppError('TASK_IN_PROGRESS', {}, 'taskRank');

/** Takes hold of all that wait, for a task that is to start; refused where one of them is another task's. */
export const holdAll = async (db: Db, task: OtaTask, piece?: Numbers): Promise<void> => {
  await reserveWaiting(db, task, 0, piece);
  if (await isHeldElsewhere(db, task, piece)) throw taskInProgress();
};

/** Of two who take hold of the same device at once, with the same rank, the index lets one through. */
export const asTaskInProgress = (error: unknown): unknown =>
  uniqueViolation(error)?.startsWith('ota_hold.') ? taskInProgress() : error;

export const releaseHolds = async (db: Db, taskId: string): Promise<void> => {
  await db.deleteFrom('ota_hold').where('task_id', '=', taskId).execute();
};

/** What tasks of a lower rank have of the devices that this one holds, in some state there. */
const takenFrom = (task: OtaTask, statuses: Statuses) => sql`
  ota_hold h
  join ota_device r on r.device_id = h.device_id and r.registration_no = h.registration_no
    and r.task_id <> h.task_id and r.status in (${sql.join(statuses)})
  join ota_task t on t.task_id = r.task_id and t.status in (${sql.join(holdingTaskStatuses)})
    and t.task_rank < h.task_rank
  where h.task_id = ${task.task_id}`;

/** Told, and without harm told to stop. */
const stoppable: Statuses = [UpgradeStatus.notified, UpgradeStatus.downloading];
const overtakable: Statuses = [UpgradeStatus.waiting, ...stoppable];

/**
 * Decisions §5: when a task comes to 1, the devices that it shares with tasks of a lower rank fail there. One that is
 * verifying or installing is left to end first; until then its new task does not tell it.
 */
export const takeOver = async (db: Db, task: OtaTask, now: number): Promise<number> => {
  const { rows: told } = await sql<Pick<OtaRecord, 'record_no' | 'device_id' | 'registration_no' | 'attempt'>>`
    select r.record_no, r.device_id, r.registration_no, r.attempt from ${takenFrom(task, stoppable)}`.execute(db);
  const { rows: failed } = await sql<{ record_no: number }>`
    update ota_device set status = ${UpgradeStatus.failed}, reason = ${FailReason.overtaken}, ended_at = ${now},
      detail = ${task.task_name}, due_at = 0
    where status in (${sql.join(overtakable)})
      and record_no in (select r.record_no from ${takenFrom(task, overtakable)})
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
  await tellCancelled(db, task, await reachable(db, told), now);
  return failed.length;
};
