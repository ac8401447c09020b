import { SyncDataType } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Reason } from './sync.reason.ts';

/** Rows of one statement: small, so that no other writer waits long for it. */
export const RECORD_BATCH = 1_000;

/** Changes of many records of a zone, in short statements. */
export const createRecordBatches = (db: Db) => {
  /** Repeats a batch until it affects fewer rows than its limit. */
  const inBatches = async (batch: () => Promise<bigint>): Promise<void> => {
    while ((await batch()) >= BigInt(RECORD_BATCH)) void 0;
  };

  /** Records that were delivered to previous nodes or receivers are not in sync with the current ones. */
  const resetDelivered = (zoneId: number, reason: Reason | undefined): Promise<void> =>
    inBatches(async () => {
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
            .limit(RECORD_BATCH),
        )
        .executeTakeFirst();
      return numUpdatedRows;
    });

  const removeAll = (zoneId: number): Promise<void> =>
    inBatches(async () => {
      const { numDeletedRows } = await db
        .deleteFrom('sync_record')
        .where('sync_id', 'in', (row) =>
          row.selectFrom('sync_record').select('sync_id').where('zone_id', '=', zoneId).limit(RECORD_BATCH),
        )
        .executeTakeFirst();
      return numDeletedRows;
    });

  const removeOutOfScope = (zoneId: number, tenancyIds: readonly string[]): Promise<void> =>
    inBatches(async () => {
      const { numDeletedRows } = await db
        .deleteFrom('sync_record')
        .where('sync_id', 'in', (row) =>
          row
            .selectFrom('sync_record')
            .innerJoin('product', 'product.product_id', 'sync_record.product_id')
            .select('sync_id')
            .where('zone_id', '=', zoneId)
            .where('product.tenancy_id', 'not in', ['', ...tenancyIds])
            .limit(RECORD_BATCH),
        )
        .executeTakeFirst();
      return numDeletedRows;
    });

  /** Removes the records of items that the receiver itself manages or delivered. */
  const removeItemsOf = async (zoneId: number, peerId: string): Promise<void> => {
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

  return { resetDelivered, removeAll, removeOutOfScope, removeItemsOf };
};
