import type { ModelFunction } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { productFunctionsOf } from '../../db/functions.ts';
import type { Log } from '../../platform/log.ts';

export type Model = { version: number; functions: Map<string, ModelFunction> };

const NONE: Model = { version: 0, functions: new Map() };
const AT_ONCE = 500;

/** The models of the products whose devices are here, looked at for changes every second. */
export const createModels = (db: Db, log: Log, changed: (productId: string) => void) => {
  const known = new Map<string, Model>();

  const load = async (productId: string): Promise<void> => {
    const product = await db
      .selectFrom('product')
      .select('model_version')
      .where('product_id', '=', productId)
      .executeTakeFirst();
    const functions = await productFunctionsOf(db, productId);
    known.set(productId, {
      version: product?.model_version ?? 0,
      functions: new Map(functions.map((entry) => [entry.signCode, entry])),
    });
  };

  return {
    /** Before its first device comes in, so that judging a message waits for nothing. */
    async prepare(productId: string): Promise<void> {
      if (!known.has(productId)) await load(productId);
    },
    of: (productId: string): Model => known.get(productId) ?? NONE,
    async checkForChanges(): Promise<void> {
      const productIds = [...known.keys()];
      for (let from = 0; from < productIds.length; from += AT_ONCE) {
        const rows = await db
          .selectFrom('product')
          .select(['product_id', 'model_version'])
          .where('product_id', 'in', productIds.slice(from, from + AT_ONCE))
          .execute();
        for (const { product_id, model_version } of rows) {
          if (known.get(product_id)?.version === model_version) continue;
          try {
            await load(product_id);
            changed(product_id);
          } catch (error) {
            // Its devices go on with the model that is known; the others' must not wait for it.
            log.error({ err: error, productId: product_id }, 'a changed model cannot be read');
          }
        }
      }
    },
  };
};

export type Models = ReturnType<typeof createModels>;
