import type { Db } from '../../db/connect.ts';
import { newId } from '../../platform/ids.ts';

/** The id by which brokers and other installations know this one; created on first use. */
export const installationIdOf = async (db: Db): Promise<string> => {
  const values = { installation_no: 1, installation_id: newId(), created_at: Date.now() };
  await db
    .insertInto('installation')
    .values(values)
    .onConflict((row) => row.column('installation_no').doNothing())
    .execute();
  const row = await db.selectFrom('installation').select('installation_id').executeTakeFirstOrThrow();
  return row.installation_id;
};
