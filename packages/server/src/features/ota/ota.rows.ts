import {
  allowedActions,
  completionPercent,
  countDevices,
  isActiveTask,
  type Language,
  type TaskAction,
  type TaskRow,
  TaskStatus,
  taskStatusTexts,
  type UpgradeRow,
  UpgradeStatus,
  type UpgradeTally,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import { scopeOf } from '../../db/scope.ts';
import { storedJson, storedName } from '../../db/stored.ts';
import { type OtaTask, onRegistration, readTally } from '../../domain/ota/records.ts';
import { tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';
import { attributesOf } from './ota.lifecycle.ts';
import { nextRunAt } from './ota.schedule.ts';

/** The completely inserted tasks of a scope. */
export const tasksOf = (db: Db, { tenancyId }: Scope) => {
  const rows = db.selectFrom('ota_task').where('ota_task.complete', '=', 1);
  return tenancyId === null ? rows : rows.where('ota_task.tenancy_id', '=', tenancyId);
};

export const withNames = (rows: ReturnType<typeof tasksOf>) =>
  rows
    .innerJoin('product', 'product.product_id', 'ota_task.product_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'ota_task.tenancy_id')
    .leftJoin('application', 'application.application_id', 'ota_task.app_id')
    .leftJoin('ota_version', (join) =>
      join
        .onRef('ota_version.version_id', '=', 'ota_task.version_id')
        .onRef('ota_version.version_number', '=', 'ota_task.version_number'),
    )
    .selectAll('ota_task')
    .select(['ota_version.version_id as existing_version_id'])
    .select(['product.product_name', 'tenancy.tenancy_name', 'application.application_name']);

export type TaskRecord = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

/** Another tenant's task is not found, never forbidden. */
export const findTask = async (db: Db, actor: Actor, taskId: string, field = 'taskId'): Promise<TaskRecord> => {
  const row = await withNames(tasksOf(db, scopeOf(actor)))
    .where('ota_task.task_id', '=', taskId)
    .executeTakeFirst();
  if (!row) throw new AppError('TASK_NOT_FOUND', {}, field);
  return row;
};

/** Counted now for an unfinished task; stored when a task ended. */
export const tallyOf = async (db: Db, task: Pick<OtaTask, 'task_id' | 'tally'>): Promise<UpgradeTally> =>
  task.tally === '' ? readTally(db, task.task_id) : storedJson<UpgradeTally>(task.tally, 'ota_task', task.task_id);

const results: Partial<Record<OtaTask['status'], TaskRow['result']>> = {
  [TaskStatus.succeeded]: 1,
  [TaskStatus.failed]: 2,
  [TaskStatus.finished]: 3,
};

const nextTimeOf = (task: OtaTask, now: number): number => {
  if (task.status === TaskStatus.notStarted)
    return task.task_type === 1 ? task.start_at : nextRunAt(task, task.start_at);
  if (task.status === TaskStatus.waitingNext) return task.next_at;
  return task.run_open === 1 ? nextRunAt(task, now) : 0;
};

const needsVersion: readonly TaskAction[] = ['restart', 'retry'];

/** The actions allowed now. A task whose version was deleted cannot restart or retry. */
export const allowedActionsOf = (row: TaskRecord, tally: UpgradeTally, now: number): TaskAction[] =>
  allowedActions(row.status, attributesOf(row, tally, now)).filter(
    (action) => row.existing_version_id !== null || !needsVersion.includes(action),
  );

export const taskAnswer = (language: Language, row: TaskRecord, tally: UpgradeTally, now: number): TaskRow => ({
  taskId: row.task_id,
  taskName: row.task_name,
  taskRank: row.task_rank,
  taskType: row.task_type,
  taskStatus: row.status,
  taskStatusName: storedName(taskStatusTexts, row.status, language),
  taskStart: iso(row.start_at),
  taskEnd: iso(row.end_at),
  executeNow: row.execute_now,
  cron: row.cron,
  timezone: row.timezone,
  nextTime: isoOrBlank(nextTimeOf(row, now)),
  runs: row.runs,
  appId: row.app_id,
  appName: row.application_name ?? '',
  deviceVersionId: row.version_id,
  versionName: row.version_name,
  targetVersion: row.version_number,
  productId: row.product_id,
  productName: row.product_name,
  versionNumber: storedJson<string[]>(row.from_versions || '[]', 'ota_task', row.task_id),
  chosen: row.chosen,
  deviceCount: countDevices(tally),
  tally,
  completion: completionPercent(tally),
  result: results[row.status] ?? 0,
  handler: row.creator,
  rehearsal: row.rehearsal,
  stage: row.stage + 1,
  stopReason: row.stop_reason,
  versionDeleted: row.existing_version_id === null ? 1 : 0,
  allowed: allowedActionsOf(row, tally, now),
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
  endTime: isoOrBlank(row.ended_at),
});

/** The upgrades of devices, joined with their task, product and device. */
export const upgradesOf = (db: Db, { tenancyId }: Scope) => {
  const rows = db
    .selectFrom('ota_device')
    .innerJoin('ota_task', 'ota_task.task_id', 'ota_device.task_id')
    .innerJoin('product', 'product.product_id', 'ota_task.product_id')
    .leftJoin('device', onRegistration)
    .where('ota_task.complete', '=', 1);
  return tenancyId === null ? rows : rows.where('ota_device.tenancy_id', '=', tenancyId);
};

export const selectUpgrades = (rows: ReturnType<typeof upgradesOf>) =>
  rows
    .selectAll('ota_device')
    .select([
      'ota_task.task_name',
      'ota_task.status as task_status',
      'ota_task.version_number as target_version',
      'ota_task.product_id',
      'product.product_name',
      'device.device_name',
      'device.online',
      'device.version_number',
    ]);

export type UpgradeRecord = Awaited<ReturnType<ReturnType<typeof selectUpgrades>['execute']>>[number];

const canBeFirst = ({ status, task_status, place }: UpgradeRecord): 0 | 1 =>
  status === UpgradeStatus.waiting && isActiveTask(task_status) && place > 0 ? 1 : 0;

export const upgradeAnswer = (row: UpgradeRecord): UpgradeRow => ({
  deviceOtaTaskId: String(row.record_no),
  taskId: row.task_id,
  taskName: row.task_name,
  deviceId: row.device_id,
  deviceName: row.device_name ?? '',
  online: row.online ?? 2,
  productId: row.product_id,
  productName: row.product_name,
  status: row.status,
  reason: row.reason,
  detail: row.detail,
  attempt: row.attempt,
  percent: row.percent,
  stage: row.stage,
  fromVersion: row.from_version,
  targetVersion: row.target_version,
  versionNumber: row.version_number ?? '',
  first: row.place < 0 && row.status === 0 ? 1 : 0,
  mayBeFirst: canBeFirst(row),
  notifiedTime: isoOrBlank(row.told_at),
  reportTime: isoOrBlank(row.reported_at),
  endTime: isoOrBlank(row.ended_at),
  dueTime: row.status === 0 ? isoOrBlank(row.due_at) : '',
});
