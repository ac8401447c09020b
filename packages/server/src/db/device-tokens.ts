import type { Db } from './connect.ts';

/**
 * Ends the tokens of all devices of an application or a tenant, in one statement: there may be a million of them.
 * Decisions §4: a closed application or tenant ends its devices' tokens.
 */
export const endTokensOf = async (db: Db, whose: 'application_id' | 'tenancy_id', ids: string[]): Promise<void> => {
  await db
    .updateTable('device_session')
    .set({ ended: 1 })
    .where('ended', '=', 0)
    .where('device_id', 'in', db.selectFrom('device').select('device_id').where(whose, 'in', ids))
    .execute();
};
