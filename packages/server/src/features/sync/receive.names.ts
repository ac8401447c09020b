import type { SyncedModel, SyncItem } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { holdProducts } from '../../db/products.ts';
import { fold } from '../../platform/fold-case.ts';
import { judgeRow, type ReceiveTarget } from './receive.result.ts';

export type ReadModel = { item: SyncItem; content: SyncedModel };
type Renamed = { productId: string; productName: string };

const NO_IDS: ReadonlySet<string> = new Set();

/** A name that no product can have: names begin with a letter, a digit or a Chinese character. */
const placeholder = (productId: string): string => `! ${productId}`;

const renamedIn = async (db: Db, landing: ReceiveTarget, models: ReadModel[]): Promise<Map<string, Renamed>> => {
  const ids = models.map(({ item }) => item.id);
  const rows = await db.selectFrom('product').selectAll().where('product_id', 'in', ids).execute();
  const present = new Map(rows.map((row) => [row.product_id, row]));
  const renamed = new Map<string, Renamed>();
  const taken = new Set<string>();
  for (const { item, content } of models) {
    const row = present.get(item.id);
    const key = fold(content.productName);
    if (!row || row.product_name_key === key || taken.has(key)) continue;
    if (judgeRow(item, row, landing).result !== 'changed') continue;
    taken.add(key);
    renamed.set(item.id, { productId: item.id, productName: content.productName });
  }
  return renamed;
};

/**
 * The products of a delivery that take over each other's names, which none of them could do alone: all whose new name
 * is free once all of them have theirs. None where no name passes from one to another.
 */
const planExchange = async (db: Db, landing: ReceiveTarget, models: ReadModel[]): Promise<Map<string, Renamed>> => {
  const renamed = models.length < 2 ? new Map<string, Renamed>() : await renamedIn(db, landing, models);
  if (renamed.size < 2) return new Map();
  const holders = await db
    .selectFrom('product')
    .select(['product_id', 'product_name_key'])
    .where('tenancy_id', '=', landing.tenancyId)
    .where(
      'product_name_key',
      'in',
      [...renamed.values()].map(({ productName }) => fold(productName)),
    )
    .execute();
  const holderOf = new Map(holders.map((row) => [row.product_name_key, row.product_id]));
  const heldBy = ({ productName }: Renamed) => holderOf.get(fold(productName));
  for (let before = -1; before !== renamed.size; ) {
    before = renamed.size;
    for (const [id, entry] of renamed) {
      const holder = heldBy(entry);
      if (holder !== undefined && !renamed.has(holder)) renamed.delete(id);
    }
  }
  const passes = [...renamed.values()].some((entry) => heldBy(entry) !== undefined);
  return passes ? renamed : new Map();
};

/** The products whose present names become free with this delivery. */
export const namesLeft = async (db: Db, landing: ReceiveTarget, models: ReadModel[]): Promise<ReadonlySet<string>> =>
  models.length < 2 ? NO_IDS : new Set((await planExchange(db, landing, models)).keys());

/** Gives products that take over each other's names their new ones, all at once. */
export const exchangeNames = async (db: Db, landing: ReceiveTarget, models: ReadModel[]): Promise<void> => {
  if ((await planExchange(db, landing, models)).size === 0) return;
  await transact(db, async (db) => {
    await holdProducts(
      db,
      models.map(({ item }) => item.id),
    );
    const renamed = [...(await planExchange(db, landing, models)).values()];
    const setName = ({ productId }: Renamed, name: string, key: string) =>
      db
        .updateTable('product')
        .set({ product_name: name, product_name_key: key })
        .where('product_id', '=', productId)
        .execute();
    for (const entry of renamed) await setName(entry, entry.productName, placeholder(entry.productId));
    for (const entry of renamed) await setName(entry, entry.productName, fold(entry.productName));
  });
};
