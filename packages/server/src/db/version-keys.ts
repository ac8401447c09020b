import { versionSortKey, visibleText } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import { transact } from './errors.ts';

const LENGTH_MAX = 64;

/**
 * The version of a device, and the text by which lists sort it. A device may call its version anything, and lists,
 * tasks, exports and other hubs show it: so it is stored as it may be shown.
 */
export const versionColumns = (told: string) => {
  const versionNumber = visibleText(told).slice(0, LENGTH_MAX);
  return { version_number: versionNumber, version_key: versionSortKey(versionNumber) };
};

const FACT = 'version keys';
const VERSIONS_AT_ONCE = 200;

/** Once, for devices from before there were sort keys: which SQL cannot make. */
export const prepareVersionKeys = (db: Db): Promise<void> =>
  transact(db, async (db) => {
    const done = await db.selectFrom('hub_fact').select('fact_value').where('fact_name', '=', FACT).executeTakeFirst();
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
    await db.insertInto('hub_fact').values({ fact_name: FACT, fact_value: '1' }).execute();
  });
