import { compareModels, type SyncedModel, type SyncItem, syncedModel } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact, uniqueViolation } from '../../db/errors.ts';
import { categoryTextIn } from '../../domain/category/categories.ts';
import { isUnchanged } from '../../domain/model/changes.ts';
import { productFunctionsOf, type StoredFunction } from '../../domain/model/functions.ts';
import { writeModel } from '../../domain/model/models.ts';
import { lockProducts } from '../../domain/product/products.ts';
import { markReceived } from '../../domain/sync/flags.ts';
import { PLATFORM } from '../../domain/tenant/platform-ids.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { exchangeNames, findReleasedNames, type ReadModel } from './receive.names.ts';
import { compareWithRow, type ItemResult, type ReceiveTarget, readContent, refusedResult } from './receive.result.ts';

type Deps = { db: Db; secrets: Pick<SecretBox, 'seal'> };

const NO_IDS: ReadonlySet<string> = new Set();

const creatorOf = (item: SyncItem): string => `sync:${item.origin}`;

const findCategory = async (db: Db, tenancyId: string, categoryName: string): Promise<string | undefined> => {
  const key = foldCase(categoryName);
  const rows = await db
    .selectFrom('category')
    .selectAll()
    // Standard categories are few, and are also found by their English name.
    .where(({ or, eb }) => or([eb('category_name_key', '=', key), eb('english', 'is not', null)]))
    .where('tenancy_id', 'in', [tenancyId, PLATFORM.tenancyId])
    .execute();
  const named = rows.filter(
    (row) => row.category_name_key === key || foldCase(categoryTextIn('en_US', row).categoryName) === key,
  );
  // A category of the tenant precedes a standard one.
  return (named.find((row) => row.tenancy_id === tenancyId) ?? named[0])?.category_id;
};

/** Finds a category by its name in either language, or creates one without functions for the tenant. */
const categoryFor = async (db: Db, tenancyId: string, categoryName: string): Promise<string> => {
  const found = await findCategory(db, tenancyId, categoryName);
  if (found) return found;
  const now = Date.now();
  await db
    .insertInto('category')
    .values({
      category_id: newId(),
      tenancy_id: tenancyId,
      category_name: categoryName,
      category_name_key: foldCase(categoryName),
      search_key: foldCase(categoryName),
      description: '',
      english: null,
      model_version: 1,
      created_at: now,
      updated_at: now,
    })
    .onConflict((row) => row.columns(['tenancy_id', 'category_name_key']).doNothing())
    .execute();
  return (await findCategory(db, tenancyId, categoryName)) ?? '';
};

const isNameTaken = async (
  db: Db,
  { tenancyId }: ReceiveTarget,
  item: SyncItem,
  productName: string,
  releasedNames: ReadonlySet<string>,
): Promise<boolean> => {
  const other = await db
    .selectFrom('product')
    .select('product_id')
    .where('tenancy_id', '=', tenancyId)
    .where('product_name_key', '=', foldCase(productName))
    .where('product_id', 'not in', [item.id, ...releasedNames])
    .executeTakeFirst();
  return other !== undefined;
};

const findRow = (db: Db, productId: string) =>
  db.selectFrom('product').selectAll().where('product_id', '=', productId).executeTakeFirst();

