import { setTimeout as pause } from 'node:timers/promises';
import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { requestDisconnect } from '../../db/device-instructions.ts';
import { removeDeviceRecords, removeDeviceRows } from '../../db/device-removal.ts';
import { endTokensOf } from '../../db/device-tokens.ts';
import { transact } from '../../db/errors.ts';
import { removeUsers } from '../../db/users.ts';
import { removeCounters } from './removal-counters.ts';

/** An earlier version left another name, and other things, behind: those are not touched. */
export const DEMO_SEED = 'demonstration companies';

const DEVICES_AT_ONCE = 200;
const ROWS_AT_ONCE = 2_000;
const CUT_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 250;

const presentOf = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('tenancy').select('tenancy_id').where('demo', '=', 1).execute();
  return rows.map((row) => row.tenancy_id);
};

/** Nobody comes in any more, and whoever is in is cut by the device side. */
const close = (db: Db, tenancyIds: string[]): Promise<void> =>
  transact(db, async (db) => {
    const closed = { enabled: 0 as const, updated_at: Date.now() };
    await db.updateTable('tenancy').set(closed).where('tenancy_id', 'in', tenancyIds).execute();
    await db.updateTable('application').set(closed).where('tenancy_id', 'in', tenancyIds).execute();
    const users = db.selectFrom('user_account').select('user_id').where('tenancy_id', 'in', tenancyIds);
    await db.deleteFrom('session').where('user_id', 'in', users).execute();
    await endTokensOf(db, 'tenancy_id', tenancyIds);
    await requestDisconnect(db, 'tenancy', tenancyIds, 'tenancyClosed');
  });

const isHubRunning = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('hub_instance')
    .select('hub_no')
    .where('lease_until', '>', databaseTime(db))
    .executeTakeFirst()) !== undefined;

const countOnline = async (db: Db, tenancyIds: string[]): Promise<number> => {
  const { n } = await db
    .selectFrom('device')
    .select((row) => row.fn.countAll<number>().as('n'))
    .where('tenancy_id', 'in', tenancyIds)
    .where('online', '=', 1)
    .executeTakeFirstOrThrow();
  return Number(n);
};

/** While a hub runs, its devices are gone before their rows are; a stopped one has nobody connected. */
const untilCut = async (db: Db, tenancyIds: string[]): Promise<void> => {
  const end = Date.now() + CUT_WITHIN_MS;
  while (Date.now() < end && (await countOnline(db, tenancyIds)) > 0 && (await isHubRunning(db)))
    await pause(LOOK_EVERY_MS);
};

const someDevices = async (db: Db, tenancyIds: string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('device')
    .select('device_id')
    .where('tenancy_id', 'in', tenancyIds)
    .limit(DEVICES_AT_ONCE)
    .execute();
  return rows.map((row) => row.device_id);
};

const removeDevices = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<number> => {
  let removed = 0;
  for (;;) {
    const deviceIds = await someDevices(db, tenancyIds);
    if (deviceIds.length === 0) return removed;
    await removeDeviceRecords(records, deviceIds);
    await transact(db, (db) => removeDeviceRows(db, deviceIds));
    // What arrived while the first pieces went.
    await removeDeviceRecords(records, deviceIds);
    removed += deviceIds.length;
  }
};

const removeConnects = async (records: RecordDb, tenancyIds: string[]): Promise<void> => {
  for (;;) {
    const some = records
      .selectFrom('connect_record')
      .select('record_id')
      .where('tenancy_id', 'in', tenancyIds)
      .limit(ROWS_AT_ONCE);
    const { numDeletedRows } = await records
      .deleteFrom('connect_record')
      .where('record_id', 'in', some)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
};

/** Ids that knocked at the companies' doors, or had a history there, and have no row: but not those of anybody else. */
const strangersOf = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<string[]> => {
  const seen = await records
    .selectFrom('connect_record')
    .select('device_id')
    .distinct()
    .where('tenancy_id', 'in', tenancyIds)
    .execute();
  const strangers: string[] = [];
  for (let from = 0; from < seen.length; from += DEVICES_AT_ONCE) {
    const ids = seen.slice(from, from + DEVICES_AT_ONCE).map((row) => row.device_id);
    const known = await db.selectFrom('device').select('device_id').where('device_id', 'in', ids).execute();
    const isKnown = new Set(known.map((row) => row.device_id));
    strangers.push(...ids.filter((id) => !isKnown.has(id)));
  }
  return strangers;
};

/** What the records still hold of tenants once their devices are gone. */
export const removeRecordsOf = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<void> => {
  const strangers = await strangersOf(db, records, tenancyIds);
  for (let from = 0; from < strangers.length; from += DEVICES_AT_ONCE)
    await removeDeviceRecords(records, strangers.slice(from, from + DEVICES_AT_ONCE));
  await removeConnects(records, tenancyIds);
  await removeCounters(records, tenancyIds);
};

export type Removed = { tenancies: string[]; devices: number; products: number; users: number };
type RemovedRows = Omit<Removed, 'devices'> & { fileIds: string[] };

/** The companies themselves, in the order in which one row needs another. */
const removeCompanies = (db: Db, tenancyIds: string[]): Promise<RemovedRows> =>
  transact(db, async (db) => {
    const users = await db.selectFrom('user_account').select('user_id').where('tenancy_id', 'in', tenancyIds).execute();
    if (users.length > 0)
      await removeUsers(
        db,
        users.map((row) => row.user_id),
      );
    // Upgrade tasks and versions go with their products.
    const products = await db.deleteFrom('product').where('tenancy_id', 'in', tenancyIds).executeTakeFirst();
    const files = await db
      .deleteFrom('firmware_file')
      .where('tenancy_id', 'in', tenancyIds)
      .returning('file_id')
      .execute();
    for (const table of ['category', 'role', 'application', 'picture', 'fleet_snapshot'] as const)
      await db.deleteFrom(table).where('tenancy_id', 'in', tenancyIds).execute();
    const tenancies = await db
      .deleteFrom('tenancy')
      .where('tenancy_id', 'in', tenancyIds)
      .returning('tenancy_name')
      .execute();
    await db.deleteFrom('seed').where('seed_name', '=', DEMO_SEED).execute();
    return {
      tenancies: tenancies.map((row) => row.tenancy_name),
      products: Number(products.numDeletedRows),
      users: users.length,
      fileIds: files.map((row) => row.file_id),
    };
  });

type Removal = {
  db: Db;
  records: RecordDb;
  /** Nobody comes in any more. */
  onClosed: () => void;
  /** Bytes go after the rows that told of them. */
  removeBytes: (fileIds: string[]) => Promise<void>;
};

/** The demonstration whole, on a running hub or a stopped one; without one it changes nothing. */
export const removeDemo = async ({ db, records, onClosed, removeBytes }: Removal): Promise<Removed> => {
  const tenancyIds = await presentOf(db);
  if (tenancyIds.length > 0) await close(db, tenancyIds);
  onClosed();
  if (tenancyIds.length === 0) return { tenancies: [], devices: 0, products: 0, users: 0 };
  await untilCut(db, tenancyIds);
  const devices = await removeDevices(db, records, tenancyIds);
  await removeRecordsOf(db, records, tenancyIds);
  const { fileIds, ...removed } = await removeCompanies(db, tenancyIds);
  await removeBytes(fileIds);
  return { ...removed, devices };
};
