import { countDevices, countInProgress } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { routeIdOf } from '../../domain/device/commands.ts';
import { logTask, type OtaTask, readTally } from '../../domain/ota/records.ts';
import { type LinkFor, notifyDevices, type Recipient, type TargetVersion } from './ota.notify.ts';

const BATCH_MAX = 200;
const MINUTE_MS = 60_000;
/** Up to this much of the rate that was not used is caught up. */
const BURST_MS = 2_000;

export const stagesOf = ({ stages, task_id }: Pick<OtaTask, 'stages' | 'task_id'>): number[] =>
  storedJson<number[]>(stages, 'ota_task', task_id);

/** How many devices may be notified up to the end of the current stage. */
const stageCap = (task: OtaTask, total: number): number => {
  const share = stagesOf(task)[task.stage] ?? 100;
  return share >= 100 ? Number.POSITIVE_INFINITY : Math.ceil((total * share) / 100);
};

/** A device that was notified in this stage and failed waits for its retry. */
const isRetrying = async (db: Db, taskId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('ota_device')
    .select('record_no')
    .where('task_id', '=', taskId)
    .where('status', '=', 0)
    .where('place', '=', 0)
    .executeTakeFirst();
  return row !== undefined;
};

const save = async (db: Db, task: OtaTask, changes: Partial<OtaTask>): Promise<OtaTask> => {
  await db.updateTable('ota_task').set(changes).where('task_id', '=', task.task_id).execute();
  return { ...task, ...changes };
};

/** All devices of the current stage were notified and have finished. */
const isStageOver = async (db: Db, task: OtaTask): Promise<boolean> => {
  const tally = await readTally(db, task.task_id);
  if (task.told < stageCap(task, countDevices(tally)) || countInProgress(tally) > 0) return false;
  return !(await isRetrying(db, task.task_id));
};

/** Starts the next stage, after the task's wait between stages. Returns the changed task. */
export const advanceStage = async (db: Db, task: OtaTask, now: number): Promise<OtaTask> => {
  if (task.stage >= stagesOf(task).length - 1) return task;
  if (task.stage_at === 0 && !(await isStageOver(db, task))) return task;
  const stageAt = task.stage_at || now + task.stage_wait_ms;
  if (now < stageAt) return task.stage_at === stageAt ? task : save(db, task, { stage_at: stageAt });
  const next = await save(db, task, { stage: task.stage + 1, stage_at: 0 });
  await logTask(db, task.task_id, { action: 'stage', detail: String(next.stage + 1) }, now);
  return next;
};

/** How many devices the rate allows to notify now. */
const rateAllowance = (task: OtaTask, now: number): number => {
  if (task.per_minute === 0) return BATCH_MAX;
  const from = Math.max(task.slot_at, now - BURST_MS);
  if (from > now) return 0;
  return Math.min(BATCH_MAX, Math.floor(((now - from) * task.per_minute) / MINUTE_MS) + 1);
};

const slotAfter = (task: OtaTask, count: number, now: number): number =>
  task.per_minute === 0 ? 0 : Math.max(task.slot_at, now - BURST_MS) + Math.ceil((count * MINUTE_MS) / task.per_minute);

type Row = { record_no: number; device_id: string; parent_id: string; attempt: number };

/** Waiting devices that are online and reserved by this task and by no other task that has started. */
const candidates = async (
  db: Db,
  task: OtaTask,
  retries: boolean,
  limit: number,
  now: number,
): Promise<Recipient[]> => {
  if (limit <= 0) return [];
  const queuePosition = retries ? sql`r.place = 0` : sql`r.place <> 0`;
  const { rows } = await sql<Row>`
    select r.record_no, r.device_id, d.parent_id, r.attempt
    from ota_device r join device d on d.device_id = r.device_id and d.registration_no = r.registration_no
    where r.task_id = ${task.task_id} and r.status = 0 and ${queuePosition} and r.due_at <= ${now}
      and d.online = 1 and d.blacklisted = 0 and d.kicked_until <= ${now}
      and exists (
        select 1 from ota_hold h
        where h.device_id = r.device_id and h.registration_no = r.registration_no and h.task_id = r.task_id
          and h.started = 1)
      and not exists (
        select 1 from ota_hold h
        where h.device_id = r.device_id and h.registration_no = r.registration_no and h.task_id <> r.task_id
          and h.started = 1)
    order by r.place, r.record_no
    limit ${limit}`.execute(db);
  return rows.map((row) => ({
    recordNo: row.record_no,
    deviceId: row.device_id,
    viaId: routeIdOf(row),
    attempt: row.attempt,
  }));
};

/** Notifies as many devices as stage and rate allow; returns how many. */
export const notifyDue = async (
  db: Db,
  task: OtaTask,
  target: TargetVersion,
  linkFor: LinkFor,
  now: number,
): Promise<number> => {
  const allowed = rateAllowance(task, now);
  if (allowed === 0) return 0;
  const retries = await candidates(db, task, true, allowed, now);
  const tally = task.stage < stagesOf(task).length - 1 ? await readTally(db, task.task_id) : undefined;
  const cap = tally ? stageCap(task, countDevices(tally)) : Number.POSITIVE_INFINITY;
  const first =
    task.stage_at > 0
      ? []
      : await candidates(db, task, false, Math.min(allowed - retries.length, cap - task.told), now);
  const recipients = [...retries, ...first];
  if (recipients.length === 0) return 0;
  await notifyDevices(db, task, target, linkFor, recipients, now);
  await save(db, task, { told: task.told + first.length, slot_at: slotAfter(task, recipients.length, now) });
  return recipients.length;
};