export const createModelReceiver = ({ db, secrets }: Deps) => {
  const compareModel = async (
    db: Db,
    target: ReceiveTarget,
    { item, content: { productName } }: ReadModel,
    releasedNames: ReadonlySet<string>,
  ): Promise<ItemResult> => {
    const itemResult = compareWithRow(item, await findRow(db, item.id), target);
    const writes = itemResult.result === 'created' || itemResult.result === 'changed';
    if (writes && (await isNameTaken(db, target, item, productName, releasedNames)))
      return refusedResult(item, 'productNameTaken', { name: productName });
    return itemResult;
  };

  const insert = async (db: Db, target: ReceiveTarget, item: SyncItem, content: SyncedModel): Promise<void> => {
    const now = Date.now();
    await db
      .insertInto('product')
      .values({
        product_id: item.id,
        tenancy_id: target.tenancyId,
        category_id: await categoryFor(db, target.tenancyId, content.categoryName),
        application_id: target.applicationId,
        product_name: content.productName,
        product_name_key: foldCase(content.productName),
        product_id_key: foldCase(item.id),
        description: content.description,
        picture_id: null,
        node_type: content.nodeType,
        protocol_id: content.protocolId,
        class_id: content.classId,
        // A random secret that is never shown: devices of this product register where it is managed.
        secret_sealed: secrets.seal(newSecret()),
        allow_register: 0,
        allow_md5: content.allowMd5,
        origin_id: item.origin,
        revision: item.revision,
        received_from: target.sender,
        received_key: target.keyId,
        model_version: 0,
        function_count: 0,
        creator: creatorOf(item),
        created_at: now,
        updated_at: now,
      })
      .execute();
  };

  const writeFields = (db: Db, target: ReceiveTarget, item: SyncItem, content: SyncedModel) =>
    db
      .updateTable('product')
      .set({
        product_name: content.productName,
        product_name_key: foldCase(content.productName),
        description: content.description,
        class_id: content.classId,
        allow_md5: content.allowMd5,
        revision: item.revision,
        received_from: target.sender,
        received_key: target.keyId,
        updated_at: Date.now(),
      })
      .where('product_id', '=', item.id)
      .execute();

  /** A function keeps its local id and gets the position that was sent. */
  const writeFunctions = async (db: Db, item: SyncItem, content: SyncedModel): Promise<void> => {
    const present = await productFunctionsOf(db, item.id);
    const ids = new Map(present.map(({ signCode, id }) => [signCode, id]));
    const functions = content.functions.map(
      (entry) => ({ ...entry, id: ids.get(entry.signCode) ?? newId() }) as StoredFunction,
    );
    const difference = compareModels(present, functions);
    const row = await findRow(db, item.id);
    const version = row?.model_version ?? 0;
    if (version > 0 && isUnchanged(difference)) return;
    await writeModel(db, {
      productId: item.id,
      modelVersion: version + 1,
      functions,
      difference,
      creator: creatorOf(item),
    });
  };

  const apply = (target: ReceiveTarget, { item, content }: ReadModel): Promise<ItemResult> =>
    transact(db, async (db) => {
      await lockProducts(db, [item.id]);
      const itemResult = await compareModel(db, target, { item, content }, NO_IDS);
      if (itemResult.result === 'created') await insert(db, target, item, content);
      if (itemResult.result === 'changed') await writeFields(db, target, item, content);
      if (itemResult.result === 'created' || itemResult.result === 'changed') {
        await writeFunctions(db, item, content);
        await markReceived(db, 1, item, target.sender);
      }
      return itemResult;
    });

  const receiveOne = async (target: ReceiveTarget, model: ReadModel): Promise<ItemResult> => {
    try {
      return await apply(target, model);
    } catch (error) {
      const constraint = uniqueViolation(error);
      // A concurrent request created a product with this name or id.
      if (constraint?.startsWith('product.tenancy_id'))
        return refusedResult(model.item, 'productNameTaken', { name: model.content.productName });
      if (constraint === 'product.product_id') return apply(target, model);
      throw error;
    }
  };

  return async (target: ReceiveTarget, items: SyncItem[], preview: boolean): Promise<ItemResult[]> => {
    const results: ItemResult[] = [];
    const models: ReadModel[] = [];
    for (const item of items) {
      const read = readContent<SyncedModel>(syncedModel, item, target.language);
      if ('itemResult' in read) results.push(read.itemResult);
      else models.push({ item, content: read.content });
    }
    if (preview) {
      const releasedNames = await findReleasedNames(db, target, models);
      for (const model of models) results.push(await compareModel(db, target, model, releasedNames));
      return results;
    }
    await exchangeNames(db, target, models);
    for (const model of models) results.push(await receiveOne(target, model));
    return results;
  };
};

export type ModelReceiver = ReturnType<typeof createModelReceiver>;
