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
import { insertCompany, insertProducts, type CreatedProducts } from './rows.ts';
import { insertUpgrades } from './upgrades.ts';
import { yunling } from './yunling.ts';

const companies: Company[] = [yunling, harbor];

/** An account of the demonstration with the password that is shown this once. */
export type DemoAccount = { tenancyName: string; username: string; oneTimePassword: string };

type Made = { accounts: DemoAccount[]; fleets: Map<Company, PlannedDevice[]>; products: CreatedProducts };

const isSeeded = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('seed').select('seed_name').where('seed_name', '=', DEMO_SEED).executeTakeFirst()) !== undefined;

/** What was made ready before the transaction. */
type Ready = {
  passwords: Map<Company, string>;
  files: StoredFiles;
  sign: Awaited<ReturnType<ReturnType<typeof createSigner>['ready']>>;
};

const insertFirmware = async (
  db: Db,
  { company, creator, products }: { company: Company; creator: string; products: CreatedProducts },
  devices: PlannedDevice[],
  { files, sign }: Ready,
  now: number,
): Promise<void> => {
  const versions = await insertVersions(db, { company, creator, sign }, products, files, now);
  const versionFor = (product: string, versionNumber: string) =>
    [...versions].find(([release]) => release.product === product && release.versionNumber === versionNumber)?.[1];
  await insertUpgrades(db, { company, creator }, devices, versionFor, now);
};

const insertRows = async (db: Db, ready: Ready, secrets: SecretBox, now: number): Promise<Made> => {
  const made: Made = { accounts: [], fleets: new Map(), products: new Map() };
  for (const company of companies) {
    const oneTimePassword = ready.passwords.get(company) ?? '';
    const passwordHash = await hashPassword(oneTimePassword);
    const { tenancyName, username, applicationIds } = await insertCompany(db, company, passwordHash, now);
    const products = await insertProducts(db, { company, creator: username, applicationIds, secrets }, now);
    const devices = planFleet(company, now);
    await insertDevices(db, devices, products, secrets, now);
    await insertFirmware(db, { company, creator: username, products }, devices, ready, now);
    await insertSnapshots(db, company.tenancyId, devices, now);
    made.accounts.push({ tenancyName, username, oneTimePassword });
    made.fleets.set(company, devices);
    for (const [product, one] of products) made.products.set(product, one);
  }
  return made;
};

const writeRecords = async (
  settings: Settings,
  records: RecordDb,
  made: Made,
  now: number,
  onBatch: () => Promise<void>,
) => {
  const store = openRecordStore(settings);
  const tally = createTally();
  try {
    await writeHistory(store, [...made.fleets.values()].flat(), made.products, now, async (batch) => {
      tally.add(batch);
      await onBatch();
    });
  } finally {
    await store.close();
  }
  for (const [{ tenancyId }, devices] of made.fleets) await raiseCounters(records, tenancyId, devices, tally, now);
};

type Deps = { settings: Settings; db: Db; records: RecordDb; secrets: SecretBox; store: FileStore };

/**
 * All that people manage is one transaction, which is committed when the history is written: a demonstration is there
 * whole or not at all. Of a history whose rows never came the next one takes away what is left.
 */
const makeAll = async ({ settings, db, records, secrets }: Deps, files: StoredFiles): Promise<DemoAccount[]> => {
  const now = Date.now();
  await removeRecordsOf(
    db,
    records,
    companies.map(({ tenancyId }) => tenancyId),
  );
  const passwords = new Map(companies.map((company) => [company, newPassword()]));
  const sign = await createSigner({ db, secrets }).ready();
  return db.transaction().execute(async (db) => {
    const mine = await db
      .insertInto('seed')
      .values({ seed_name: DEMO_SEED, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!mine.numInsertedOrUpdatedRows) return [];
    const made = await insertRows(db, { passwords, files, sign }, secrets, now);
    // PostgreSQL gives a transaction up that is silent for long.
    const stayAwake = async (): Promise<void> => void (await isSeeded(db));
    await writeRecords(settings, records, made, now, stayAwake);
    // Before the commit: a fleet without its file would never come, a file without its fleet is refused.
    writeFleetFile(settings.DATA_DIR, [...made.fleets.values()].flat(), made.products);
    return made.accounts;
  });
};

const seed = async (deps: Deps): Promise<DemoAccount[]> => {
  const files = await storeFirmware(
    deps.store,
    companies.flatMap(({ releases }) => releases),
  );
  const drop = async (): Promise<void> => {
    for (const { fileId } of files.values()) await deps.store.remove(fileId);
  };
  try {
    const accounts = await makeAll(deps, files);
    // Somebody else was first: his files are others.
    if (accounts.length === 0) await drop();
    return accounts;
  } catch (error) {
    await drop();
    throw error;
  }
};

/** Two companies with their devices and a month of history, once. Answers their accounts when it has made them. */
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
