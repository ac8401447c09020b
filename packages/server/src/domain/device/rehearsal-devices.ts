import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/connect.ts';

/**
 * Mock devices created for the rehearsal of an upgrade are not part of the fleet. They are few and listed in a small
 * table, so an index count of a million devices subtracts them without scanning rows.
 */
const REHEARSED = sql`(select mock_device.device_id from mock_device where mock_device.rehearsal_task <> '')`;

/** Queried first: there are rarely any. */
export const hasRehearsed = async (db: Db): Promise<boolean> => {
  const rows = db.selectFrom('mock_device').select('device_id').where('rehearsal_task', '<>', '');
  return (await rows.limit(1).executeTakeFirst()) !== undefined;
};

export const isRehearsed = sql<SqlBool>`device.device_id in ${REHEARSED}`;

/** Includes a rehearsal device only if the filter names one of these ids, its device or gateway. */
export const isOfFleet = (includedIds: string[]) =>
  includedIds.length === 0
    ? sql<SqlBool>`device.device_id not in ${REHEARSED}`
    : sql<SqlBool>`(device.device_id in (${sql.join(includedIds)}) or device.device_id not in ${REHEARSED})`;
