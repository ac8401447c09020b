import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderOf } from '../platform/file-store/folder.ts';
import { KEY_FILE } from '../platform/secret-box.ts';
import type { Settings } from '../platform/settings.ts';
import { iso } from '../platform/time.ts';
import { VERSION } from '../platform/version.ts';
import { createBackupTarget } from './backup-rows.ts';
import { FIRMWARE, filesIn, ignoreMissing } from './firmware-files.ts';
import { keyCheckOf, keyFileOf } from './key-file.ts';
import { type FilePart, writeManifest } from './manifest.ts';
import { openPostgresSource } from './postgres-rows.ts';
import { BackupError, type Copied, copyRows, type RowSource } from './rows.ts';
import { openSqliteSource } from './sqlite-rows.ts';
import { copyWithChecksum } from './summed-files.ts';

export type BackupSettings = Pick<Settings, 'DATABASE_URL' | 'DATA_DIR' | 'SECRET_KEY' | 'FILE_STORE'>;

/** Runs after the snapshot of the rows, so it finds every file they name, unless one has been deleted since. */
const copyFirmware = async (from: string, folder: string): Promise<FilePart[]> => {
  const parts: FilePart[] = [];
  for (const name of await filesIn(from)) {
    const file = `${FIRMWARE}${name}`;
    const sum = await ignoreMissing(copyWithChecksum(join(from, name), join(folder, file)));
    if (sum) parts.push({ file, ...sum });
  }
  return parts;
};

export type BackedUp = { copied: Copied[]; keyIncluded: boolean; firmwareFiles: number | undefined };

const writeBackup = async (settings: BackupSettings, source: RowSource, folder: string): Promise<BackedUp> => {
  const createdAt = iso(Date.now());
  const keyCheck = keyCheckOf(settings);
  if (keyCheck === undefined) throw new BackupError(`no key found: neither SECRET_KEY nor ${keyFileOf(settings)}`);
  const { target, tables, migrations } = createBackupTarget(folder);
  const copied = await copyRows(source, target);
  // An open SQLite snapshot keeps the WAL growing, so close it before the files are copied.
  await source.close();
  const files: FilePart[] = [];
  const keyIncluded = settings.SECRET_KEY === undefined;
  if (keyIncluded)
    files.push({ file: KEY_FILE, ...(await copyWithChecksum(keyFileOf(settings), join(folder, KEY_FILE))) });
  const firmware = folderOf(settings);
  const firmwareParts = firmware === undefined ? [] : await copyFirmware(firmware, folder);
  const engine = settings.DATABASE_URL ? 'postgres' : 'sqlite';
  await writeManifest(folder, {
    version: VERSION,
    madeAt: createdAt,
    engine,
    migrations,
    tables,
    files: [...files, ...firmwareParts],
    keyCheck,
  });
  return { copied, keyIncluded, firmwareFiles: firmware === undefined ? undefined : firmwareParts.length };
};

const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};

/** Backs up a running or stopped hub into a new folder. The folder gets its name once the backup is complete. */
export const backUp = async (settings: BackupSettings, folder: string): Promise<BackedUp> => {
  if (existsSync(folder)) throw new BackupError(`${folder} already exists`);
  const draft = `${folder}.partial`;
  const source = settings.DATABASE_URL
    ? await openPostgresSource(settings.DATABASE_URL)
    : openSqliteSource(settings.DATA_DIR, { exclusive: false });
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const result = await writeBackup(settings, source, draft);
    await rename(draft, folder);
    await flushFolder(dirname(folder));
    return result;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await source.close();
  }
};
