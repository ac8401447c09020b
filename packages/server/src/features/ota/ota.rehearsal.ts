import type { Input, Output, otaCalls } from '@device-center/contract';
import { change } from '../../db/change.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { requestDisconnect, revokeTokens } from '../../db/device-instructions.ts';
import { removeDeviceRecords, removeDeviceRows } from '../../db/device-removal.ts';
import { transact } from '../../db/errors.ts';
import type { OtaTask } from '../../db/ota-records.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { findTarget, type OtaCreation, taskRowOf } from './ota.creation.ts';

type Calls = typeof otaCalls;
type Asked = Input<Calls['rehearseDeviceOtaTask']>;
type Rehearsed = { taskId: string; versionNumber: string; fault: string; online: boolean };
type Deps = {
  db: Db;
  /** Makes mock devices, in a transaction of ours. */
  insertRehearsed: (db: Db, actor: Actor, productId: string, devices: Rehearsed[]) => Promise<string[]>;
  fill: OtaCreation['fill'];
};

/** A rehearsal is over by then, whatever happens. */
const LENGTH_MS = 3_600_000;
const faultKinds = ['download', 'verification', 'install', 'silent', 'offline'] as const;

/** The faults asked for, one a device; the rest have none. */
const faultsOf = (asked: Asked): string[] => {
  const faults = faultKinds.flatMap((fault) => Array.from({ length: asked[fault] }, () => fault as string));
  return Array.from({ length: asked.devices }, (_, place) => faults[place] ?? '');
};

const REMOVED_AT_ONCE = 100;

/** Mock devices of rehearsals that were deleted go too. */
export const removeRehearsed = async (db: Db, records: RecordDb, cutHint: () => void): Promise<void> => {
  const rows = await db
    .selectFrom('mock_device')
    .leftJoin('ota_task', 'ota_task.task_id', 'mock_device.rehearsal_task')
    .select('mock_device.device_id')
    .where('rehearsal_task', '<>', '')
    .where('ota_task.task_id', 'is', null)
    .limit(REMOVED_AT_ONCE)
    .execute();
  if (rows.length === 0) return;
  const deviceIds = rows.map((row) => row.device_id);
  await transact(db, async (db) => {
    await revokeTokens(db, deviceIds);
    await requestDisconnect(db, 'device', deviceIds, 'deleted');
  });
  cutHint();
  await removeDeviceRecords(records, deviceIds);
  await transact(db, (db) => removeDeviceRows(db, deviceIds));
};

/** The same task on mock devices made for it, so that an operator sees what would happen. */
export const createOtaRehearsal = ({ db, insertRehearsed, fill }: Deps) => ({
  async rehearseDeviceOtaTask(context: Context, asked: Asked): Promise<Output<Calls['rehearseDeviceOtaTask']>> {
    const version = await findTarget(db, context.actor, asked.deviceVersionId);
    const now = Date.now();
    const who = {
      taskName: asked.taskName,
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
      end_at: now + LENGTH_MS,
      execute_now: 1 as const,
    };
    const task = taskRowOf(version, who, schedule, asked, now) as OtaTask;
    const devices = faultsOf(asked).map((fault) => ({
      taskId: task.task_id,
      versionNumber: asked.fromVersion,
      fault: fault === 'offline' ? '' : fault,
      online: fault !== 'offline',
    }));
    const deviceIds = await change(db, context, async (db) => {
      await db.insertInto('ota_task').values(task).execute();
      const ids = await insertRehearsed(db, context.actor, version.product_id, devices);
      const after = { taskName: asked.taskName, devices: ids.length, rehearsal: 1 };
      const audit = { tenancyId: task.tenancy_id, targetId: task.task_id, targetName: task.task_name, after };
      return { result: ids, audit };
    });
    return { taskId: await fill(context, task, deviceIds), deviceCount: deviceIds.length };
  },
});
