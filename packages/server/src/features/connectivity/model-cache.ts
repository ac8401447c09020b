import type { ModelFunction } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { productFunctionsOf } from '../../domain/model/functions.ts';
import type { Log } from '../../platform/log.ts';

export type Model = { version: number; functions: Map<string, ModelFunction> };

const NONE: Model = { version: 0, functions: new Map() };
const BATCH_SIZE = 500;

/** Caches the function models of connected products; a job checks them for changes. */
export const createModelCache = (db: Db, log: Log, changed: (productId: string) => void) => {
  const cache = new Map<string, Model>();

  const load = async (productId: string): Promise<void> => {
    const product = await db
      .selectFrom('product')
      .select('model_version')
      .where('product_id', '=', productId)
      .executeTakeFirst();
    const functions = await productFunctionsOf(db, productId);
    cache.set(productId, {
      version: product?.model_version ?? 0,
      functions: new Map(functions.map((entry) => [entry.signCode, entry])),
    });
  };

  return {
    /** Loads the model before the product's first device connects, so that reading a message is synchronous. */
    async prepare(productId: string): Promise<void> {
      if (!cache.has(productId)) await load(productId);
    },
    of: (productId: string): Model => cache.get(productId) ?? NONE,
    async checkForChanges(): Promise<void> {
      const productIds = [...cache.keys()];
      for (let from = 0; from < productIds.length; from += BATCH_SIZE) {
        const rows = await db
          .selectFrom('product')
          .select(['product_id', 'model_version'])
          .where('product_id', 'in', productIds.slice(from, from + BATCH_SIZE))
          .execute();
        for (const { product_id, model_version } of rows) {
          if (cache.get(product_id)?.version === model_version) continue;
          try {
            await load(product_id);
            changed(product_id);
          } catch (error) {
            // The product keeps its previous model; the other products must not be affected.
            log.error({ err: error, productId: product_id }, 'model reload failed');
          }
        }
      }
    },
  };
};

export type ModelCache = ReturnType<typeof createModelCache>;
