import type { SyncedModel, SyncItem } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { lockProducts } from '../../domain/product/products.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { compareWithRow, type ReceiveTarget } from './receive.result.ts';

export type ReadModel = { item: SyncItem; content: SyncedModel };
type Rename = { productId: string; productName: string };

const NO_IDS: ReadonlySet<string> = new Set();

/** A name that no product can have: names begin with a letter, a digit or a Chinese character. */
const placeholder = (productId: string): string => `! ${productId}`;

const findRenames = async (db: Db, target: ReceiveTarget, models: ReadModel[]): Promise<Map<string, Rename>> => {
  const ids = models.map(({ item }) => item.id);
  const rows = await db.selectFrom('product').selectAll().where('product_id', 'in', ids).execute();
  const existing = new Map(rows.map((row) => [row.product_id, row]));
  const renamed = new Map<string, Rename>();
  const taken = new Set<string>();
  for (const { item, content } of models) {
    const row = existing.get(item.id);
    const key = foldCase(content.productName);
    if (!row || row.product_name_key === key || taken.has(key)) continue;
    if (compareWithRow(item, row, target).result !== 'changed') continue;
    taken.add(key);
    renamed.set(item.id, { productId: item.id, productName: content.productName });
  }
  return renamed;
};

/**
 * The products of a delivery that exchange their names, which must happen at once because names are unique: those whose
 * new name is free after all renames. Empty where no product gets the name of another.
 */
const planExchange = async (db: Db, target: ReceiveTarget, models: ReadModel[]): Promise<Map<string, Rename>> => {
  const renamed = models.length < 2 ? new Map<string, Rename>() : await findRenames(db, target, models);
  if (renamed.size < 2) return new Map();
  const holders = await db
    .selectFrom('product')
    .select(['product_id', 'product_name_key'])
    .where('tenancy_id', '=', target.tenancyId)
    .where(
      'product_name_key',
      'in',
      [...renamed.values()].map(({ productName }) => foldCase(productName)),
    )
    .execute();
  const holderOf = new Map(holders.map((row) => [row.product_name_key, row.product_id]));
  const holderOfName = ({ productName }: Rename) => holderOf.get(foldCase(productName));
  for (let before = -1; before !== renamed.size; ) {
    before = renamed.size;
    for (const [id, entry] of renamed) {
      const holder = holderOfName(entry);
      if (holder !== undefined && !renamed.has(holder)) renamed.delete(id);
    }
  }
  const isExchange = [...renamed.values()].some((entry) => holderOfName(entry) !== undefined);
  return isExchange ? renamed : new Map();
};

/** The products whose current names become free with this delivery. */
export const findReleasedNames = async (
  db: Db,
  target: ReceiveTarget,
  models: ReadModel[],
): Promise<ReadonlySet<string>> =>
  models.length < 2 ? NO_IDS : new Set((await planExchange(db, target, models)).keys());

/** Renames products that exchange their names, in one transaction. */
export const exchangeNames = async (db: Db, target: ReceiveTarget, models: ReadModel[]): Promise<void> => {
  if ((await planExchange(db, target, models)).size === 0) return;
  await transact(db, async (db) => {
    await lockProducts(
      db,
      models.map(({ item }) => item.id),
    );
    const renamed = [...(await planExchange(db, target, models)).values()];
    const setName = ({ productId }: Rename, name: string, key: string) =>
      db
        .updateTable('product')
        .set({ product_name: name, product_name_key: key })
        .where('product_id', '=', productId)
        .execute();
    for (const entry of renamed) await setName(entry, entry.productName, placeholder(entry.productId));
    for (const entry of renamed) await setName(entry, entry.productName, foldCase(entry.productName));
  });
};
