import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf } from '../platform/file-store/folder.ts';
import { KEY_FILE } from '../platform/secret-box.ts';
import type { BackupSettings } from './backup.ts';
import { openBackupSource } from './backup-rows.ts';
import { FIRMWARE, filesIn, firmwareIn, ignoreMissing } from './firmware-files.ts';
import { assertSameKey, installKey } from './key-file.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { openPostgresTarget } from './postgres-rows.ts';
import { BackupError, type Copied, copyRows, type RowTarget } from './rows.ts';
import { openSqliteTarget } from './sqlite-rows.ts';
import { copyWithChecksum, readChecksum } from './summed-files.ts';

type RestoreOptions = { settings: BackupSettings; folder: string; replace: boolean };

const verify = async (folder: string, { tables, files }: Manifest): Promise<void> => {
  for (const { file, bytes, sha256 } of [...tables, ...files]) {
    const found = await ignoreMissing(readChecksum(join(folder, file)));
    if (!found) throw new BackupError(`the backup is corrupted: ${file} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`the backup is corrupted: ${file} does not match its checksum`);
  }
};

const assertFirmwareRestorable = async ({ settings, replace }: RestoreOptions, manifest: Manifest): Promise<void> => {
  if (firmwareIn(manifest).length === 0) return;
  const storeFolder = folderOf(settings);
  if (storeFolder === undefined)
    throw new BackupError(
      'the backup contains firmware files, but FILE_STORE is not a folder; restore into a folder first',
    );
  if (!replace && (await filesIn(storeFolder)).length > 0)
    throw new BackupError(`${storeFolder} is not empty; --replace adds the files of the backup to it`);
};

/** Keeps files that are already there: those that no row names are swept later. */
const restoreFirmware = async ({ settings, folder }: RestoreOptions, manifest: Manifest): Promise<void> => {
  const storeFolder = folderOf(settings) ?? '';
  for (const { file } of firmwareIn(manifest)) {
    const to = join(storeFolder, file.slice(FIRMWARE.length));
    await copyWithChecksum(join(folder, file), `${to}.restoring`);
    await rename(`${to}.restoring`, to);
  }
};

const openTarget = ({ settings, replace }: RestoreOptions): Promise<RowTarget> | RowTarget =>
  settings.DATABASE_URL
    ? openPostgresTarget(settings.DATABASE_URL, { replace })
    : openSqliteTarget(settings.DATA_DIR, { replace });

const hasKey = ({ files }: Manifest): boolean => files.some(({ file }) => file === KEY_FILE);

/** Commits the rows last: until then the restore has no visible effect. */
const load = async (options: RestoreOptions, manifest: Manifest, target: RowTarget): Promise<Copied[]> => {
  const { settings, folder } = options;
  const copied = await copyRows(openBackupSource(folder, manifest), target);
  await restoreFirmware(options, manifest);
  const installsKey = hasKey(manifest) && settings.SECRET_KEY === undefined;
  const undo = installsKey ? installKey(settings, join(folder, KEY_FILE)) : () => undefined;
  try {
    await target.finish();
  } catch (error) {
    undo();
    throw error;
  }
  return copied;
};

/**
 * Restores into an empty data folder or database, or with `replace` over an existing one. Changes nothing before the
 * backup has been verified.
 */
export const restore = async (options: RestoreOptions): Promise<{ copied: Copied[]; manifest: Manifest }> => {
  const { settings, folder, replace } = options;
  const manifest = await readManifest(folder);
  await verify(folder, manifest);
  assertSameKey(settings, manifest.keyCheck, hasKey(manifest), replace);
  await assertFirmwareRestorable(options, manifest);
  const target = await openTarget(options);
  try {
    return { copied: await load(options, manifest, target), manifest };
  } catch (error) {
    await target.abandon();
    throw error;
  }
};
