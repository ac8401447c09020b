import { type Expression, type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { deletingApplications } from '../../domain/application/applications.ts';
import { isOfFleet } from '../../domain/device/rehearsal-devices.ts';
import type { OtaTask } from '../../domain/ota/records.ts';

/** Selects the target devices of a task: by the version they run or by ID, in one application or in all. */
export type TargetSelector = {
  productId: string;
  appId: string;
  /** Missing where devices are selected by ID. */
  versions?: string[];
  deviceIds?: string[];
};

const CHUNK_SIZE = 5_000;

/** A query of the target devices, without columns. */
export const selectTargets = async (db: Db, selector: TargetSelector) => {
  let rows = db.selectFrom('device').where('device.product_id', '=', selector.productId);
  if (selector.appId !== '') rows = rows.where('device.application_id', '=', selector.appId);
  // The mock devices of a rehearsal are targets only where they are selected by ID.
  if (selector.versions) rows = rows.where('device.version_number', 'in', selector.versions).where(isOfFleet([]));
  if (selector.deviceIds) rows = rows.where('device.device_id', 'in', selector.deviceIds);
  const hidden = await deletingApplications(db);
  return hidden.length === 0 ? rows : rows.where('device.application_id', 'not in', hidden);
};

/** Allocates `count` record numbers and returns the one before the first. */
const allocateRecordNos = async (db: Db, count: number): Promise<number> => {
  const { rows } = await sql<{ next_no: number }>`
    update ota_sequence set next_no = next_no + ${count} where one = 1 returning next_no`.execute(db);
  return Number(rows[0]?.next_no ?? 0) - count;
};

type TaskKey = Pick<OtaTask, 'task_id'>;
/** The numbers of records that were inserted together. */
export type RecordRange = { after: number; upTo: number };

/** A pseudo-random queue position, so that the first stages do not consist of the oldest devices only. */
export const shuffledPosition = (recordNo: Expression<number>) => sql<number>`((${recordNo}) * 48271) % 65537 + 1`;

const insertRecords = async (
  db: Db,
  { task_id }: TaskKey,
  count: number,
  condition: Expression<SqlBool>,
  now: number,
): Promise<RecordRange> => {
  const first = await allocateRecordNos(db, count);
  const recordNo = sql<number>`${sql.lit(first)} + row_number() over (order by device.device_id)`;
  await sql`
    insert into ota_device (record_no, task_id, tenancy_id, device_id, registration_no, status, reason, detail, attempt,
      tries, place, due_at, command_id, deadline, percent, stage, from_version, told_at, reported_at, ended_at, created_at)
    select ${recordNo}, ${task_id}, device.tenancy_id, device.device_id, device.registration_no, 0, 0, '', 0, 0,
      ${shuffledPosition(recordNo)}, 0, 0, 0, 0, 0, device.version_number, 0, 0, 0, ${sql.lit(now)}
    from device where ${condition}`.execute(db);
  return { after: first, upTo: first + count };
};

/** Chunks, so that no transaction blocks other writers for long. */
export const chunksOf = (deviceIds: string[]): string[][] =>
  Array.from({ length: Math.ceil(deviceIds.length / CHUNK_SIZE) }, (_, index) =>
    deviceIds.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );

export const insertChunk = (db: Db, task: TaskKey, deviceIds: string[], now: number): Promise<RecordRange> =>
  insertRecords(db, task, deviceIds.length, sql<SqlBool>`device.device_id in (${sql.join(deviceIds)})`, now);

export const selectorOf = (
  task: Pick<OtaTask, 'task_id' | 'product_id' | 'app_id' | 'from_versions'>,
): TargetSelector => ({
  productId: task.product_id,
  appId: task.app_id,
  versions: storedJson<string[]>(task.from_versions || '[]', 'ota_task', task.task_id),
});

/** Adds the devices that match a polling task's condition since its last run. */
export const addNewTargets = async (db: Db, task: OtaTask, now: number): Promise<void> => {
  const targets = await selectTargets(db, selectorOf(task));
  const added = await targets
    .select('device.device_id')
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('ota_device')
            .select('record_no')
            .whereRef('ota_device.device_id', '=', 'device.device_id')
            .whereRef('ota_device.registration_no', '=', 'device.registration_no')
            .where('ota_device.task_id', '=', task.task_id),
        ),
      ),
    )
    .orderBy('device.device_id')
    .execute();
  for (const chunk of chunksOf(added.map((row) => row.device_id))) await insertChunk(db, task, chunk, now);
};
