import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseTime } from '../db/clock.ts';
import type { Db } from '../db/connect.ts';
import { folderOf } from '../platform/file-store/folder.ts';
import { type Settings, SettingsError } from '../platform/settings.ts';

const METADATA_NAME = 'folder of FILE_STORE';
const MARK_FILE = '.installation';

const readMark = (folder: string): string | undefined => {
  try {
    return readFileSync(join(folder, MARK_FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
};

const isOnlyHub = async (db: Db): Promise<boolean> => {
  const other = await db
    .selectFrom('hub_instance')
    .select('hub_no')
    .where('lease_until', '>', databaseTime(db))
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
};

const writeMark = async (db: Db, folder: string): Promise<void> => {
  const fact_value = readMark(folder) ?? randomUUID();
  writeFileSync(join(folder, MARK_FILE), fact_value);
  await db
    .insertInto('hub_fact')
    .values({ fact_name: METADATA_NAME, fact_value })
    .onConflict((conflict) => conflict.column('fact_name').doUpdateSet({ fact_value }))
    .execute();
};

/**
 * With several hubs, FILE_STORE must be a folder that all of them share. The folder contains a mark that the database
 * knows; a hub with another folder fails to start beside others, before their files seem lost to it. A hub without
 * others may have moved or lost its folder, and marks the present one.
 */
export const verifySharedFolder = async (db: Db, settings: Settings): Promise<void> => {
  const folder = folderOf(settings);
  if (!settings.DATABASE_URL || folder === undefined) return;
  const known = await db
    .selectFrom('hub_fact')
    .select('fact_value')
    .where('fact_name', '=', METADATA_NAME)
    .executeTakeFirst();
  if (known && known.fact_value === readMark(folder)) return;
  if (known && !(await isOnlyHub(db)))
    throw new SettingsError(
      `FILE_STORE: ${folder} is not the folder that the other hubs use; set the same folder on all of them, or s3://…`,
    );
  await writeMark(db, folder);
};
