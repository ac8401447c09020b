import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from '../platform/file-store/folder.ts';
import { type Settings, SettingsError } from '../platform/settings.ts';
import { databaseTime } from './clock.ts';
import type { Db } from './connect.ts';

const FACT = 'folder of FILE_STORE';
const MARK = '.installation';

const readMark = (folder: string): string | undefined => {
  try {
    return readFileSync(join(folder, MARK), 'utf8').trim();
  } catch {
    return undefined;
  }
};

const isAlone = async (db: Db): Promise<boolean> => {
  const other = await db
    .selectFrom('hub_instance')
    .select('hub_no')
    .where('lease_until', '>', databaseTime(db))
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
};

const markAnew = async (db: Db, folder: string): Promise<void> => {
  const fact_value = readMark(folder) ?? randomUUID();
  writeFileSync(join(folder, MARK), fact_value);
  await db
    .insertInto('hub_fact')
    .values({ fact_name: FACT, fact_value })
    .onConflict((conflict) => conflict.column('fact_name').doUpdateSet({ fact_value }))
    .execute();
};

/**
 * With several hubs firmware lies where all of them find it. The folder carries a mark that the database knows; a hub
 * that comes to others with another folder is told so, before files of theirs seem lost to it. One that is alone may
 * have moved or lost its folder, and goes on with what it has.
 */
export const holdToSharedFolder = async (db: Db, settings: Settings): Promise<void> => {
  const folder = folderOf(settings);
  if (!settings.DATABASE_URL || folder === undefined) return;
  const known = await db.selectFrom('hub_fact').select('fact_value').where('fact_name', '=', FACT).executeTakeFirst();
  if (known && known.fact_value === readMark(folder)) return;
  if (known && !(await isAlone(db)))
    throw new SettingsError(
      `FILE_STORE: ${folder} is not the folder that the other hubs use; give all of them the same one, or s3://…`,
    );
  await markAnew(db, folder);
};
