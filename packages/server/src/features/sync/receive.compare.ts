import type { SyncItemKey } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { judgeRow, type Landing, refused, type Verdict } from './receive.verdict.ts';
import { inPieces } from './sync.items.ts';

const productRows = (db: Db, tenancyId: string, ids: string[]) =>
  db
    .selectFrom('product')
    .select(['product_id as id', 'tenancy_id', 'origin_id', 'revision'])
    .where('product_id', 'in', ids)
    .where('tenancy_id', '=', tenancyId)
    .execute();

const deviceRows = (db: Db, tenancyId: string, ids: string[]) =>
  db
    .selectFrom('device')
    .select(['device_id as id', 'tenancy_id', 'origin_id', 'revision', 'content_hash'])
    .where('device_id', 'in', ids)
    .where('tenancy_id', '=', tenancyId)
    .execute();

/** What delivering each would do, as far as ids and revisions tell. What another tenant has is as if it were missing. */
export const compareItems = async (
  db: Db,
  landing: Pick<Landing, 'tenancyId'>,
  items: SyncItemKey[],
  installationId: string,
): Promise<Verdict[]> => {
  const verdicts: Verdict[] = [];
  for (const piece of inPieces(items)) {
    const idsOf = (kind: SyncItemKey['kind']) => piece.filter((item) => item.kind === kind).map(({ id }) => id);
    const models = new Map((await productRows(db, landing.tenancyId, idsOf('model'))).map((row) => [row.id, row]));
    const devices = new Map((await deviceRows(db, landing.tenancyId, idsOf('device'))).map((row) => [row.id, row]));
    for (const item of piece)
      verdicts.push(
        item.origin === installationId
          ? refused(item, 'ownItem')
          : judgeRow(item, (item.kind === 'model' ? models : devices).get(item.id), landing),
      );
  }
  return verdicts;
};
