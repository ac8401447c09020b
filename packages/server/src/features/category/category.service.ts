import type { categoryCalls, Input, Output } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { containsAny } from '../../db/contains.ts';
import { isForeignKeyViolation, uniqueViolation } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { isOtherTenant, tenancyForNew } from '../../db/scope.ts';
import { withAudit } from '../../db/with-audit.ts';
import { categoryTextIn } from '../../domain/category/categories.ts';
import { openFunctionsOf } from '../../domain/model/functions.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId } from '../../platform/ids.ts';
import { insertOpenFunctions } from './category.functions.ts';
import {
  assertEditable,
  auditOf,
  findCategory,
  lockCategories,
  selectCategories,
  toAnswer,
} from './category.queries.ts';

type Calls = typeof categoryCalls;

const mapConflicts = async <Result>(work: Promise<Result>): Promise<Result> => {
  try {
    return await work;
  } catch (error) {
    if (uniqueViolation(error)) throw new AppError('CATEGORY_NAME_TAKEN', {}, 'categoryName');
    throw error;
  }
};

export const createCategoryService = ({ db }: { db: Db }) => {
  const remove = (context: Context, requestedIds: string[], field: string): Promise<number> => {
    const categoryIds = [...new Set(requestedIds)].sort();
    return withAudit(db, context, async (db) => {
      await lockCategories(db, categoryIds);
      const rows = await selectCategories(db, context.actor).where('category.category_id', 'in', categoryIds).execute();
      if (rows.length !== categoryIds.length) throw new AppError('CATEGORY_NOT_FOUND', {}, field);
      for (const row of rows) {
        assertEditable(context.actor, row);
        const { categoryName } = categoryTextIn(context.language, row);
        const products = Number(row.products);
        if (products > 0) throw new AppError('CATEGORY_HAS_PRODUCTS', { categoryName, products });
      }
      await db.deleteFrom('category').where('category_id', 'in', categoryIds).execute();
      const audit = rows.map((row) => ({ ...auditOf(row), before: categoryTextIn('zh_CN', row) }));
      return { result: rows.length, audit };
    });
  };

  /** A product created between the check and the deletion violates a foreign key; the second check reports it. */
  const removeWithRetry = async (context: Context, requestedIds: string[], field: string): Promise<number> => {
    try {
      return await remove(context, requestedIds, field);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      return remove(context, requestedIds, field);
    }
  };

  return {
    async getCategoryList(
      { actor, language }: Context,
      input: Input<Calls['getCategoryList']>,
    ): Promise<Output<Calls['getCategoryList']>> {
      let rows = selectCategories(db, actor);
      if (input.tenancyId) rows = rows.where('category.tenancy_id', '=', input.tenancyId);
      if (isOtherTenant(actor, input.tenancyId)) rows = rows.where('category.category_id', '=', '');
      if (input.standard !== undefined)
        rows = rows.where('category.tenancy_id', input.standard === 1 ? '=' : '!=', PLATFORM.tenancyId);
      if (input.searchValue)
        rows = rows.where(containsAny(['category.search_key', 'category.category_id'], input.searchValue));
      const order = {
        createdAt: 'category.created_at',
        updatedAt: 'category.updated_at',
        unique: 'category.category_id',
      };
      const page = await readPage(db, { rows, ...order }, input);
      return { ...page, list: page.list.map((row) => toAnswer(language, row)) };
    },

    async getCategoryDetails({ actor, language }: Context, { categoryId }: Input<Calls['getCategoryDetails']>) {
      return toAnswer(language, await findCategory(db, actor, categoryId));
    },

    async addCategory(context: Context, input: Input<Calls['addCategory']>) {
      const { actor, language } = context;
      const categoryId = newId();
      const now = Date.now();
      const { categoryName, description, copyFrom } = input;
      return mapConflicts(
        withAudit(db, context, async (db) => {
          const tenancyId = await tenancyForNew(db, actor, input.tenancyId);
          if (
            copyFrom &&
            !(await selectCategories(db, actor).where('category.category_id', '=', copyFrom).executeTakeFirst())
          )
            throw new AppError('CATEGORY_NOT_FOUND', {}, 'copyFrom');
          const functions = copyFrom ? await openFunctionsOf(db, copyFrom, language) : [];
          await db
            .insertInto('category')
            .values({
              category_id: categoryId,
              tenancy_id: tenancyId,
              category_name: categoryName,
              category_name_key: foldCase(categoryName),
              search_key: foldCase(categoryName),
              description,
              model_version: 1,
              created_at: now,
              updated_at: now,
            })
            .execute();
          await insertOpenFunctions(
            db,
            categoryId,
            functions.map((entry) => ({ ...entry, id: newId() })),
          );
          const after = { categoryName, description, ...(copyFrom ? { copyFrom } : {}) };
          return {
            result: { categoryId },
            audit: { tenancyId, targetId: categoryId, targetName: categoryName, after },
          };
        }),
      );
    },

    async updateCategory(context: Context, input: Input<Calls['updateCategory']>): Promise<null> {
      const { actor, language } = context;
      return mapConflicts(
        withAudit(db, context, async (db) => {
          await lockCategories(db, [input.categoryId]);
          const row = await findCategory(db, actor, input.categoryId);
          assertEditable(actor, row);
          const before = categoryTextIn(language, row);
          const after = { categoryName: input.categoryName, description: input.description ?? before.description };
          const same = after.categoryName === before.categoryName && after.description === before.description;
          // A changed built-in category loses its translation: it has the same texts in both languages.
          if (!same)
            await db
              .updateTable('category')
              .set({
                category_name: after.categoryName,
                category_name_key: foldCase(after.categoryName),
                search_key: foldCase(after.categoryName),
                description: after.description,
                english: null,
                updated_at: Date.now(),
              })
              .where('category_id', '=', row.category_id)
              .execute();
          return { result: null, audit: { ...auditOf(row), before, after } };
        }),
      );
    },

    async deleteCategory(context: Context, { categoryId }: Input<Calls['deleteCategory']>): Promise<null> {
      await removeWithRetry(context, [categoryId], 'categoryId');
      return null;
    },

    async deleteBatchCategory(context: Context, { categoryIds }: Input<Calls['deleteBatchCategory']>) {
      return { deleted: await removeWithRetry(context, categoryIds, 'categoryIds') };
    },
  };
};

export type CategoryService = ReturnType<typeof createCategoryService>;
