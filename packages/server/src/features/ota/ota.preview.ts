import { compareVersions, type Input, type otaCalls, type TaskPreview, TaskType } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readPage } from '../../db/paging.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { findTargetVersion, requireApplication, selectorFromInput } from './ota.creation.ts';
import { nextRunsOf, scheduleOf } from './ota.schedule.ts';
import { chunksOf, selectTargets } from './ota.targets.ts';

type Calls = typeof otaCalls;

const RUNS_SHOWN = 5;

/** The devices that a task would target, and the tasks that reserve some of them. */
export const createOtaPreview = ({ db }: { db: Db }) => {
  const reservedBy = async (rank: number, deviceIds: string[]) => {
    const found = new Map<string, { taskId: string; taskName: string; taskRank: number; devices: number }>();
    for (const chunk of chunksOf(deviceIds)) {
      const rows = await db
        .selectFrom('ota_hold')
        .innerJoin('ota_task', 'ota_task.task_id', 'ota_hold.task_id')
        .innerJoin('device', (join) =>
          join
            .onRef('device.device_id', '=', 'ota_hold.device_id')
            .onRef('device.registration_no', '=', 'ota_hold.registration_no'),
        )
        .select((row) => ['ota_hold.task_id', 'task_name', 'ota_hold.task_rank', row.fn.countAll<number>().as('n')])
        .where('ota_hold.device_id', 'in', chunk)
        .groupBy(['ota_hold.task_id', 'task_name', 'ota_hold.task_rank'])
        .execute();
      for (const row of rows) {
        const before = found.get(row.task_id)?.devices ?? 0;
        found.set(row.task_id, {
          taskId: row.task_id,
          taskName: row.task_name,
          taskRank: row.task_rank,
          devices: before + Number(row.n),
        });
      }
    }
    const all = [...found.values()];
    const sum = (tasks: typeof all): number => tasks.reduce((total, { devices }) => total + devices, 0);
    const preempting = all.filter(({ taskRank }) => taskRank >= rank);
    return { held: sum(preempting), heldBy: preempting, takenOver: sum(all) - sum(preempting) };
  };

  return {
    async previewDeviceOtaTask({ actor }: Context, input: Input<Calls['previewDeviceOtaTask']>): Promise<TaskPreview> {
      const version = await findTargetVersion(db, actor, input.deviceVersionId);
      await requireApplication(db, version, input.appId);
      const selector = selectorFromInput(input, version);
      const time = Date.now();
      const rows = await selectTargets(db, selector);
      const counted = await rows
        .select((row) => [
          'device.version_number',
          row.fn.countAll<number>().as('n'),
          sql<number>`sum(case when device.online = 1 then 1 else 0 end)`.as('online'),
        ])
        .groupBy('device.version_number')
        .execute();
      const ids = (await rows.select('device.device_id').orderBy('device.device_id').execute()).map(
        (row) => row.device_id,
      );
      const known = new Set(ids);
      const order = { createdAt: 'device.created_at', unique: 'device.device_id' };
      const shown = rows.select(['device.device_id', 'device.device_name', 'device.version_number', 'device.online']);
      const page = await readPage(db, { rows: shown, ...order }, { ...input, sortMode: 1 });
      const countVersions = (matches: (version: string) => boolean): number =>
        counted.reduce((sum, row) => (matches(row.version_number) ? sum + Number(row.n) : sum), 0);
      const target = version.version_number;
      return {
        total: ids.length,
        online: counted.reduce((sum, row) => sum + Number(row.online), 0),
        already: countVersions((number) => number === target),
        newer: countVersions((number) => number !== '' && compareVersions(number, target) > 0),
        ...(await reservedBy(input.taskRank, ids)),
        unknown: (selector.deviceIds ?? []).filter((deviceId) => !known.has(deviceId)),
        byVersion: counted
          .map((row) => ({ versionNumber: row.version_number, devices: Number(row.n) }))
          .sort((one, other) => other.devices - one.devices),
        devices: {
          ...page,
          list: page.list.map((row) => ({
            deviceId: row.device_id,
            deviceName: row.device_name,
            versionNumber: row.version_number,
            online: row.online,
          })),
        },
        nextTimes:
          input.taskType === TaskType.polling && (input.executeNow === 1 || input.taskStart !== undefined)
            ? nextRunsOf(scheduleOf(input, time), time, RUNS_SHOWN).map((at) => iso(at))
            : [],
      };
    },
  };
};
