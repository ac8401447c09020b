import type { SecretBox } from '../platform/secret-box.ts';
import { SettingsError } from '../platform/settings.ts';
import type { Db } from './connect.ts';

const FACT = 'fingerprint of SECRET_KEY';

/**
 * What one hub has encrypted or signed every other must be able to read, and so must the same one after its data folder
 * was lost. The first start writes down which key it is; whoever comes with another is told so before it does harm.
 */
export const verifySecretKey = async (db: Db, secrets: SecretBox): Promise<void> => {
  const fact_value = secrets.keyFor(FACT).toString('hex');
  await db
    .insertInto('hub_fact')
    .values({ fact_name: FACT, fact_value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const first = await db
    .selectFrom('hub_fact')
    .select('fact_value')
    .where('fact_name', '=', FACT)
    .executeTakeFirstOrThrow();
  if (first.fact_value !== fact_value)
    throw new SettingsError(
      'SECRET_KEY: this database was made with another key; give every hub the SECRET_KEY of the first one, or what its DATA_DIR/secret.key holds',
    );
};
