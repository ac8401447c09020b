import type { CategoryRow, Language } from '@device-center/contract';
import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { categoryTenancies, categoryTextIn, isStandard } from '../../domain/category/categories.ts';
import { PLATFORM, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { iso } from '../../platform/time.ts';

export const selectCategories = (db: Db, actor: Actor) => {
  const rows = db
    .selectFrom('category')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'category.tenancy_id')
    .selectAll('category')
    .select('tenancy.tenancy_name')
    .select((row) => {
      const functions = (type: number) =>
        row
          .selectFrom('open_function')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .whereRef('open_function.category_id', '=', 'category.category_id')
          .where('open_function.function_type', '=', type as 1);
      const products = row
        .selectFrom('product')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('product.category_id', '=', 'category.category_id');
      return [
        functions(1).as('properties'),
        functions(32).as('services'),
        functions(22).as('events'),
        // A tenant does not see how many products of other tenants use a standard category.
        (actor.platform ? products : products.where('product.tenancy_id', '=', actor.tenancyId)).as('products'),
      ];
    });
  const tenancies = categoryTenancies(actor);
  return tenancies ? rows.where('category.tenancy_id', 'in', tenancies) : rows;
};

export type CategoryRecord = Awaited<ReturnType<ReturnType<typeof selectCategories>['execute']>>[number];

export const toAnswer = (language: Language, row: CategoryRecord): CategoryRow => ({
  categoryId: row.category_id,
  ...categoryTextIn(language, row),
  standard: isStandard(row),
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  propertyCount: Number(row.properties),
  serviceCount: Number(row.services),
  eventCount: Number(row.events),
  productCount: Number(row.products),
  modelVersion: row.model_version,
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

export const findCategory = async (db: Db, actor: Actor, categoryId: string): Promise<CategoryRecord> => {
  const row = await selectCategories(db, actor).where('category.category_id', '=', categoryId).executeTakeFirst();
  if (!row) throw new AppError('CATEGORY_NOT_FOUND', {}, 'categoryId');
  return row;
};

/** Only the platform may change standard categories. */
export const assertEditable = (actor: Actor, row: { tenancy_id: string }): void => {
  if (!actor.platform && row.tenancy_id === PLATFORM.tenancyId) throw new AppError('STANDARD_CATEGORY_PROTECTED');
};

/** Locks the categories until the transaction ends, so that a concurrent change sees this one. */
export const lockCategories = async (db: Db, categoryIds: string[]): Promise<void> => {
  await db
    .updateTable('category')
    .set({ updated_at: sql`updated_at` })
    .where('category_id', 'in', categoryIds)
    .execute();
};

export const auditOf = (row: CategoryRecord) => ({
  tenancyId: row.tenancy_id,
  targetId: row.category_id,
  targetName: row.category_name,
});
