import { type SqlBool, sql } from 'kysely';
import type { Db } from './connect.ts';

/**
 * Mock devices that were made for the rehearsal of an upgrade are no part of the fleet. They are few, and their ids are
 * read from a small table: what counts a million devices by an index counts these away, and looks at no row for it.
 */
const REHEARSED = sql`(select mock_device.device_id from mock_device where mock_device.rehearsal_task <> '')`;

/** Asked first, since there are nearly never any. */
export const hasRehearsed = async (db: Db): Promise<boolean> => {
  const rows = db.selectFrom('mock_device').select('device_id').where('rehearsal_task', '<>', '');
  return (await rows.limit(1).executeTakeFirst()) !== undefined;
};

export const isRehearsed = sql<SqlBool>`device.device_id in ${REHEARSED}`;

/** Unless it is asked for by one of these ids. */
export const isOfFleet = (askedFor: string[]) =>
  askedFor.length === 0
    ? sql<SqlBool>`device.device_id not in ${REHEARSED}`
    : sql<SqlBool>`(device.device_id in (${sql.join(askedFor)}) or device.device_id not in ${REHEARSED})`;
