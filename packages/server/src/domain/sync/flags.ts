import { sql } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { AppError } from '../../platform/app-error.ts';
import { newId } from '../../platform/ids.ts';

/**
 * Raises the revision of a product; call it in the transaction of the change. Revisions also rise with time, so a
 * product created again under an old id has a higher one.
 */
export const markModelChanged = async (db: Db, productId: string): Promise<void> => {
  const now = Date.now();
  const [product] = await db
    .updateTable('product')
    .set({ revision: sql<number>`case when revision >= ${now} then revision + 1 else ${now} end` })
    .where('product_id', '=', productId)
    .where('origin_id', '=', '')
    .returning(['revision', 'tenancy_id'])
    .execute();
  if (!product) return;
  const { revision, tenancy_id } = product;
  // A record that is being sent stays in that state: the next delivery reads the new model.
  await db
    .updateTable('sync_record')
    .set({
      revision,
      status: sql<0 | 1>`case when status = 1 then 1 else 0 end`,
      attempts: 0,
      reason: '',
      updated_at: now,
    })
    .where('product_id', '=', productId)
    .where('data_type', '=', 1)
    .execute();
  const zones = await db
    .selectFrom('sync_zone')
    .innerJoin('zone', 'zone.zone_id', 'sync_zone.zone_id')
    .select('sync_zone.zone_id')
    .where('zone.status', '=', 1)
    .where('sync_zone.target', '<>', '')
    .where(({ or, exists, selectFrom, eb }) =>
      or([
        eb('zone.sync_all', '=', 1),
        exists(
          selectFrom('zone_tenancy')
            .select('zone_tenancy.zone_id')
            .whereRef('zone_tenancy.zone_id', '=', 'zone.zone_id')
            .where('zone_tenancy.tenancy_id', '=', tenancy_id),
        ),
      ]),
    )
    .execute();
  if (zones.length === 0) return;
  await db
    .insertInto('sync_record')
    .values(zones.map(({ zone_id }) => newRecord({ zone_id, data_type: 1, product_id: productId, revision }, now)))
    .onConflict((row) => row.columns(['zone_id', 'data_type', 'item_id']).doNothing())
    .execute();
};

type Item = { zone_id: number; data_type: 1 | 2; product_id: string; device_id?: string; revision: number };

export const newRecord = ({ device_id, ...item }: Item, now: number) => ({
  ...item,
  sync_id: newId(),
  item_id: device_id ?? item.product_id,
  device_id: device_id ?? null,
  status: 0 as const,
  sent_revision: 0,
  attempts: 0,
  next_at: 0,
  reason: '',
  tries: '[]',
  synced_at: 0,
  created_at: now,
  updated_at: now,
});

/** Fails for a row that another installation manages: it can be changed only there. */
export const assertNotSynced = (row: { origin_id: string }, name: string): void => {
  if (row.origin_id !== '') throw new AppError('RECEIVED_READ_ONLY', { name });
};

/**
 * Marks a received model or device for synchronisation to the other zones, but not to the installation that sent it.
 */
export const markReceived = async (
  db: Db,
  dataType: 1 | 2,
  { id: itemId, revision }: { id: string; revision: number },
  sender: string,
): Promise<void> => {
  if (sender !== '')
    await db
      .deleteFrom('sync_record')
      .where('data_type', '=', dataType)
      .where('item_id', '=', itemId)
      .where('zone_id', 'in', (row) =>
        row.selectFrom('sync_zone').select('sync_zone.zone_id').where('peer_id', '=', sender),
      )
      .execute();
  await db
    .updateTable('sync_record')
    .set({ revision, status: sql<0>`case when status = 2 then 0 else status end`, updated_at: Date.now() })
    .where('data_type', '=', dataType)
    .where(dataType === 1 ? 'product_id' : 'device_id', '=', itemId)
    .execute();
};
