import { compareVersions, type Input, type otaCalls, type TaskPreview, TaskType } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { readPage } from '../../db/paging.ts';
import type { Context } from '../../platform/actor.ts';
import { iso } from '../../platform/time.ts';
import { findTarget, requireApplication, selectorFromInput } from './ota.creation.ts';
import { nextRunsOf, scheduleOf } from './ota.schedule.ts';
import { piecesOf, selectMeant } from './ota.targets.ts';

type Calls = typeof otaCalls;

const RUNS_SHOWN = 5;

/** Exactly whom a task would mean, and what stands in its way. */
export const createOtaPreview = ({ db }: { db: Db }) => {
  const heldBy = async (rank: number, deviceIds: string[]) => {
    const found = new Map<string, { taskId: string; taskName: string; taskRank: number; devices: number }>();
    for (const piece of piecesOf(deviceIds)) {
      const rows = await db
        .selectFrom('ota_hold')
        .innerJoin('ota_task', 'ota_task.task_id', 'ota_hold.task_id')
        .innerJoin('device', (join) =>
          join
            .onRef('device.device_id', '=', 'ota_hold.device_id')
            .onRef('device.registration_no', '=', 'ota_hold.registration_no'),
        )
        .select((row) => ['ota_hold.task_id', 'task_name', 'ota_hold.task_rank', row.fn.countAll<number>().as('n')])
        .where('ota_hold.device_id', 'in', piece)
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
    const stronger = all.filter(({ taskRank }) => taskRank >= rank);
    return { held: sum(stronger), heldBy: stronger, takenOver: sum(all) - sum(stronger) };
  };

  return {
    async previewDeviceOtaTask({ actor }: Context, asked: Input<Calls['previewDeviceOtaTask']>): Promise<TaskPreview> {
      const version = await findTarget(db, actor, asked.deviceVersionId);
      await requireApplication(db, version, asked.appId);
      const meant = selectorFromInput(asked, version);
      const time = Date.now();
      const rows = await selectMeant(db, meant);
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
      const page = await readPage(db, { rows: shown, ...order }, { ...asked, sortMode: 1 });
      const where = (fits: (version: string) => boolean): number =>
        counted.reduce((sum, row) => (fits(row.version_number) ? sum + Number(row.n) : sum), 0);
      const target = version.version_number;
      return {
        total: ids.length,
        online: counted.reduce((sum, row) => sum + Number(row.online), 0),
        already: where((number) => number === target),
        newer: where((number) => number !== '' && compareVersions(number, target) > 0),
        ...(await heldBy(asked.taskRank, ids)),
        unknown: (meant.deviceIds ?? []).filter((deviceId) => !known.has(deviceId)),
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
          asked.taskType === TaskType.polling && (asked.executeNow === 1 || asked.taskStart !== undefined)
            ? nextRunsOf(scheduleOf(asked, time), time, RUNS_SHOWN).map((at) => iso(at))
            : [],
      };
    },
  };
};
