import type { SyncItemKey } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { judgeRow, refused, type Verdict } from './receive.result.ts';
import { inPieces } from './sync.items.ts';

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

/** What delivering each would do, as far as ids and revisions tell. What another tenant has is as if it were missing. */
export const compareItems = async (
  db: Db,
  tenancyId: string,
  items: SyncItemKey[],
  installationId: string,
): Promise<Verdict[]> => {
  // Whichever key delivered an item, it is there.
  const landing = { tenancyId, otherKeys: new Set<string>() };
  const verdicts: Verdict[] = [];
  for (const piece of inPieces(items)) {
    const idsOf = (kind: SyncItemKey['kind']) => piece.filter((item) => item.kind === kind).map(({ id }) => id);
    const models = new Map((await productRows(db, tenancyId, idsOf('model'))).map((row) => [row.id, row]));
    const devices = new Map((await deviceRows(db, tenancyId, idsOf('device'))).map((row) => [row.id, row]));
    for (const item of piece)
      verdicts.push(
        item.origin === installationId
          ? refused(item, 'ownItem')
          : judgeRow(item, (item.kind === 'model' ? models : devices).get(item.id), landing),
      );
  }
  return verdicts;
};
