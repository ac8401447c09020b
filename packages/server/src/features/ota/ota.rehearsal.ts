import type { Input, Output, otaCalls } from '@device-center/contract';
import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { withAudit } from '../../db/with-audit.ts';
import { requestDisconnect, revokeTokens } from '../../domain/device/instructions.ts';
import { removeDeviceRecords, removeDeviceRows } from '../../domain/device/removal.ts';
import type { OtaTask } from '../../domain/ota/records.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { findTargetVersion, type OtaCreation, taskRowOf } from './ota.creation.ts';

type Calls = typeof otaCalls;
type RehearsalInput = Input<Calls['rehearseDeviceOtaTask']>;
type RehearsalDevice = { taskId: string; versionNumber: string; fault: string; online: boolean };
type Deps = {
  db: Db;
  /** Inserts mock devices within the caller's transaction. */
  insertRehearsalDevices: (db: Db, actor: Actor, productId: string, devices: RehearsalDevice[]) => Promise<string[]>;
  fill: OtaCreation['fill'];
};

/** The end time of a rehearsal, counted from its start. */
const DURATION_MS = 3_600_000;
const faultKinds = ['download', 'verification', 'install', 'silent', 'offline'] as const;

/** The requested faults, one per device; the remaining devices have none. */
const faultsOf = (input: RehearsalInput): string[] => {
  const faults = faultKinds.flatMap((fault) => Array.from({ length: input[fault] }, () => fault as string));
  return Array.from({ length: input.devices }, (_, index) => faults[index] ?? '');
};

const REMOVE_BATCH = 100;

/** Removes the mock devices of deleted rehearsals. */
export const removeRehearsalDevices = async (
  db: Db,
  records: RecordDb,
  notifyInstruction: () => void,
): Promise<void> => {
  const rows = await db
    .selectFrom('mock_device')
    .leftJoin('ota_task', 'ota_task.task_id', 'mock_device.rehearsal_task')
    .select('mock_device.device_id')
    .where('rehearsal_task', '<>', '')
    .where('ota_task.task_id', 'is', null)
    .limit(REMOVE_BATCH)
    .execute();
  if (rows.length === 0) return;
  const deviceIds = rows.map((row) => row.device_id);
  await transact(db, async (db) => {
    await revokeTokens(db, deviceIds);
    await requestDisconnect(db, 'device', deviceIds, 'deleted');
  });
  notifyInstruction();
  await removeDeviceRecords(records, deviceIds);
  await transact(db, (db) => removeDeviceRows(db, deviceIds));
};

/** Runs the rollout of a task on mock devices created for it, so that an operator sees how it proceeds. */
export const createOtaRehearsal = ({ db, insertRehearsalDevices, fill }: Deps) => ({
  async rehearseDeviceOtaTask(
    context: Context,
    input: RehearsalInput,
  ): Promise<Output<Calls['rehearseDeviceOtaTask']>> {
    const version = await findTargetVersion(db, context.actor, input.deviceVersionId);
    const now = Date.now();
    const description = {
      taskName: input.taskName,
      taskRank: 1,
      creator: context.actor.username,
      appId: '',
      rehearsal: 1 as const,
    };
    const schedule = {
      task_type: 1 as const,
      cron: '',
      timezone: 'Etc/UTC',
      start_at: now,
      end_at: now + DURATION_MS,
      execute_now: 1 as const,
    };
    const task = taskRowOf(version, description, schedule, input, now) as OtaTask;
    const devices = faultsOf(input).map((fault) => ({
      taskId: task.task_id,
      versionNumber: input.fromVersion,
      fault: fault === 'offline' ? '' : fault,
      online: fault !== 'offline',
    }));
    const deviceIds = await withAudit(db, context, async (db) => {
      await db.insertInto('ota_task').values(task).execute();
      const ids = await insertRehearsalDevices(db, context.actor, version.product_id, devices);
      const after = { taskName: input.taskName, devices: ids.length, rehearsal: 1 };
      const audit = { tenancyId: task.tenancy_id, targetId: task.task_id, targetName: task.task_name, after };
      return { result: ids, audit };
    });
    return { taskId: await fill(context, task, deviceIds), deviceCount: deviceIds.length };
  },
});
