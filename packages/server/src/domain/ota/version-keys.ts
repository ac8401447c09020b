import { versionSortKey, visibleText } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';

const LENGTH_MAX = 64;

/**
 * The columns of a device's version: the text and its sort key. A device may report any text, and lists, tasks, exports
 * and other hubs show it, so invisible characters are removed and the length is limited.
 */
export const versionColumns = (reported: string) => {
  const versionNumber = visibleText(reported).slice(0, LENGTH_MAX);
  return { version_number: versionNumber, version_key: versionSortKey(versionNumber) };
};

const METADATA_NAME = 'version keys';
const VERSIONS_AT_ONCE = 200;

/** Computes the missing sort keys, once, for devices stored before keys existed: SQL cannot. */
export const prepareVersionKeys = (db: Db): Promise<void> =>
  transact(db, async (db) => {
    const done = await db
      .selectFrom('hub_fact')
      .select('fact_value')
      .where('fact_name', '=', METADATA_NAME)
      .executeTakeFirst();
    if (done) return;
    const rows = await db
      .selectFrom('device')
      .select('version_number')
      .distinct()
      .where('version_number', '<>', '')
      .execute();
    const versions = rows.map((row) => row.version_number);
    for (let from = 0; from < versions.length; from += VERSIONS_AT_ONCE) {
      const some = versions.slice(from, from + VERSIONS_AT_ONCE);
      const cases = some.map((version) => sql`when ${version} then ${versionSortKey(version)}`);
      await sql`update device set version_key = case version_number ${sql.join(cases, sql` `)} else version_key end
        where version_number in (${sql.join(some)})`.execute(db);
    }
    await db.insertInto('hub_fact').values({ fact_name: METADATA_NAME, fact_value: '1' }).execute();
  });
