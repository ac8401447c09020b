import { fork } from 'node:child_process';
import { compareClocks } from '../db/clock.ts';
import type { Db } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import { prepareSearch } from '../domain/device/search.ts';
import { prepareTotals } from '../domain/device/totals.ts';
import { prepareVersionKeys } from '../domain/ota/version-keys.ts';
import { PLATFORM } from '../domain/tenant/platform-ids.ts';
import type { DemoAccount } from '../library/demo/seed.ts';
import { seedLibrary } from '../library/seed.ts';
import { prepareFileStore } from '../platform/file-store/folder.ts';
import { programUrl } from '../platform/locations.ts';
import type { Log } from '../platform/log.ts';
import { protectDataFolder } from '../platform/private-files.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { type Settings, SettingsError } from '../platform/settings.ts';
import { weakSecrets } from '../platform/weak-secrets.ts';
import { firstBoot, isInstalled } from './first-boot.ts';
import { verifySecretKey } from './key-fingerprint.ts';
import { verifySharedFolder } from './shared-folder.ts';
import { withStartupLock } from './startup-lock.ts';

type PrepareOptions = {
  /** Used after the migrations, and stays open. */
  db: Db;
  log: Log;
  /** Accounts are created at a first start only; their one-time passwords are shown nowhere else. */
  showAccount: (username: string, oneTimePassword: string, note: string) => void;
  /** Adds the demonstration, once. */
  withDemo?: boolean;
};

/** Weak secrets: an existing installation must keep them and gets a warning; a new one fails to start. */
const verifySecrets = async (settings: Settings, db: Db, log: Log): Promise<void> => {
  const weak = weakSecrets(settings, PLATFORM.username);
  if (weak.length > 0 && !(await isInstalled(db))) throw new SettingsError(weak[0]);
  await verifySecretKey(db, createSecretBox(settings));
  for (const secret of weak) log.warn({ weak: secret }, 'weak secret');
};

const prepareDatabase = async (settings: Settings, { db, log, showAccount }: PrepareOptions): Promise<void> => {
  await compareClocks(db, log);
  await prepareSearch(db);
  await prepareTotals(db);
  await prepareVersionKeys(db);
  await verifySecrets(settings, db, log);
  if (settings.PROCESSES !== 'device') {
    prepareFileStore(settings);
    await verifySharedFolder(db, settings);
  }
  const account = await firstBoot(db, settings);
  // Shown at once, not with the ready line: it is shown nowhere else, and a later step may fail.
  if (account?.oneTimePassword)
    showAccount(account.username, account.oneTimePassword, 'you will be asked to change it');
  await seedLibrary(db);
};

/** Runs in a separate process: the memory for a month of history is released with it. */
const prepareDemo = (): Promise<DemoAccount[]> =>
  new Promise((resolve, reject) => {
    const child = fork(programUrl('library/demo/process.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', (accounts: DemoAccount[]) => resolve(accounts));
    child.once('exit', () => reject(new Error('creating the demonstration failed, see above')));
  });

/** Brings a database up to this version and gives a new one its first account and the standard categories. */
export const prepareInstallation = (settings: Settings, options: PrepareOptions): Promise<void> => {
  protectDataFolder(settings.DATA_DIR, options.log);
  return withStartupLock(settings, async () => {
    const migrations = await migrate(settings);
    if (migrations.length > 0) options.log.info({ migrations }, 'database migrated');
    await prepareDatabase(settings, options);
    const demoAccounts = options.withDemo ? await prepareDemo() : [];
    for (const { tenancyName, username, oneTimePassword } of demoAccounts)
      options.showAccount(username, oneTimePassword, tenancyName);
  });
};
