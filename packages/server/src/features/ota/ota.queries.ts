import {
  type FailReasonId,
  type Input,
  type Output,
  type otaCalls,
  type TaskDetails,
  UpgradeStatus,
  type UpgradeStatusId,
  undoneStatuses,
  unfinishedStatuses,
  upgradeStatusIds,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains, containsAny } from '../../db/contains.ts';
import { readPage } from '../../db/paging.ts';
import { listScope } from '../../db/scope.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { iso, isoOrBlank } from '../../platform/time.ts';
import {
  findTask,
  selectUpgrades,
  tallyOf,
  taskAnswer,
  tasksOf,
  upgradeAnswer,
  upgradesOf,
  withNames,
} from './ota.rows.ts';
import { stagesOf } from './ota.stages.ts';

type Calls = typeof otaCalls;
type Deps = { db: Db };

/** How many unfinished tasks a stream follows; the others are current when their list is opened. */
const WATCHED_MAX = 100;

/** The calls that read upgrade tasks. */
export const createOtaQueries = ({ db }: Deps) => {
  const stageTallies = async (taskId: string): Promise<TaskDetails['stageTallies']> => {
    const rows = await db
      .selectFrom('ota_device')
      .select((row) => ['stage', 'status', row.fn.countAll<number>().as('n')])
      .where('task_id', '=', taskId)
      .where('stage', '>', 0)
      .groupBy(['stage', 'status'])
      .execute();
    const stages = [...new Set(rows.map(({ stage }) => stage))].sort((one, other) => one - other);
    return stages.map((stage) => {
      const count = (statuses: readonly UpgradeStatusId[]): number =>
        rows.reduce(
          (sum, row) => (row.stage === stage && statuses.includes(row.status) ? sum + Number(row.n) : sum),
          0,
        );
      return {
        stage,
        told: count(upgradeStatusIds),
        success: count([UpgradeStatus.success]),
        failed: count([UpgradeStatus.failed]),
        undone: count(undoneStatuses),
      };
    });
  };

  const failures = async (taskId: string): Promise<{ reason: FailReasonId; devices: number }[]> => {
    const rows = await db
      .selectFrom('ota_device')
      .select((row) => ['reason', row.fn.countAll<number>().as('n')])
      .where('task_id', '=', taskId)
      .where('status', '=', UpgradeStatus.failed)
      .groupBy('reason')
      .execute();
    return rows
      .map(({ reason, n }) => ({ reason, devices: Number(n) }))
      .sort((one, other) => other.devices - one.devices);
  };

  return {
    async queryDeviceOtaTaskList(
      { actor, language }: Context,
      input: Input<Calls['queryDeviceOtaTaskList']>,
    ): Promise<Output<Calls['queryDeviceOtaTaskList']>> {
      let rows = tasksOf(db, listScope(actor, input.tenancyId));
      if (input.taskId) rows = rows.where(contains('ota_task.task_id_key', input.taskId));
      if (input.taskName) rows = rows.where(contains('ota_task.task_name_key', input.taskName));
      if (input.searchValue)
        rows = rows.where(containsAny(['ota_task.task_id_key', 'ota_task.task_name_key'], input.searchValue));
      if (input.versionId) rows = rows.where('ota_task.version_id', '=', input.versionId);
      if (input.productId) rows = rows.where('ota_task.product_id', '=', input.productId);
      if (input.taskStatus) rows = rows.where('ota_task.status', 'in', input.taskStatus);
      const order = { createdAt: 'ota_task.created_at', updatedAt: 'ota_task.updated_at', unique: 'ota_task.task_id' };
      const page = await readPage(db, { rows: withNames(rows), ...order }, input);
      const now = Date.now();
      const list = [];
      for (const row of page.list) list.push(taskAnswer(language, row, await tallyOf(db, row), now));
      return { ...page, list };
    },

    async getDeviceOtaTaskDetails(
      { actor, language }: Context,
      { taskId }: Input<Calls['getDeviceOtaTaskDetails']>,
    ): Promise<TaskDetails> {
      const row = await findTask(db, actor, taskId);
      return {
        ...taskAnswer(language, row, await tallyOf(db, row), Date.now()),
        stages: stagesOf(row),
        stageWait: row.stage_wait_ms / 60_000,
        perMinute: row.per_minute,
        timeout: row.timeout_ms / 60_000,
        retries: row.retries,
        stopPercent: row.stop_percent,
        stopAfter: row.stop_after,
        allowOlder: row.allow_older,
        stageTallies: await stageTallies(taskId),
        failures: await failures(taskId),
        stageTime: isoOrBlank(row.stage_at),
      };
    },

    async deviceOtaList(
      { actor }: Context,
      input: Input<Calls['deviceOtaList']>,
    ): Promise<Output<Calls['deviceOtaList']>> {
      let rows = upgradesOf(db, listScope(actor));
      if (input.taskId) rows = rows.where('ota_device.task_id', '=', input.taskId);
      // Within a task the text is searched for; without a task it is the exact ID of one device.
      if (input.deviceId)
        rows = input.taskId
          ? rows.where((row) =>
              row.or([
                row('ota_device.device_id', '=', input.deviceId ?? ''),
                contains('device.device_id_key', input.deviceId ?? ''),
                contains('device.device_name_key', input.deviceId ?? ''),
              ]),
            )
          : rows.where('ota_device.device_id', '=', input.deviceId);
      if (input.versionNumber) rows = rows.where('device.version_number', '=', input.versionNumber);
      if (input.productId) rows = rows.where('ota_task.product_id', '=', input.productId);
      if (input.status) rows = rows.where('ota_device.status', 'in', input.status);
      if (input.reason !== undefined) rows = rows.where('ota_device.reason', '=', input.reason);
      if (input.stage !== undefined) rows = rows.where('ota_device.stage', '=', input.stage);
      const order = {
        createdAt: 'ota_device.record_no',
        updatedAt: 'ota_device.told_at',
        unique: 'ota_device.record_no',
      };
      const page = await readPage(db, { rows: selectUpgrades(rows), ...order }, input);
      return { ...page, list: page.list.map(upgradeAnswer) };
    },

    async getDeviceOtaTaskLog(
      { actor }: Context,
      input: Input<Calls['getDeviceOtaTaskLog']>,
    ): Promise<Output<Calls['getDeviceOtaTaskLog']>> {
      await findTask(db, actor, input.taskId);
      const rows = db.selectFrom('ota_log').selectAll().where('task_id', '=', input.taskId);
      const page = await readPage(db, { rows, createdAt: 'log_no', unique: 'log_no' }, { ...input, sortMode: 2 });
      const list = page.list.map((row) => ({
        logId: String(row.log_no),
        time: iso(row.logged_at),
        username: row.username,
        action: row.action,
        fromStatus: row.from_status as -1,
        toStatus: row.to_status as -1,
        detail: row.detail,
      }));
      return { ...page, list };
    },

    /** For the stream: the state of unfinished tasks and of those that ended within the last minute. */
    async taskUpdates(actor: Actor, tenancyId: string | undefined) {
      const rows = await tasksOf(db, listScope(actor, tenancyId))
        .selectAll('ota_task')
        .where((row) =>
          row.or([row('status', 'in', unfinishedStatuses), row('ota_task.ended_at', '>', Date.now() - 60_000)]),
        )
        .orderBy('task_id', 'desc')
        .limit(WATCHED_MAX)
        .execute();
      const updates = [];
      for (const row of rows)
        updates.push({
          taskId: row.task_id,
          taskStatus: row.status,
          stage: row.stage + 1,
          tally: await tallyOf(db, row),
        });
      return updates;
    },
  };
};
