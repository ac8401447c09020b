import {
  type Language,
  nodeTypes,
  type ProductRow,
  productCalls,
  productClasses,
  protocols,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { type Scope, scopeOf } from '../../db/scope.ts';
import { storedName } from '../../db/stored.ts';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { iso } from '../../platform/time.ts';
import { categoryTextIn } from '../category/categories.ts';
import { PLATFORM, tenancyNameIn } from '../tenant/platform-ids.ts';

/** URL of a product's picture; the browser sends its token. */
export const iconPath = (pictureId: string | null): string =>
  pictureId === null ? '' : `${productCalls.getProductPicture.path}?pictureId=${pictureId}`;

/** Product rows of a scope without joins, for filters and counts. */
export const productsOf = (db: Db, { tenancyId }: Scope) => {
  const rows = db.selectFrom('product');
  return tenancyId === null ? rows : rows.where('product.tenancy_id', '=', tenancyId);
};

/** Joins the names and the number of devices that a response contains. */
export const withNames = (rows: ReturnType<typeof productsOf>) =>
  rows
    .innerJoin('category', 'category.category_id', 'product.category_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'product.tenancy_id')
    .leftJoin('application', 'application.application_id', 'product.application_id')
    .selectAll('product')
    .select((row) => [
      'category.category_name',
      'category.tenancy_id as category_tenancy_id',
      'category.english as category_english',
      'tenancy.tenancy_name',
      'application.application_name',
      row
        .selectFrom('device')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('device.product_id', '=', 'product.product_id')
        .as('devices'),
    ]);

export const selectProducts = (db: Db, scope: Scope) => withNames(productsOf(db, scope));

export type ProductRecord = Awaited<ReturnType<ReturnType<typeof selectProducts>['execute']>>[number];

export const productAnswer = (language: Language, row: ProductRecord): ProductRow => ({
  productId: row.product_id,
  productName: row.product_name,
  description: row.description,
  icon: iconPath(row.picture_id),
  nodeType: row.node_type,
  nodeTypeName: storedName(nodeTypes, row.node_type, language),
  protocolId: row.protocol_id,
  protocolName: storedName(protocols, row.protocol_id, language),
  classId: row.class_id,
  className: storedName(productClasses, row.class_id, language),
  categoryId: row.category_id,
  categoryName: categoryTextIn(language, {
    category_name: row.category_name,
    description: '',
    english: row.category_english,
  }).categoryName,
  categoryStandard: row.category_tenancy_id === PLATFORM.tenancyId ? 1 : 0,
  tenancyId: row.tenancy_id,
  tenancyName: tenancyNameIn(language, row),
  applicationId: row.application_id ?? '',
  applicationName: row.application_name ?? '',
  allowRegister: row.allow_register,
  allowMd5: row.allow_md5,
  modelVersion: row.model_version,
  functionCount: row.function_count,
  deviceCount: Number(row.devices),
  received: row.origin_id === '' ? 0 : 1,
  creator: row.creator,
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

export const findProduct = async (
  db: Db,
  actor: Actor,
  productId: string,
  field = 'productId',
): Promise<ProductRecord> => {
  const row = await selectProducts(db, scopeOf(actor)).where('product.product_id', '=', productId).executeTakeFirst();
  if (!row) throw new AppError('PRODUCT_NOT_FOUND', {}, field);
  return row;
};

/** Locks product rows until the transaction ends, so that concurrent changes run one after the other. */
export const lockProducts = async (db: Db, productIds: string[]): Promise<void> => {
  await db
    .updateTable('product')
    .set((row) => ({ updated_at: row.ref('updated_at') }))
    .where('product_id', 'in', productIds)
    .execute();
};

export const auditOfProduct = (row: ProductRecord) => ({
  tenancyId: row.tenancy_id,
  targetId: row.product_id,
  targetName: row.product_name,
});
