import {
  CATEGORY_FUNCTIONS_MAX,
  type categoryCalls,
  compareModels,
  type Input,
  type Output,
} from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import type { OpenFunctionTable } from '../../db/hub-tables.ts';
import { withAudit } from '../../db/with-audit.ts';
import { categoryTextIn, resolveFunctions } from '../../domain/category/categories.ts';
import { auditOfModels, isUnchanged } from '../../domain/model/changes.ts';
import {
  appended,
  columnsOf,
  openFunctionIn,
  openFunctionsOf,
  replaced,
  type StoredFunction,
  singleSignCodeField,
  withIds,
  without,
} from '../../domain/model/functions.ts';
import { checkFunction } from '../../http/check-function.ts';
import type { Actor, Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { iso } from '../../platform/time.ts';
import { assertEditable, auditOf, findCategory, lockCategories } from './category.queries.ts';

type Calls = typeof categoryCalls;

type Row = Selectable<OpenFunctionTable>;

export const insertOpenFunctions = async (
  db: Db,
  categoryId: string,
  functions: StoredFunction[],
  /** Unchanged rows, by id. */
  unchanged: ReadonlyMap<string, Row> = new Map(),
): Promise<void> => {
  const now = Date.now();
  const rows = functions.map((entry, index) => ({
    category_id: categoryId,
    ...columnsOf(entry, index),
    search_key: foldCase(`${entry.signCode} ${entry.functionName}`),
    english: null,
    created_at: now,
    updated_at: now,
    ...unchanged.get(entry.id),
    sort_order: index,
  }));
  if (rows.length > 0) await db.insertInto('open_function').values(rows).execute();
};

const isSame = (one: StoredFunction | undefined, other: StoredFunction): boolean =>
  one !== undefined && compareModels([one], [other]).changes.length === 0;

export const createCategoryFunctions = ({ db }: { db: Db }) => {
  /** Replaces the functions of a category; unchanged ones keep their translation and times. */
  const replaceFunctions = async (db: Db, categoryId: string, before: StoredFunction[], after: StoredFunction[]) => {
    const rows = await db.selectFrom('open_function').selectAll().where('category_id', '=', categoryId).execute();
    const unchangedIds = new Set(
      after
        .filter((entry) =>
          isSame(
            before.find(({ id }) => id === entry.id),
            entry,
          ),
        )
        .map(({ id }) => id),
    );
    const unchanged = new Map(
      rows.filter((row) => unchangedIds.has(row.function_id)).map((row) => [row.function_id, row]),
    );
    await db.deleteFrom('open_function').where('category_id', '=', categoryId).execute();
    await insertOpenFunctions(db, categoryId, after, unchanged);
  };

  const changeFunctions = (
    context: Context,
    categoryId: string,
    basedOn: number | undefined,
    edit: (present: StoredFunction[], db: Db) => Promise<StoredFunction[]> | StoredFunction[],
  ): Promise<{ modelVersion: number; functions: StoredFunction[] }> =>
    withAudit(db, context, async (db) => {
      await lockCategories(db, [categoryId]);
      const row = await findCategory(db, context.actor, categoryId);
      assertEditable(context.actor, row);
      const from = row.model_version;
      if (basedOn !== undefined && basedOn !== from)
        throw new AppError('MODEL_CHANGED', { modelVersion: from }, 'modelVersion');
      const before = await openFunctionsOf(db, categoryId, context.language);
      const after = await edit(before, db);
      if (isUnchanged(compareModels(before, after)))
        return { result: { modelVersion: from, functions: before }, audit: [] };
      await replaceFunctions(db, categoryId, before, after);
      const to = from + 1;
      await db
        .updateTable('category')
        .set({ model_version: to, updated_at: Date.now() })
        .where('category_id', '=', categoryId)
        .execute();
      const audit = { ...auditOf(row), ...auditOfModels(before, after, { from, to }) };
      return { result: { modelVersion: to, functions: after }, audit };
    });

  /** The category of a function, if the caller may see it. */
  const ownerOf = async (actor: Actor, id: string, expectedId?: string): Promise<string> => {
    const row = await db
      .selectFrom('open_function')
      .select('category_id')
      .where('function_id', '=', id)
      .executeTakeFirst();
    if (!row || (expectedId !== undefined && expectedId !== row.category_id))
      throw new AppError('FUNCTION_NOT_FOUND', {}, 'id');
    await findCategory(db, actor, row.category_id).catch(() => {
      throw new AppError('FUNCTION_NOT_FOUND', {}, 'id');
    });
    return row.category_id;
  };

  return {
    async getOpenFunctions(
      { actor, language }: Context,
      input: Input<Calls['getOpenFunctions']>,
    ): Promise<Output<Calls['getOpenFunctions']>> {
      const category = await findCategory(db, actor, input.categoryId);
      const { categoryName } = categoryTextIn(language, category);
      const { categoryId, pageIndex, pageSize, searchValue, functionType } = input;
      let rows = db.selectFrom('open_function').selectAll().where('category_id', '=', categoryId);
      if (functionType !== undefined) rows = rows.where('function_type', '=', functionType);
      if (searchValue) rows = rows.where(contains('search_key', searchValue));
      // A category has at most 200 functions, so all are read and the page is cut from them.
      const all = await rows.orderBy('sort_order').orderBy('function_id').execute();
      const list = all.slice((pageIndex - 1) * pageSize, pageIndex * pageSize).map((row) => ({
        ...openFunctionIn(language, row),
        categoryId,
        categoryName,
        createTime: iso(row.created_at),
        updateTime: iso(row.updated_at),
      }));
      return { pageIndex, pageSize, total: all.length, list };
    },

    async addOpenFunctions(context: Context, { categoryId, functions }: Input<Calls['addOpenFunctions']>) {
      const changed = await changeFunctions(context, categoryId, undefined, async (present, db) =>
        appended(present, await resolveFunctions(db, context, functions), { max: CATEGORY_FUNCTIONS_MAX }),
      );
      const ids = changed.functions.slice(-functions.length).map(({ id }) => id);
      return { modelVersion: changed.modelVersion, ids };
    },

    async addOpenFunction(context: Context, input: Input<Calls['addOpenFunction']>) {
      const { categoryId, categoryName: _shown, ...entry } = input;
      checkFunction(context.language, entry);
      const changed = await changeFunctions(context, categoryId, undefined, (present) =>
        appended(present, [entry as StoredFunction], { max: CATEGORY_FUNCTIONS_MAX, signCodeAt: singleSignCodeField }),
      );
      return { modelVersion: changed.modelVersion, id: changed.functions.at(-1)?.id ?? '' };
    },

    async updateOpenFunction(context: Context, input: Input<Calls['updateOpenFunction']>) {
      const { categoryId: expectedId, ...entry } = input;
      const categoryId = await ownerOf(context.actor, entry.id, expectedId);
      const { modelVersion } = await changeFunctions(context, categoryId, undefined, (present) => {
        const next = replaced(present, entry);
        const own = next.find(({ id }) => id === entry.id);
        if (own) checkFunction(context.language, own);
        return next;
      });
      return { modelVersion };
    },

    async deleteOpenFunction(context: Context, { id }: Input<Calls['deleteOpenFunction']>) {
      const categoryId = await ownerOf(context.actor, id);
      const { modelVersion } = await changeFunctions(context, categoryId, undefined, (present) => without(present, id));
      return { modelVersion };
    },

    async saveOpenFunctions(context: Context, input: Input<Calls['saveOpenFunctions']>) {
      const { categoryId, modelVersion: basedOn, functions } = input;
      const { modelVersion } = await changeFunctions(context, categoryId, basedOn, (present) =>
        withIds(present, functions),
      );
      return { modelVersion };
    },
  };
};
