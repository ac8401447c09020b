import type { Db } from '../db/connect.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { SettingsError } from '../platform/settings.ts';

const METADATA_NAME = 'fingerprint of SECRET_KEY';

/**
 * All hubs of an installation must use the same SECRET_KEY, and so must a hub whose data folder was lost. The first
 * start stores the key's fingerprint; a hub with another key fails to start before it does harm.
 */
export const verifySecretKey = async (db: Db, secrets: SecretBox): Promise<void> => {
  const fact_value = secrets.keyFor(METADATA_NAME).toString('hex');
  await db
    .insertInto('hub_fact')
    .values({ fact_name: METADATA_NAME, fact_value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const first = await db
    .selectFrom('hub_fact')
    .select('fact_value')
    .where('fact_name', '=', METADATA_NAME)
    .executeTakeFirstOrThrow();
  if (first.fact_value !== fact_value)
    throw new SettingsError(
      'SECRET_KEY: this database was created with another key; give every hub the SECRET_KEY of the first one, or the content of its DATA_DIR/secret.key',
    );
};
