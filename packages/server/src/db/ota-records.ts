import {
  emptyTally,
  FailReason,
  type FailReasonId,
  isActiveTask,
  UPGRADE_DETAIL_MAX,
  UpgradeStatus,
  type UpgradeTally,
  underWayStatuses,
  undoneStatuses,
} from '@device-center/contract';
import { type JoinBuilder, type Selectable, sql } from 'kysely';
import { nextSequenceId } from '../platform/ids.ts';
import type { Db } from './connect.ts';
import { isSqlite } from './device-search.ts';
import type { OtaDeviceTable, OtaTaskTable } from './ota-tables.ts';
import type { Tables } from './tables.ts';

export type OtaTask = Selectable<OtaTaskTable>;
export type OtaRecord = Selectable<OtaDeviceTable>;

/**
 * PostgreSQL counts its tables about once a minute, and until then takes one that it found empty for empty: for each
 * device of a large task it would look through all of them, for longer than a statement may take.
 */
export const countUpgradesAnew = async (db: Db): Promise<void> => {
  if (!isSqlite(db)) await sql`analyze ota_device, ota_hold`.execute(db);
};

const BACKOFF_FIRST_MS = 5_000;
const BACKOFF_MAX_MS = 600_000;

const backoffOf = (tries: number): number => Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, tries - 1), BACKOFF_MAX_MS);

/** A record's number, as it is told outside; of a text that is no number, the number of no record. */
export const recordNoOf = (deviceOtaTaskId: string): number =>
  /^\d{1,15}$/.test(deviceOtaTaskId) ? Number(deviceOtaTaskId) : -1;

/** A record and the registration that it is about. */
export const recordOfDevice = [
  'ota_device.record_no',
  'ota_device.task_id',
  'ota_device.device_id',
  'ota_device.registration_no',
] as const;
type RecordOfDevice = Pick<OtaRecord, 'record_no' | 'task_id' | 'device_id' | 'registration_no'>;

/** The registration that a record is about, and no later one of that id. */
export const isItsDevice = (join: JoinBuilder<Tables, 'ota_device' | 'device'>) =>
  join
    .onRef('device.device_id', '=', 'ota_device.device_id')
    .onRef('device.registration_no', '=', 'ota_device.registration_no');

/** What an upgrade ended with, so that the device is free for the next task. */
export const endRecord = async (
  db: Db,
  record: RecordOfDevice,
  end: { status: 5 | 6 | 7; reason?: FailReasonId; detail?: string },
  now: number,
): Promise<void> => {
  const { status, reason = FailReason.none, detail = '' } = end;
  const { numUpdatedRows } = await db
    .updateTable('ota_device')
    .set({
      status,
      reason,
      detail: detail.slice(0, UPGRADE_DETAIL_MAX),
      ended_at: now,
      due_at: 0,
      ...(status === UpgradeStatus.success ? { percent: 100 } : {}),
    })
    .where('record_no', '=', record.record_no)
    .where('status', 'in', undoneStatuses)
    .executeTakeFirst();
  if (Number(numUpdatedRows) === 0) return;
  await db
    .deleteFrom('ota_hold')
    .where('task_id', '=', record.task_id)
    .where('device_id', '=', record.device_id)
    .where('registration_no', '=', record.registration_no)
    .execute();
};

/** A task of a higher rank that has started waits for this device. */
const isAwaited = async (db: Db, record: RecordOfDevice, rank: number): Promise<boolean> => {
  const row = await db
    .selectFrom('ota_hold')
    .select('task_id')
    .where('device_id', '=', record.device_id)
    .where('registration_no', '=', record.registration_no)
    .where('task_rank', '>', rank)
    .where('started', '=', 1)
    .executeTakeFirst();
  return row !== undefined;
};

type Failure = { reason: FailReasonId; detail: string };

/** Told again after a while as often as the task says; then it has failed. */
export const failRecord = async (
  db: Db,
  record: RecordOfDevice & Pick<OtaRecord, 'tries' | 'attempt'>,
  task: Pick<OtaTask, 'status' | 'retries' | 'task_rank'>,
  { reason, detail }: Failure,
  now: number,
): Promise<void> => {
  const again =
    record.tries <= task.retries && isActiveTask(task.status) && !(await isAwaited(db, record, task.task_rank));
  if (!again) {
    await endRecord(db, record, { status: UpgradeStatus.failed, reason, detail }, now);
    return;
  }
  await db
    .updateTable('ota_device')
    .set({
      status: UpgradeStatus.waiting,
      reason,
      detail: detail.slice(0, UPGRADE_DETAIL_MAX),
      percent: 0,
      due_at: now + backoffOf(record.tries),
    })
    .where('record_no', '=', record.record_no)
    .where('attempt', '=', record.attempt)
    .where('status', 'in', underWayStatuses)
    .execute();
};

/** It was never told after all: it waits as before, and this does not count as a try. */
export const revertNotified = async (
  db: Db,
  record: Pick<OtaRecord, 'record_no' | 'attempt'>,
  dueAt: number,
): Promise<void> => {
  await db
    .updateTable('ota_device')
    .set((row) => ({ status: UpgradeStatus.waiting, tries: row('tries', '-', 1), due_at: dueAt, percent: 0 }))
    .where('record_no', '=', record.record_no)
    .where('attempt', '=', record.attempt)
    .where('status', '=', UpgradeStatus.notified)
    .execute();
};

export const readTally = async (db: Db, taskId: string): Promise<UpgradeTally> => {
  const rows = await db
    .selectFrom('ota_device')
    .select((row) => ['status', row.fn.countAll<number>().as('n')])
    .where('task_id', '=', taskId)
    .groupBy('status')
    .execute();
  const tally = emptyTally();
  for (const { status, n } of rows) tally[status] = Number(n);
  return tally;
};

/** Holds a task until the transaction ends: of two who act at once the second sees what the first did. */
export const holdTask = async (db: Db, taskId: string): Promise<OtaTask | undefined> => {
  const { rows } = await sql<OtaTask>`
    update ota_task set updated_at = updated_at where task_id = ${taskId} and complete = 1 returning *`.execute(db);
  return rows[0];
};

/** Devices that are gone, or gone from the application that a task is for: nobody waits for them. */
export const cancelUpgradesOf = async (db: Db, deviceIds: string[], movedTo?: string): Promise<void> => {
  if (deviceIds.length === 0) return;
  let rows = db
    .selectFrom('ota_device')
    .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
    .select(recordOfDevice)
    .where('device_id', 'in', deviceIds)
    .where('ota_device.status', 'in', undoneStatuses);
  if (movedTo !== undefined) rows = rows.where('app_id', '<>', '').where('app_id', '<>', movedTo);
  const now = Date.now();
  const detail = movedTo === undefined ? 'deleted' : 'moved';
  for (const record of await rows.execute())
    await endRecord(db, record, { status: UpgradeStatus.cancelled, detail }, now);
  if (movedTo === undefined) await db.deleteFrom('ota_hold').where('device_id', 'in', deviceIds).execute();
};

/** A line in the task's own log: who did what. */
export const logTask = async (
  db: Db,
  taskId: string,
  line: { username?: string; action: string; from?: number; to?: number; detail?: string },
  now: number,
): Promise<void> => {
  await db
    .insertInto('ota_log')
    .values({
      log_no: nextSequenceId(),
      task_id: taskId,
      logged_at: now,
      username: line.username ?? '',
      action: line.action,
      from_status: line.from ?? -1,
      to_status: line.to ?? -1,
      detail: line.detail ?? '',
    })
    .execute();
};
