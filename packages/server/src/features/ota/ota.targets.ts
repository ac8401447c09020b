import { type Expression, type SqlBool, sql } from 'kysely';
import { deletingApplications } from '../../db/applications.ts';
import type { Db } from '../../db/connect.ts';
import type { OtaTask } from '../../db/ota-records.ts';
import { isOfFleet } from '../../db/rehearsed-devices.ts';
import { storedJson } from '../../db/stored.ts';

/** Whom a task means: by what they run, or one by one; of one application or of all. */
export type TargetSelector = {
  productId: string;
  appId: string;
  /** Nothing where devices were chosen. */
  versions?: string[];
  deviceIds?: string[];
};

const PIECE = 5_000;

/** The devices meant, bare. */
export const selectMeant = async (db: Db, meant: TargetSelector) => {
  let rows = db.selectFrom('device').where('device.product_id', '=', meant.productId);
  if (meant.appId !== '') rows = rows.where('device.application_id', '=', meant.appId);
  // The mock devices of a rehearsal are meant only by whoever chooses them.
  if (meant.versions) rows = rows.where('device.version_number', 'in', meant.versions).where(isOfFleet([]));
  if (meant.deviceIds) rows = rows.where('device.device_id', 'in', meant.deviceIds);
  const hidden = await deletingApplications(db);
  return hidden.length === 0 ? rows : rows.where('device.application_id', 'not in', hidden);
};

/** A number for each new record, of which nobody else has any. */
const takeNumbers = async (db: Db, count: number): Promise<number> => {
  const { rows } = await sql<{ next_no: number }>`
    update ota_sequence set next_no = next_no + ${count} where one = 1 returning next_no`.execute(db);
  return Number(rows[0]?.next_no ?? 0) - count;
};

type Joining = Pick<OtaTask, 'task_id'>;
/** The records that were written together. */
export type Numbers = { after: number; upTo: number };

/** Scattered, so that the first few percent are from everywhere and not the oldest. */
export const scattered = (recordNo: Expression<number>) => sql<number>`((${recordNo}) * 48271) % 65537 + 1`;

const insertRecords = async (
  db: Db,
  { task_id }: Joining,
  count: number,
  condition: Expression<SqlBool>,
  now: number,
): Promise<Numbers> => {
  const first = await takeNumbers(db, count);
  const recordNo = sql<number>`${sql.lit(first)} + row_number() over (order by device.device_id)`;
  await sql`
    insert into ota_device (record_no, task_id, tenancy_id, device_id, registration_no, status, reason, detail, attempt,
      tries, place, due_at, command_id, deadline, percent, stage, from_version, told_at, reported_at, ended_at, created_at)
    select ${recordNo}, ${task_id}, device.tenancy_id, device.device_id, device.registration_no, 0, 0, '', 0, 0,
      ${scattered(recordNo)}, 0, 0, 0, 0, 0, device.version_number, 0, 0, 0, ${sql.lit(now)}
    from device where ${condition}`.execute(db);
  return { after: first, upTo: first + count };
};

/** In pieces, so that nobody waits long for the database. */
export const piecesOf = (deviceIds: string[]): string[][] =>
  Array.from({ length: Math.ceil(deviceIds.length / PIECE) }, (_, index) =>
    deviceIds.slice(index * PIECE, (index + 1) * PIECE),
  );

export const insertPiece = (db: Db, task: Joining, deviceIds: string[], now: number): Promise<Numbers> =>
  insertRecords(db, task, deviceIds.length, sql<SqlBool>`device.device_id in (${sql.join(deviceIds)})`, now);

export const meantBy = (
  task: Pick<OtaTask, 'task_id' | 'product_id' | 'app_id' | 'from_versions'>,
): TargetSelector => ({
  productId: task.product_id,
  appId: task.app_id,
  versions: storedJson<string[]>(task.from_versions || '[]', 'ota_task', task.task_id),
});

/** New devices that a polling task's condition means since the last run. */
export const addNewTargets = async (db: Db, task: OtaTask, now: number): Promise<void> => {
  const meant = await selectMeant(db, meantBy(task));
  const fresh = await meant
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
  for (const piece of piecesOf(fresh.map((row) => row.device_id))) await insertPiece(db, task, piece, now);
};
