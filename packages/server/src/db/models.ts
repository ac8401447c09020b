import {
  compareModels,
  type KeptFunction,
  MODEL_VERSIONS_KEPT,
  type ModelDifference,
  type ModelFunction,
} from '@device-center/contract';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';
import { columnsOf, type StoredFunction } from './functions.ts';
import { countsOf } from './model-changes.ts';
import { storedJson } from './stored.ts';
import { markModelChanged } from './sync-flags.ts';

type Written = {
  productId: string;
  modelVersion: number;
  functions: StoredFunction[];
  difference: ModelDifference;
  restoredFrom?: number;
  creator: string;
};

/** Rows of a statement; both engines have a limit of parameters. */
const ROWS_AT_ONCE = 500;

const insertFunctions = async (db: Db, productId: string, functions: StoredFunction[]): Promise<void> => {
  for (let from = 0; from < functions.length; from += ROWS_AT_ONCE)
    await db
      .insertInto('product_function')
      .values(
        functions
          .slice(from, from + ROWS_AT_ONCE)
          .map((entry, index) => ({ product_id: productId, ...columnsOf(entry, from + index) })),
      )
      .execute();
};

/** Puts a model in the place of the present one, and keeps it as a version; the oldest beyond the last 20 goes. */
export const writeModel = async (db: Db, written: Written): Promise<void> => {
  const { productId, modelVersion, functions, difference, restoredFrom, creator } = written;
  const now = Date.now();
  await db.deleteFrom('product_function').where('product_id', '=', productId).execute();
  await insertFunctions(db, productId, functions);
  await db
    .insertInto('product_model_version')
    .values({
      product_id: productId,
      model_version: modelVersion,
      functions: JSON.stringify(functions),
      function_count: functions.length,
      ...countsOf(difference),
      restored_from: restoredFrom ?? null,
      creator,
      created_at: now,
    })
    .execute();
  await db
    .deleteFrom('product_model_version')
    .where('product_id', '=', productId)
    .where('model_version', '<=', modelVersion - MODEL_VERSIONS_KEPT)
    .execute();
  await db
    .updateTable('product')
    .set({ model_version: modelVersion, function_count: functions.length, updated_at: now })
    .where('product_id', '=', productId)
    .execute();
  await markModelChanged(db, productId);
};

export const firstModel = (functions: KeptFunction[]): ModelDifference => compareModels([], functions);

export const countDevices = async (db: Db, productId: string): Promise<number> => {
  const { devices } = await db
    .selectFrom('device')
    .select(({ fn }) => fn.countAll<number>().as('devices'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  return Number(devices);
};

/** One version that is kept; `field` is where the caller named it. */
export const readVersion = async (db: Db, productId: string, modelVersion: number, field = 'modelVersion') => {
  const row = await db
    .selectFrom('product_model_version')
    .selectAll()
    .where('product_id', '=', productId)
    .where('model_version', '=', modelVersion)
    .executeTakeFirst();
  if (!row) throw new AppError('MODEL_VERSION_NOT_FOUND', {}, field);
  const id = `${productId} ${modelVersion}`;
  return { row, functions: storedJson<(ModelFunction & { id: string })[]>(row.functions, 'product_model_version', id) };
};
