import { doneStatuses, TaskType, UpgradeStatus, type UpgradeStatusId } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { type OtaTask, readTally } from '../../domain/ota/records.ts';
import { preemptLowerRanks, reserveWaiting } from './ota.reservations.ts';
import { addNewTargets, shuffledPosition } from './ota.targets.ts';

/** Devices that run the version already succeed without a notification. */
const completeUpToDate = async (db: Db, task: OtaTask, now: number): Promise<void> => {
  await sql`
    update ota_device set status = ${UpgradeStatus.success}, reason = 0, detail = 'already', percent = 100,
      due_at = 0, ended_at = ${now}
    where task_id = ${task.task_id} and status = 0 and exists (
      select 1 from device d
      where d.device_id = ota_device.device_id and d.registration_no = ota_device.registration_no
        and d.version_number = ${task.version_number}
    )`.execute(db);
  await releaseFinished(db, task.task_id);
};

const releaseFinished = async (db: Db, taskId: string): Promise<void> => {
  await sql`
    delete from ota_hold where task_id = ${taskId} and exists (
      select 1 from ota_device r
      where r.task_id = ota_hold.task_id and r.device_id = ota_hold.device_id
        and r.registration_no = ota_hold.registration_no and r.status in (${sql.join(doneStatuses)})
    )`.execute(db);
};

export const resetRecords = async (
  db: Db,
  taskId: string,
  statuses: readonly UpgradeStatusId[],
  deviceIds?: string[],
): Promise<void> => {
  let rows = db
    .updateTable('ota_device')
    .set((row) => ({
      status: UpgradeStatus.waiting,
      reason: 0,
      detail: '',
      tries: 0,
      percent: 0,
      stage: 0,
      due_at: 0,
      ended_at: 0,
      place: shuffledPosition(row.ref('record_no')),
    }))
    .where('task_id', '=', taskId)
    .where('status', 'in', statuses);
  if (deviceIds) rows = rows.where('device_id', 'in', deviceIds);
  await rows.execute();
};

/** Cancels waiting records whose device was deleted, registered again or moved out of the task's application. */
export const cancelGone = async (db: Db, task: OtaTask, now: number): Promise<void> => {
  await db
    .updateTable('ota_device')
    .set({ status: UpgradeStatus.cancelled, ended_at: now })
    .where('task_id', '=', task.task_id)
    .where('status', '=', UpgradeStatus.waiting)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('device')
            .select('device.device_id')
            .whereRef('device.device_id', '=', 'ota_device.device_id')
            .whereRef('device.registration_no', '=', 'ota_device.registration_no')
            .$if(task.app_id !== '', (rows) => rows.where('device.application_id', '=', task.app_id)),
        ),
      ),
    )
    .execute();
};

/**
 * Opens a run. A polling task adds the devices that match by now and retries the failed ones. Reserves the devices,
 * preempts tasks of a lower rank and completes devices that run the version already.
 */
export const openRun = async (db: Db, task: OtaTask, now: number): Promise<Partial<OtaTask>> => {
  if (task.task_type === TaskType.polling) {
    if (task.chosen === 0) await addNewTargets(db, task, now);
    await resetRecords(db, task.task_id, [UpgradeStatus.waiting, UpgradeStatus.failed]);
  }
  await cancelGone(db, task, now);
  await reserveWaiting(db, task, 1);
  await db.updateTable('ota_hold').set({ started: 1 }).where('task_id', '=', task.task_id).execute();
  await preemptLowerRanks(db, task, now);
  await completeUpToDate(db, task, now);
  const tally = await readTally(db, task.task_id);
  return {
    run_open: 1,
    runs: task.runs + 1,
    next_at: 0,
    stage: 0,
    stage_at: 0,
    told: 0,
    slot_at: 0,
    stop_reason: '',
    base_done: tally[5] + tally[6],
    base_failed: tally[6],
    tally: '',
    ended_at: 0,
  };
};
