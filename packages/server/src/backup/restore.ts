import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { folderOf } from '../platform/file-store/folder.ts';
import { KEY_FILE } from '../platform/secret-box.ts';
import type { KeepingSettings } from './backup.ts';
import { openBackupSource } from './backup-rows.ts';
import { FIRMWARE, filesIn, firmwareIn, unlessGone } from './firmware-files.ts';
import { placeKey, refuseOtherKey } from './key-file.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { openPostgresTarget } from './postgres-rows.ts';
import { BackupError, type Copied, copyRows, type RowTarget } from './rows.ts';
import { openSqliteTarget } from './sqlite-rows.ts';
import { copySummed, sumOf } from './summed-files.ts';

type Restore = { settings: KeepingSettings; folder: string; replace: boolean };

const verify = async (folder: string, { tables, files }: Manifest): Promise<void> => {
  for (const { file, bytes, sha256 } of [...tables, ...files]) {
    const found = await unlessGone(sumOf(join(folder, file)));
    if (!found) throw new BackupError(`the backup is damaged: ${file} is missing`);
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw new BackupError(`the backup is damaged: ${file} is not what was written`);
  }
};

const refuseFirmware = async ({ settings, replace }: Restore, manifest: Manifest): Promise<void> => {
  if (firmwareIn(manifest).length === 0) return;
  const place = folderOf(settings);
  if (place === undefined)
    throw new BackupError('the backup has firmware files, but FILE_STORE is no folder; restore into a folder first');
  if (!replace && (await filesIn(place)).length > 0)
    throw new BackupError(`${place} is not empty; --replace puts the backup's files into it`);
};

/** Beside what is there: files that nobody knows of harm nobody, and are swept. */
const restoreFirmware = async ({ settings, folder }: Restore, manifest: Manifest): Promise<void> => {
  const place = folderOf(settings) ?? '';
  for (const { file } of firmwareIn(manifest)) {
    const to = join(place, file.slice(FIRMWARE.length));
    await copySummed(join(folder, file), `${to}.restoring`);
    await rename(`${to}.restoring`, to);
  }
};

const openTarget = ({ settings, replace }: Restore): Promise<RowTarget> | RowTarget =>
  settings.DATABASE_URL
    ? openPostgresTarget(settings.DATABASE_URL, { replace })
    : openSqliteTarget(settings.DATA_DIR, { replace });

const hasKey = ({ files }: Manifest): boolean => files.some(({ file }) => file === KEY_FILE);

/** The rows last: until they are there nobody can tell that anything was done. */
const load = async (restoring: Restore, manifest: Manifest, target: RowTarget): Promise<Copied[]> => {
  const { settings, folder } = restoring;
  const copied = await copyRows(openBackupSource(folder, manifest), target);
  await restoreFirmware(restoring, manifest);
  const keyNeeded = hasKey(manifest) && settings.SECRET_KEY === undefined;
  const undo = keyNeeded ? placeKey(settings, join(folder, KEY_FILE)) : () => undefined;
  try {
    await target.finish();
  } catch (error) {
    undo();
    throw error;
  }
  return copied;
};

/** Into an empty place, or one that may be replaced; nothing is touched before the backup was found to be good. */
export const restore = async (restoring: Restore): Promise<{ copied: Copied[]; manifest: Manifest }> => {
  const { settings, folder, replace } = restoring;
  const manifest = await readManifest(folder);
  await verify(folder, manifest);
  refuseOtherKey(settings, manifest.keyCheck, hasKey(manifest), replace);
  await refuseFirmware(restoring, manifest);
  const target = await openTarget(restoring);
  try {
    return { copied: await load(restoring, manifest, target), manifest };
  } catch (error) {
    await target.abandon();
    throw error;
  }
};
