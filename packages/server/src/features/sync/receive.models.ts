import { compareModels, type SyncedModel, type SyncItem, syncedModel } from '@device-center/contract';
import { categoryWordsIn } from '../../db/categories.ts';
import type { Db } from '../../db/connect.ts';
import { transact, uniqueViolation } from '../../db/errors.ts';
import { productFunctionsOf, type StoredFunction } from '../../db/functions.ts';
import { isUnchanged } from '../../db/model-changes.ts';
import { writeModel } from '../../db/models.ts';
import { PLATFORM } from '../../db/platform-ids.ts';
import { holdProducts } from '../../db/products.ts';
import { markReceived } from '../../db/sync-flags.ts';
import { fold } from '../../platform/fold-case.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { exchangeNames, namesLeft, type ReadModel } from './receive.names.ts';
import { judgeRow, type ReceiveTarget, readContent, refused, type Verdict } from './receive.result.ts';

type Deps = { db: Db; secrets: Pick<SecretBox, 'seal'> };

const NO_IDS: ReadonlySet<string> = new Set();

const creatorOf = (item: SyncItem): string => `sync:${item.origin}`;

const findCategory = async (db: Db, tenancyId: string, categoryName: string): Promise<string | undefined> => {
  const key = fold(categoryName);
  const rows = await db
    .selectFrom('category')
    .selectAll()
    // Standard ones are few, and have a second name.
    .where(({ or, eb }) => or([eb('category_name_key', '=', key), eb('english', 'is not', null)]))
    .where('tenancy_id', 'in', [tenancyId, PLATFORM.tenancyId])
    .execute();
  const named = rows.filter(
    (row) => row.category_name_key === key || fold(categoryWordsIn('en_US', row).categoryName) === key,
  );
  // Its own before the standard one.
  return (named.find((row) => row.tenancy_id === tenancyId) ?? named[0])?.category_id;
};

/** By its name in either language; a tenant that has none of that name gets one, without functions. */
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
      category_name_key: fold(categoryName),
      search_key: fold(categoryName),
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
  left: ReadonlySet<string>,
): Promise<boolean> => {
  const other = await db
    .selectFrom('product')
    .select('product_id')
    .where('tenancy_id', '=', tenancyId)
    .where('product_name_key', '=', fold(productName))
    .where('product_id', 'not in', [item.id, ...left])
    .executeTakeFirst();
  return other !== undefined;
};

const findRow = (db: Db, productId: string) =>
  db.selectFrom('product').selectAll().where('product_id', '=', productId).executeTakeFirst();

export const createModelReceiver = ({ db, secrets }: Deps) => {
  const judge = async (
    db: Db,
    landing: ReceiveTarget,
    { item, content: { productName } }: ReadModel,
    left: ReadonlySet<string>,
  ): Promise<Verdict> => {
    const verdict = judgeRow(item, await findRow(db, item.id), landing);
    const writes = verdict.result === 'created' || verdict.result === 'changed';
    if (writes && (await isNameTaken(db, landing, item, productName, left)))
      return refused(item, 'productNameTaken', { name: productName });
    return verdict;
  };

  const insert = async (db: Db, landing: ReceiveTarget, item: SyncItem, content: SyncedModel): Promise<void> => {
    const now = Date.now();
    await db
      .insertInto('product')
      .values({
        product_id: item.id,
        tenancy_id: landing.tenancyId,
        category_id: await categoryFor(db, landing.tenancyId, content.categoryName),
        application_id: landing.applicationId,
        product_name: content.productName,
        product_name_key: fold(content.productName),
        product_id_key: fold(item.id),
        description: content.description,
        picture_id: null,
        node_type: content.nodeType,
        protocol_id: content.protocolId,
        class_id: content.classId,
        // Nobody is told it: devices of this product register where it is managed.
        secret_sealed: secrets.seal(newSecret()),
        allow_register: 0,
        allow_md5: content.allowMd5,
        origin_id: item.origin,
        revision: item.revision,
        received_from: landing.sender,
        received_key: landing.keyId,
        model_version: 0,
        function_count: 0,
        creator: creatorOf(item),
        created_at: now,
        updated_at: now,
      })
      .execute();
  };

  const writeFields = (db: Db, landing: ReceiveTarget, item: SyncItem, content: SyncedModel) =>
    db
      .updateTable('product')
      .set({
        product_name: content.productName,
        product_name_key: fold(content.productName),
        description: content.description,
        class_id: content.classId,
        allow_md5: content.allowMd5,
        revision: item.revision,
        received_from: landing.sender,
        received_key: landing.keyId,
        updated_at: Date.now(),
      })
      .where('product_id', '=', item.id)
      .execute();

  /** A function keeps the id that it has here; its place is the one that was sent. */
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

  const apply = (landing: ReceiveTarget, { item, content }: ReadModel): Promise<Verdict> =>
    transact(db, async (db) => {
      await holdProducts(db, [item.id]);
      const verdict = await judge(db, landing, { item, content }, NO_IDS);
      if (verdict.result === 'created') await insert(db, landing, item, content);
      if (verdict.result === 'changed') await writeFields(db, landing, item, content);
      if (verdict.result === 'created' || verdict.result === 'changed') {
        await writeFunctions(db, item, content);
        await markReceived(db, 1, item, landing.sender);
      }
      return verdict;
    });

  const takeOne = async (landing: ReceiveTarget, model: ReadModel): Promise<Verdict> => {
    try {
      return await apply(landing, model);
    } catch (error) {
      const broken = uniqueViolation(error);
      // Another request created one of that name, or id, at the same moment.
      if (broken?.startsWith('product.tenancy_id'))
        return refused(model.item, 'productNameTaken', { name: model.content.productName });
      if (broken === 'product.product_id') return apply(landing, model);
      throw error;
    }
  };

  return async (landing: ReceiveTarget, items: SyncItem[], preview: boolean): Promise<Verdict[]> => {
    const verdicts: Verdict[] = [];
    const models: ReadModel[] = [];
    for (const item of items) {
      const read = readContent<SyncedModel>(syncedModel, item, landing.language);
      if ('verdict' in read) verdicts.push(read.verdict);
      else models.push({ item, content: read.content });
    }
    if (preview) {
      const left = await namesLeft(db, landing, models);
      for (const model of models) verdicts.push(await judge(db, landing, model, left));
      return verdicts;
    }
    await exchangeNames(db, landing, models);
    for (const model of models) verdicts.push(await takeOne(landing, model));
    return verdicts;
  };
};

export type ModelReceiver = ReturnType<typeof createModelReceiver>;
