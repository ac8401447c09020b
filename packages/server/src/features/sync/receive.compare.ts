import type { SyncItemKey } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { compareWithRow, type ItemResult, refusedResult } from './receive.result.ts';
import { chunked } from './sync.items.ts';

const productRows = (db: Db, tenancyId: string, ids: string[]) =>
  db
    .selectFrom('product')
    .select(['product_id as id', 'tenancy_id', 'origin_id', 'revision', 'received_key', 'former_origin'])
    .where('product_id', 'in', ids)
    .where('tenancy_id', '=', tenancyId)
    .execute();

const deviceRows = (db: Db, tenancyId: string, ids: string[]) =>
  db
    .selectFrom('device')
    .select(['device_id as id', 'tenancy_id', 'origin_id', 'revision', 'content_hash', 'received_key', 'former_origin'])
    .where('device_id', 'in', ids)
    .where('tenancy_id', '=', tenancyId)
    .execute();

/** What a delivery would do with each item, by ids and revisions only. Items of other tenants count as missing. */
export const compareItems = async (
  db: Db,
  tenancyId: string,
  items: SyncItemKey[],
  installationId: string,
): Promise<ItemResult[]> => {
  // The key that delivered an item does not matter for a comparison.
  const target = { tenancyId, otherKeys: new Set<string>() };
  const results: ItemResult[] = [];
  for (const chunk of chunked(items)) {
    const idsOf = (kind: SyncItemKey['kind']) => chunk.filter((item) => item.kind === kind).map(({ id }) => id);
    const models = new Map((await productRows(db, tenancyId, idsOf('model'))).map((row) => [row.id, row]));
    const devices = new Map((await deviceRows(db, tenancyId, idsOf('device'))).map((row) => [row.id, row]));
    for (const item of chunk)
      results.push(
        item.origin === installationId
          ? refusedResult(item, 'ownItem')
          : compareWithRow(item, (item.kind === 'model' ? models : devices).get(item.id), target),
      );
  }
  return results;
};
