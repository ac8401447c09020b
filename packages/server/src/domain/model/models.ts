import {
  compareModels,
  type FunctionWithId,
  MODEL_VERSIONS_KEPT,
  type ModelDifference,
  type ModelFunction,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { storedJson } from '../../db/stored.ts';
import { AppError } from '../../platform/app-error.ts';
import { markModelChanged } from '../sync/flags.ts';
import { countsOf } from './changes.ts';
import { columnsOf, type StoredFunction } from './functions.ts';

type NewModelVersion = {
  productId: string;
  modelVersion: number;
  functions: StoredFunction[];
  difference: ModelDifference;
  restoredFrom?: number;
  creator: string;
};

/** Rows per statement; both engines limit the number of parameters. */
const ROWS_PER_INSERT = 500;

const insertFunctions = async (db: Db, productId: string, functions: StoredFunction[]): Promise<void> => {
  for (let from = 0; from < functions.length; from += ROWS_PER_INSERT)
    await db
      .insertInto('product_function')
      .values(
        functions
          .slice(from, from + ROWS_PER_INSERT)
          .map((entry, index) => ({ product_id: productId, ...columnsOf(entry, from + index) })),
      )
      .execute();
};

/** Replaces the model of a product and stores it as a new version; versions beyond the last 20 are deleted. */
export const writeModel = async (db: Db, next: NewModelVersion): Promise<void> => {
  const { productId, modelVersion, functions, difference, restoredFrom, creator } = next;
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

export const initialModelDifference = (functions: FunctionWithId[]): ModelDifference => compareModels([], functions);

export const countProductDevices = async (db: Db, productId: string): Promise<number> => {
  const { devices } = await db
    .selectFrom('device')
    .select(({ fn }) => fn.countAll<number>().as('devices'))
    .where('product_id', '=', productId)
    .executeTakeFirstOrThrow();
  return Number(devices);
};

/** Reads a stored version; `field` is the input field for the error. */
export const readModelVersion = async (db: Db, productId: string, modelVersion: number, field = 'modelVersion') => {
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
