import { SyncDataType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Reason } from './sync.reason.ts';

/** Rows of one statement, so that no other writer waits long for it. */
export const RECORDS_AT_ONCE = 1_000;
const AT_ONCE = RECORDS_AT_ONCE;

/** Changes of many records of a zone, each in short statements. */
export const createRecordPieces = (db: Db) => {
  /** In pieces, until none is left. */
  const inPieces = async (piece: () => Promise<bigint>): Promise<void> => {
    while ((await piece()) >= BigInt(AT_ONCE)) void 0;
  };

  /** What was delivered to other nodes or receivers is not in sync with those of now. */
  const resetDelivered = (zoneId: number, reason: Reason | undefined): Promise<void> =>
    inPieces(async () => {
      const { numUpdatedRows } = await db
        .updateTable('sync_record')
        .set({
          status: 0,
          sent_revision: 0,
          reason: reason ? JSON.stringify(reason) : '',
          attempts: 0,
          updated_at: Date.now(),
        })
        .where('sync_id', 'in', (row) =>
          row
            .selectFrom('sync_record')
            .select('sync_id')
            .where('zone_id', '=', zoneId)
            .where('status', '=', 2)
            .limit(AT_ONCE),
        )
        .executeTakeFirst();
      return numUpdatedRows;
    });

  const removeAll = (zoneId: number): Promise<void> =>
    inPieces(async () => {
      const { numDeletedRows } = await db
        .deleteFrom('sync_record')
        .where('sync_id', 'in', (row) =>
          row.selectFrom('sync_record').select('sync_id').where('zone_id', '=', zoneId).limit(AT_ONCE),
        )
        .executeTakeFirst();
      return numDeletedRows;
    });

  const removeBeyond = (zoneId: number, tenancyIds: readonly string[]): Promise<void> =>
    inPieces(async () => {
      const { numDeletedRows } = await db
        .deleteFrom('sync_record')
        .where('sync_id', 'in', (row) =>
          row
            .selectFrom('sync_record')
            .innerJoin('product', 'product.product_id', 'sync_record.product_id')
            .select('sync_id')
            .where('zone_id', '=', zoneId)
            .where('product.tenancy_id', 'not in', ['', ...tenancyIds])
            .limit(AT_ONCE),
        )
        .executeTakeFirst();
      return numDeletedRows;
    });

  /** What came from the other side is no business of it. */
  const removeOwnOf = async (zoneId: number, peerId: string): Promise<void> => {
    for (const table of ['product', 'device'] as const) {
      const key = `${table}_id` as const;
      await db
        .deleteFrom('sync_record')
        .where('zone_id', '=', zoneId)
        .where('data_type', '=', table === 'product' ? SyncDataType.model : SyncDataType.data)
        .where('item_id', 'in', (row) =>
          row
            .selectFrom(table)
            .select(`${table}.${key}` as 'product.product_id')
            .where(({ or, eb }) => or([eb('origin_id', '=', peerId), eb('received_from', '=', peerId)])),
        )
        .execute();
    }
  };

  return { resetDelivered, removeAll, removeBeyond, removeOwnOf };
};
