import {
  emptyTally,
  FailReason,
  type FailReasonId,
  inProgressStatuses,
  isActiveTask,
  UPGRADE_DETAIL_MAX,
  UpgradeStatus,
  type UpgradeTally,
  undoneStatuses,
} from '@device-center/contract';
import { type JoinBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { isSqlite } from '../../db/connect.ts';
import type { HubTables, OtaDeviceTable, OtaTaskTable } from '../../db/hub-tables.ts';
import { nextSequenceId } from '../../platform/ids.ts';

export type OtaTask = Selectable<OtaTaskTable>;
export type OtaRecord = Selectable<OtaDeviceTable>;

/**
 * Autovacuum analyzes tables about once a minute. Until then a table that was empty is planned as empty: each device of
 * a large task would scan the whole table, longer than the statement time-out.
 */
export const analyzeUpgrades = async (db: Db): Promise<void> => {
  if (!isSqlite(db)) await sql`analyze ota_device, ota_hold`.execute(db);
};

const BACKOFF_FIRST_MS = 5_000;
const BACKOFF_MAX_MS = 600_000;

const backoffOf = (tries: number): number => Math.min(BACKOFF_FIRST_MS * 2 ** Math.max(0, tries - 1), BACKOFF_MAX_MS);

/** Parses a record number from the API; -1, which no record has, if it is not a number. */
export const recordNoOf = (deviceOtaTaskId: string): number =>
  /^\d{1,15}$/.test(deviceOtaTaskId) ? Number(deviceOtaTaskId) : -1;

/** Columns that identify a record and its registration. */
export const recordKeyColumns = [
  'ota_device.record_no',
  'ota_device.task_id',
  'ota_device.device_id',
  'ota_device.registration_no',
] as const;
type RecordOfDevice = Pick<OtaRecord, 'record_no' | 'task_id' | 'device_id' | 'registration_no'>;

/** Joins a record to its device only if the id was not registered again since. */
export const onRegistration = (join: JoinBuilder<HubTables, 'ota_device' | 'device'>) =>
  join
    .onRef('device.device_id', '=', 'ota_device.device_id')
    .onRef('device.registration_no', '=', 'ota_device.registration_no');

/** Ends an upgrade, which frees the device for the next task. */
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

/** Whether a started task of a higher rank waits for this device. */
const isPreempted = async (db: Db, record: RecordOfDevice, rank: number): Promise<boolean> => {
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

/** Schedules another attempt after a back-off, up to the task's retries; then the upgrade has failed. */
export const failRecord = async (
  db: Db,
  record: RecordOfDevice & Pick<OtaRecord, 'tries' | 'attempt'>,
  task: Pick<OtaTask, 'status' | 'retries' | 'task_rank'>,
  { reason, detail }: Failure,
  now: number,
): Promise<void> => {
  const mayRetry =
    record.tries <= task.retries && isActiveTask(task.status) && !(await isPreempted(db, record, task.task_rank));
  if (!mayRetry) {
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
    .where('status', 'in', inProgressStatuses)
    .execute();
};

/** Reverts a notification that was not sent: the record waits again, and the attempt does not count. */
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

/** Locks a task until the transaction ends, so that concurrent changes run one after the other. */
export const lockTask = async (db: Db, taskId: string): Promise<OtaTask | undefined> => {
  const { rows } = await sql<OtaTask>`
    update ota_task set updated_at = updated_at where task_id = ${taskId} and complete = 1 returning *`.execute(db);
  return rows[0];
};

/** Cancels the upgrades of devices that were deleted, or moved to an application that their task does not cover. */
export const cancelUpgradesOf = async (db: Db, deviceIds: string[], movedTo?: string): Promise<void> => {
  if (deviceIds.length === 0) return;
  let rows = db
    .selectFrom('ota_device')
    .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
    .select(recordKeyColumns)
    .where('device_id', 'in', deviceIds)
    .where('ota_device.status', 'in', undoneStatuses);
  if (movedTo !== undefined) rows = rows.where('app_id', '<>', '').where('app_id', '<>', movedTo);
  const now = Date.now();
  const detail = movedTo === undefined ? 'deleted' : 'moved';
  for (const record of await rows.execute())
    await endRecord(db, record, { status: UpgradeStatus.cancelled, detail }, now);
  if (movedTo === undefined) await db.deleteFrom('ota_hold').where('device_id', 'in', deviceIds).execute();
};

/** Adds an entry to the log of the task. */
export const logTask = async (
  db: Db,
  taskId: string,
  entry: { username?: string; action: string; from?: number; to?: number; detail?: string },
  now: number,
): Promise<void> => {
  await db
    .insertInto('ota_log')
    .values({
      log_no: nextSequenceId(),
      task_id: taskId,
      logged_at: now,
      username: entry.username ?? '',
      action: entry.action,
      from_status: entry.from ?? -1,
      to_status: entry.to ?? -1,
      detail: entry.detail ?? '',
    })
    .execute();
};
