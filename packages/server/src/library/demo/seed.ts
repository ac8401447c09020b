import { connectBoth, type Db, type RecordDb } from '../../db/connect.ts';
import { createSigner } from '../../features/firmware/firmware.signer.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import { createFileStore } from '../../platform/file-store/open-store.ts';
import { newPassword } from '../../platform/ids.ts';
import { hashPassword } from '../../platform/passwords.ts';
import { createSecretBox, type SecretBox } from '../../platform/secret-box.ts';
import type { Settings } from '../../platform/settings.ts';
import { openRecordStore } from '../../records/store.ts';
import type { Company } from './company.ts';
import { createTally, raiseCounters } from './counters.ts';
import { insertDevices, insertSnapshots } from './device-rows.ts';
import { insertVersions, type StoredFiles, storeFirmware } from './firmware.ts';
import { removeFleetFile, writeFleetFile } from './fleet-file.ts';
import { harbor } from './harbor.ts';
import { writeHistory } from './history.ts';
import { type PlannedDevice, planFleet } from './plan.ts';
import { DEMO_SEED, removeRecordsOf } from './removal.ts';
import { type CreatedProducts, insertCompany, insertProducts } from './rows.ts';
import { insertUpgrades } from './upgrades.ts';
import { yunling } from './yunling.ts';

const companies: Company[] = [yunling, harbor];

/** A demonstration account with its one-time password, which is shown once. */
export type DemoAccount = { tenancyName: string; username: string; oneTimePassword: string };

type Created = { accounts: DemoAccount[]; fleets: Map<Company, PlannedDevice[]>; products: CreatedProducts };

const isSeeded = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('seed').select('seed_name').where('seed_name', '=', DEMO_SEED).executeTakeFirst()) !== undefined;

/** Values computed before the transaction. */
type Prepared = {
  passwords: Map<Company, string>;
  files: StoredFiles;
  sign: Awaited<ReturnType<ReturnType<typeof createSigner>['ready']>>;
};

const insertFirmware = async (
  db: Db,
  { company, creator, products }: { company: Company; creator: string; products: CreatedProducts },
  devices: PlannedDevice[],
  { files, sign }: Prepared,
  now: number,
): Promise<void> => {
  const versions = await insertVersions(db, { company, creator, sign }, products, files, now);
  const versionFor = (product: string, versionNumber: string) =>
    [...versions].find(([release]) => release.product === product && release.versionNumber === versionNumber)?.[1];
  await insertUpgrades(db, { company, creator }, devices, versionFor, now);
};

const insertRows = async (db: Db, prepared: Prepared, secrets: SecretBox, now: number): Promise<Created> => {
  const result: Created = { accounts: [], fleets: new Map(), products: new Map() };
  for (const company of companies) {
    const oneTimePassword = prepared.passwords.get(company) ?? '';
    const passwordHash = await hashPassword(oneTimePassword);
    const { tenancyName, username, applicationIds } = await insertCompany(db, company, passwordHash, now);
    const products = await insertProducts(db, { company, creator: username, applicationIds, secrets }, now);
    const devices = planFleet(company, now);
    await insertDevices(db, devices, products, secrets, now);
    await insertFirmware(db, { company, creator: username, products }, devices, prepared, now);
    await insertSnapshots(db, company.tenancyId, devices, now);
    result.accounts.push({ tenancyName, username, oneTimePassword });
    result.fleets.set(company, devices);
    for (const [product, one] of products) result.products.set(product, one);
  }
  return result;
};

const writeRecords = async (
  settings: Settings,
  records: RecordDb,
  result: Created,
  now: number,
  onBatch: () => Promise<void>,
) => {
  const store = openRecordStore(settings);
  const tally = createTally();
  try {
    await writeHistory(store, [...result.fleets.values()].flat(), result.products, now, async (batch) => {
      tally.add(batch);
      await onBatch();
    });
  } finally {
    await store.close();
  }
  for (const [{ tenancyId }, devices] of result.fleets) await raiseCounters(records, tenancyId, devices, tally, now);
};

type Deps = { settings: Settings; db: Db; records: RecordDb; secrets: SecretBox; store: FileStore };

/**
 * Inserts all hub rows in one transaction, which commits after the history is written: a demonstration is created
 * completely or not at all. History without rows is removed by the next attempt.
 */
const createAll = async ({ settings, db, records, secrets }: Deps, files: StoredFiles): Promise<DemoAccount[]> => {
  const now = Date.now();
  await removeRecordsOf(
    db,
    records,
    companies.map(({ tenancyId }) => tenancyId),
  );
  const passwords = new Map(companies.map((company) => [company, newPassword()]));
  const sign = await createSigner({ db, secrets }).ready();
  return db.transaction().execute(async (db) => {
    const inserted = await db
      .insertInto('seed')
      .values({ seed_name: DEMO_SEED, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!inserted.numInsertedOrUpdatedRows) return [];
    const result = await insertRows(db, { passwords, files, sign }, secrets, now);
    // Keeps the transaction from its idle time-out on PostgreSQL.
    const keepAlive = async (): Promise<void> => void (await isSeeded(db));
    await writeRecords(settings, records, result, now, keepAlive);
    // Before the commit: without the file the fleet would never start, while a file without rows only fails to log in.
    writeFleetFile(settings.DATA_DIR, [...result.fleets.values()].flat(), result.products);
    return result.accounts;
  });
};

const seed = async (deps: Deps): Promise<DemoAccount[]> => {
  const files = await storeFirmware(
    deps.store,
    companies.flatMap(({ releases }) => releases),
  );
  const removeFiles = async (): Promise<void> => {
    for (const { fileId } of files.values()) await deps.store.remove(fileId);
  };
  try {
    const accounts = await createAll(deps, files);
    // Another process created the demonstration, with its own files.
    if (accounts.length === 0) await removeFiles();
    return accounts;
  } catch (error) {
    await removeFiles();
    throw error;
  }
};

/** Creates two companies with devices and a month of history, once. Returns their accounts if it created them. */
export const seedDemo = async (settings: Settings, announce: () => void): Promise<DemoAccount[]> => {
  const { db, records } = connectBoth(settings);
  try {
    if (await isSeeded(db)) return [];
    announce();
    const store = await createFileStore(settings);
    return await seed({ settings, db, records, secrets: createSecretBox(settings), store });
  } catch (error) {
    removeFleetFile(settings.DATA_DIR);
    throw error;
  } finally {
    await db.destroy();
    await records.destroy();
  }
};
