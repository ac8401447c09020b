import { bareFunction, type CopiedOrWhole, type Language, type ModelFunction } from '@device-center/contract';
import type { Actor, Context } from '../platform/actor.ts';
import { AppError } from '../platform/app-error.ts';
import type { Db } from './connect.ts';
import { openFunctionIn, type StoredFunction } from './functions.ts';
import { PLATFORM } from './platform-ids.ts';

export type CategoryWords = { categoryName: string; description: string };

/** Built-in categories have a second language; all others are as people wrote them. */
export const categoryWordsIn = (
  language: Language,
  row: { category_name: string; description: string; english: string | null },
): CategoryWords =>
  language === 'en_US' && row.english
    ? (JSON.parse(row.english) as CategoryWords)
    : { categoryName: row.category_name, description: row.description };

export const isStandard = (row: { tenancy_id: string }): 0 | 1 => (row.tenancy_id === PLATFORM.tenancyId ? 1 : 0);

/** Whose categories a caller sees: its own tenant's and the standard ones; null means everybody's. */
export const categoryTenancies = (actor: Actor): string[] | null =>
  actor.platform ? null : [actor.tenancyId, PLATFORM.tenancyId];

/** A category that things of this tenant may be made from, held until they are. */
export const holdUsableCategory = async (db: Db, tenancyId: string, categoryId: string): Promise<void> => {
  const { numUpdatedRows } = await db
    .updateTable('category')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('category_id', '=', categoryId)
    .where('tenancy_id', 'in', [tenancyId, PLATFORM.tenancyId])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError('CATEGORY_NOT_FOUND', {}, 'categoryId');
};

/** Open functions that the caller may copy, by id; one that is not there, or not to be seen, is refused at its place. */
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

/** The items of a bulk call as whole functions. */
export const wholeFunctions = async (
  db: Db,
  { actor, language }: Pick<Context, 'actor' | 'language'>,
  items: CopiedOrWhole[],
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
