import { bareFunction, type FunctionOrReference, type Language, type ModelFunction } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { openFunctionIn, type StoredFunction } from '../model/functions.ts';
import { PLATFORM } from '../tenant/platform-ids.ts';

export type CategoryText = { categoryName: string; description: string };

/** Built-in categories have an English version; all others have the text that users entered. */
export const categoryTextIn = (
  language: Language,
  row: { category_name: string; description: string; english: string | null },
): CategoryText =>
  language === 'en_US' && row.english
    ? (JSON.parse(row.english) as CategoryText)
    : { categoryName: row.category_name, description: row.description };

export const isStandard = (row: { tenancy_id: string }): 0 | 1 => (row.tenancy_id === PLATFORM.tenancyId ? 1 : 0);

/** Tenants whose categories the caller sees: its own and the platform's (standard categories); null means all. */
export const categoryTenancies = (actor: Actor): string[] | null =>
  actor.platform ? null : [actor.tenancyId, PLATFORM.tenancyId];

/** Checks that this tenant may use the category, and locks its row until the transaction ends. */
export const lockUsableCategory = async (db: Db, tenancyId: string, categoryId: string): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('category')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('category_id', '=', categoryId)
    .where('tenancy_id', 'in', [tenancyId, PLATFORM.tenancyId])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('CATEGORY_NOT_FOUND', {}, 'categoryId');
};

/** Category functions that the caller may copy, by id. Missing or foreign ids are absent. */
export const findOpenFunctions = async (
  db: Db,
  actor: Actor,
  language: Language,
  ids: string[],
): Promise<Map<string, StoredFunction>> => {
  if (ids.length === 0) return new Map();
  const tenancies = categoryTenancies(actor);
  let rows = db
    .selectFrom('open_function')
    .innerJoin('category', 'category.category_id', 'open_function.category_id')
    .selectAll('open_function')
    .where('open_function.function_id', 'in', [...new Set(ids)]);
  if (tenancies) rows = rows.where('category.tenancy_id', 'in', tenancies);
  const found = (await rows.execute()).map((row) => openFunctionIn(language, row));
  return new Map(found.map((entry) => [entry.id, entry]));
};

/** Replaces the items that name a category function by a copy of that function. */
export const resolveFunctions = async (
  db: Db,
  { actor, language }: Pick<Context, 'actor' | 'language'>,
  items: FunctionOrReference[],
): Promise<ModelFunction[]> => {
  const ids = items.flatMap((item) => ('signCode' in item ? [] : [item.id]));
  const open = await findOpenFunctions(db, actor, language, ids);
  return items.map((item, index) => {
    if ('signCode' in item) return item;
    const found = open.get(item.id);
    if (!found) throw new AppError('FUNCTION_NOT_FOUND', {}, `functions[${index}].id`);
    return bareFunction(found);
  });
};
