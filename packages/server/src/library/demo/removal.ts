import { setTimeout as sleep } from 'node:timers/promises';
import { databaseTime } from '../../db/clock.ts';
import type { Db, RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { requestDisconnect } from '../../domain/device/instructions.ts';
import { removeDeviceRecords, removeDeviceRows } from '../../domain/device/removal.ts';
import { endTokensOf } from '../../domain/device/tokens.ts';
import { removeUsers } from '../../domain/user/users.ts';
import { removeCounters } from './removal-counters.ts';

/** Earlier versions used another name and other rows: those are not touched. */
export const DEMO_SEED = 'demonstration companies';

const DEVICES_PER_BATCH = 200;
const ROWS_PER_BATCH = 2_000;
const DISCONNECT_TIMEOUT_MS = 20_000;
const POLL_MS = 250;

const demoTenancies = async (db: Db): Promise<string[]> => {
  const rows = await db.selectFrom('tenancy').select('tenancy_id').where('demo', '=', 1).execute();
  return rows.map((row) => row.tenancy_id);
};

/** Disables the tenants, so that no user or device can log in, and requests disconnects. */
const disable = (db: Db, tenancyIds: string[]): Promise<void> =>
  transact(db, async (db) => {
    const disabled = { enabled: 0 as const, updated_at: Date.now() };
    await db.updateTable('tenancy').set(disabled).where('tenancy_id', 'in', tenancyIds).execute();
    await db.updateTable('application').set(disabled).where('tenancy_id', 'in', tenancyIds).execute();
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

/** While a hub runs, waits until its devices are disconnected before their rows are deleted. */
const waitForDisconnect = async (db: Db, tenancyIds: string[]): Promise<void> => {
  const end = Date.now() + DISCONNECT_TIMEOUT_MS;
  while (Date.now() < end && (await countOnline(db, tenancyIds)) > 0 && (await isHubRunning(db))) await sleep(POLL_MS);
};

const nextDevices = async (db: Db, tenancyIds: string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('device')
    .select('device_id')
    .where('tenancy_id', 'in', tenancyIds)
    .limit(DEVICES_PER_BATCH)
    .execute();
  return rows.map((row) => row.device_id);
};

const removeDevices = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<number> => {
  let removed = 0;
  for (;;) {
    const deviceIds = await nextDevices(db, tenancyIds);
    if (deviceIds.length === 0) return removed;
    await removeDeviceRecords(records, deviceIds);
    await transact(db, (db) => removeDeviceRows(db, deviceIds));
    // Records that arrived while the first ones were deleted.
    await removeDeviceRecords(records, deviceIds);
    removed += deviceIds.length;
  }
};

const removeConnectionEvents = async (records: RecordDb, tenancyIds: string[]): Promise<void> => {
  for (;;) {
    const chunk = records
      .selectFrom('connect_record')
      .select('record_id')
      .where('tenancy_id', 'in', tenancyIds)
      .limit(ROWS_PER_BATCH);
    const { numDeletedRows } = await records
      .deleteFrom('connect_record')
      .where('record_id', 'in', chunk)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return;
  }
};

/** Device ids with connection events of these tenants and without a row of any tenant. */
const unknownDevicesOf = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<string[]> => {
  const seen = await records
    .selectFrom('connect_record')
    .select('device_id')
    .distinct()
    .where('tenancy_id', 'in', tenancyIds)
    .execute();
  const unknownIds: string[] = [];
  for (let from = 0; from < seen.length; from += DEVICES_PER_BATCH) {
    const ids = seen.slice(from, from + DEVICES_PER_BATCH).map((row) => row.device_id);
    const known = await db.selectFrom('device').select('device_id').where('device_id', 'in', ids).execute();
    const isKnown = new Set(known.map((row) => row.device_id));
    unknownIds.push(...ids.filter((id) => !isKnown.has(id)));
  }
  return unknownIds;
};

/** Deletes what remains in the records of tenants after their devices are deleted. */
export const removeRecordsOf = async (db: Db, records: RecordDb, tenancyIds: string[]): Promise<void> => {
  const unknownIds = await unknownDevicesOf(db, records, tenancyIds);
  for (let from = 0; from < unknownIds.length; from += DEVICES_PER_BATCH)
    await removeDeviceRecords(records, unknownIds.slice(from, from + DEVICES_PER_BATCH));
  await removeConnectionEvents(records, tenancyIds);
  await removeCounters(records, tenancyIds);
};

export type Removed = { tenancies: string[]; devices: number; products: number; users: number };
type RemovedRows = Omit<Removed, 'devices'> & { fileIds: string[] };

/** Deletes the companies, in the order of foreign keys. */
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
  /** Called once the tenants are disabled. */
  onDisabled: () => void;
  /** Deletes files, after their rows. */
  removeBytes: (fileIds: string[]) => Promise<void>;
};

/** Removes the whole demonstration, from a running or stopped hub; does nothing if there is none. */
export const removeDemo = async ({ db, records, onDisabled, removeBytes }: Removal): Promise<Removed> => {
  const tenancyIds = await demoTenancies(db);
  if (tenancyIds.length > 0) await disable(db, tenancyIds);
  onDisabled();
  if (tenancyIds.length === 0) return { tenancies: [], devices: 0, products: 0, users: 0 };
  await waitForDisconnect(db, tenancyIds);
  const devices = await removeDevices(db, records, tenancyIds);
  await removeRecordsOf(db, records, tenancyIds);
  const { fileIds, ...removed } = await removeCompanies(db, tenancyIds);
  await removeBytes(fileIds);
  return { ...removed, devices };
};
