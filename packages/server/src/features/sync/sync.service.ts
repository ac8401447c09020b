import {
  type Input,
  type Language,
  type Output,
  type SyncCounts,
  SyncDataType,
  type SyncRecordRow,
  SyncStatus,
  type syncCalls,
} from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { contains } from '../../db/contains.ts';
import { transact } from '../../db/errors.ts';
import { readPage } from '../../db/paging.ts';
import { storedJson } from '../../db/stored.ts';
import { withAudit } from '../../db/with-audit.ts';
import { PLATFORM, tenancyNameIn } from '../../domain/tenant/platform-ids.ts';
import { readZoneScopes } from '../../domain/zone/scope.ts';
import { zoneNameIn } from '../../domain/zone/zones.ts';
import type { Context } from '../../platform/actor.ts';
import { AppError } from '../../platform/app-error.ts';
import { foldCase } from '../../platform/fold-case.ts';
import { iso } from '../../platform/time.ts';
import type { Check } from './sync.check.ts';
import type { Items } from './sync.items.ts';
import type { Preview } from './sync.preview.ts';
import { readReason, reasonFields } from './sync.reason.ts';
import type { SyncRecords } from './sync.records.ts';
import type { Attempt } from './sync.sender.ts';

type Calls = typeof syncCalls;
type Deps = {
  db: Db;
  items: Items;
  preview: Preview;
  records: Pick<SyncRecords, 'updateZone' | 'queue' | 'requeue'>;
  check: Pick<Check, 'all'>;
};

const timeOrNull = (time: number): string | null => (time === 0 ? null : iso(time));

/** The records without joins: enough to filter and to count. */
const recordsOf = (db: Db) => db.selectFrom('sync_record');

const withNames = (rows: ReturnType<typeof recordsOf>) =>
  rows
    .innerJoin('product', 'product.product_id', 'sync_record.product_id')
    .innerJoin('tenancy', 'tenancy.tenancy_id', 'product.tenancy_id')
    .leftJoin('device', 'device.device_id', 'sync_record.device_id')
    .selectAll('sync_record')
    .select([
      'product.product_name',
      'product.origin_id as product_origin',
      'device.device_name',
      'device.origin_id as device_origin',
      'tenancy.tenancy_id',
      'tenancy.tenancy_name',
    ]);

type RecordRow = Awaited<ReturnType<ReturnType<typeof withNames>['execute']>>[number];

const toRow = (language: Language, row: RecordRow): SyncRecordRow => ({
  syncId: row.sync_id,
  zoneId: row.zone_id,
  dataType: row.data_type,
  productId: row.product_id,
  productName: row.product_name,
  deviceId: row.device_id ?? '',
  deviceName: row.device_name ?? '',
  tenancyName: tenancyNameIn(language, row),
  syncStatus: row.status,
  ...reasonFields(readReason(row.reason), language),
  attempts: row.attempts,
  nextTime: row.status === SyncStatus.failed ? iso(row.next_at) : null,
  syncTime: timeOrNull(row.synced_at),
  origin: row.device_origin ?? row.product_origin,
  createTime: iso(row.created_at),
  updateTime: iso(row.updated_at),
});

const productsLike = (db: Db, text: string) =>
  db.selectFrom('product').select('product.product_id').where(contains('product.product_id_key', text));
const devicesLike = (db: Db, text: string) =>
  db.selectFrom('device').select('device.device_id').where(contains('device.device_id_key', text));

const countsOf = async (db: Db, zoneIds: number[]) => {
  const rows = await db
    .selectFrom('sync_record')
    .select(['zone_id', 'data_type', 'status'])
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('synced_at').as('synced_at')])
    .where('zone_id', 'in', [0, ...zoneIds])
    .groupBy(['zone_id', 'data_type', 'status'])
    .execute();
  return (zoneId: number, dataType: 1 | 2): SyncCounts => {
    const own = rows.filter((row) => row.zone_id === zoneId && row.data_type === dataType);
    const count = (status: number) => Number(own.find((row) => row.status === status)?.n ?? 0);
    return {
      total: own.reduce((sum, row) => sum + Number(row.n), 0),
      success: count(SyncStatus.success),
      fail: count(SyncStatus.failed),
      waiting: count(SyncStatus.notSynchronized),
      sending: count(SyncStatus.synchronizing),
      syncTime: timeOrNull(Math.max(0, ...own.map((row) => Number(row.synced_at)))),
    };
  };
};

export const createSyncService = ({ db, items, preview, records, check }: Deps) => {
  /** An enabled zone that has nodes, with up-to-date sync records. */
  const prepareZone = async (zoneId: number) => {
    const target = await preview.targetOf(zoneId);
    if (target.zone.status !== 1) throw new AppError('ZONE_DISABLED');
    await records.updateZone(target);
    return target;
  };

  const auditOf = (zone: { zone_id: number; zone_name: string }, after: Record<string, unknown>) => ({
    tenancyId: PLATFORM.tenancyId,
    targetId: String(zone.zone_id),
    targetName: zone.zone_name,
    after,
  });

  return {
    async querySyncRecordCount(
      { language }: Context,
      input: Input<Calls['querySyncRecordCount']>,
    ): Promise<Output<Calls['querySyncRecordCount']>> {
      let rows = db
        .selectFrom('zone')
        .selectAll()
        .where('zone_id', 'in', (row) => row.selectFrom('zone_node').select('zone_node.zone_id'));
      if (input.zoneName) {
        // Matches the displayed name, which depends on the language. Zones are few.
        const text = foldCase(input.zoneName);
        const named = (await rows.execute()).filter((row) => foldCase(zoneNameIn(language, row)).includes(text));
        rows = rows.where('zone_id', 'in', [0, ...named.map((row) => row.zone_id)]);
      }
      if (input.status !== undefined) rows = rows.where('status', '=', input.status);
      const order = { createdAt: 'created_at', updatedAt: 'updated_at', unique: 'zone_id' };
      const page = await readPage(db, { rows, ...order }, input);
      const zoneIds = page.list.map((row) => row.zone_id);
      const counts = await countsOf(db, zoneIds);
      const scopes = await readZoneScopes(db, zoneIds);
      return {
        ...page,
        list: page.list.map((row) => ({
          zoneId: row.zone_id,
          zoneName: zoneNameIn(language, row),
          zoneType: row.zone_type,
          status: row.status,
          isSyncModel: row.is_sync_model,
          tenants: scopes.get(row.zone_id)?.length ?? null,
          model: counts(row.zone_id, SyncDataType.model),
          data: counts(row.zone_id, SyncDataType.data),
        })),
      };
    },

    async querySyncRecordList(
      { language }: Context,
      input: Input<Calls['querySyncRecordList']>,
    ): Promise<Output<Calls['querySyncRecordList']>> {
      let rows = recordsOf(db).where('sync_record.zone_id', '=', input.zoneId);
      if (input.dataType !== undefined) rows = rows.where('sync_record.data_type', '=', input.dataType);
      if (input.syncStatus !== undefined) rows = rows.where('sync_record.status', '=', input.syncStatus);
      if (input.productId) rows = rows.where('sync_record.product_id', 'in', productsLike(db, input.productId));
      if (input.deviceId) rows = rows.where('sync_record.device_id', 'in', devicesLike(db, input.deviceId));
      const order = {
        createdAt: 'sync_record.created_at',
        updatedAt: 'sync_record.updated_at',
        unique: 'sync_record.sync_id',
      };
      const page = await readPage(db, { rows: withNames(rows), bare: rows, ...order }, input);
      return { ...page, list: page.list.map((row) => toRow(language, row)) };
    },

    async getSyncRecord(
      { language }: Context,
      { syncId }: Input<Calls['getSyncRecord']>,
    ): Promise<Output<Calls['getSyncRecord']>> {
      const row = await withNames(recordsOf(db)).where('sync_record.sync_id', '=', syncId).executeTakeFirst();
      if (!row) throw new AppError('SYNC_RECORD_NOT_FOUND', {}, 'syncId');
      const target = await preview.targetOf(row.zone_id);
      const sent = (await items.read(row.data_type, [row.item_id])).get(row.item_id);
      // Nodes of a disabled zone are not contacted.
      const previewed =
        target.zone.status === 1
          ? await preview.previewRecord(target, row, language)
          : { problem: { code: 'ZONE_DISABLED', params: {} } };
      const known = 'effect' in previewed;
      return {
        ...toRow(language, row),
        zoneName: zoneNameIn(language, target.zone),
        sent: sent?.item.content ?? null,
        present: known ? (previewed.effect.change === 'same' ? (sent?.item.content ?? null) : previewed.present) : null,
        presentKnown: known ? 1 : 0,
        presentProblem: known ? '' : reasonFields(previewed.problem, language).reason,
        effect: known ? previewed.effect : null,
        tries: storedJson<Attempt[]>(row.tries, 'sync_record', row.sync_id).map(({ at, node, reason }) => ({
          time: iso(at),
          ok: reason ? (0 as const) : (1 as const),
          node,
          ...reasonFields(reason, language),
        })),
      };
    },

    previewSync: preview.previewSync,

    async request(context: Context, { syncIds, zoneId }: Input<Calls['request']>): Promise<{ requested: number }> {
      const { zone } = await prepareZone(zoneId);
      const uniqueIds = [...new Set(syncIds)].sort();
      return withAudit(db, context, async (db) => {
        const now = Date.now();
        const { numUpdatedRows } = await db
          .updateTable('sync_record')
          .set({
            status: SyncStatus.synchronizing,
            next_at: now,
            attempts: 0,
            reason: '',
            updated_at: now,
          })
          .where('sync_id', 'in', uniqueIds)
          .where('zone_id', '=', zoneId)
          .executeTakeFirst();
        const requested = Number(numUpdatedRows);
        if (requested !== uniqueIds.length) throw new AppError('SYNC_RECORD_NOT_FOUND', {}, 'syncIds');
        return { result: { requested }, audit: auditOf(zone, { syncIds: uniqueIds }) };
      });
    },

    /** Queues the first batch with the audit entry, then the others, so that no transaction is long. */
    async oneKey(context: Context, { zoneId, dataType }: Input<Calls['oneKey']>): Promise<{ requested: number }> {
      const target = await prepareZone(zoneId);
      const { zone } = target;
      await check.all(target, dataType);
      let requested = await withAudit(db, context, async (db) => {
        const { n } = await db
          .selectFrom('sync_record')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('zone_id', '=', zoneId)
          .where('data_type', '=', dataType)
          .where('status', 'in', [SyncStatus.notSynchronized, SyncStatus.failed])
          .executeTakeFirstOrThrow();
        const result = await records.queue(db, zoneId, dataType);
        return { result, audit: auditOf(zone, { dataType, records: Number(n) }) };
      });
      for (;;) {
        const more = await records.queue(db, zoneId, dataType);
        requested += more;
        if (more === 0) return { requested };
      }
    },

    async resend(context: Context, { zoneId, dataType }: Input<Calls['resend']>): Promise<{ requested: number }> {
      const { zone } = await prepareZone(zoneId);
      let { n: requested, next } = await withAudit(db, context, async (db) => {
        const { n } = await db
          .selectFrom('sync_record')
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .where('zone_id', '=', zoneId)
          .where('data_type', '=', dataType)
          .executeTakeFirstOrThrow();
        const result = await records.requeue(db, zoneId, dataType, '');
        return { result, audit: auditOf(zone, { dataType, records: Number(n) }) };
      });
      while (next !== '') {
        const after = next;
        const batch = await transact(db, (db) => records.requeue(db, zoneId, dataType, after));
        requested += batch.n;
        next = batch.next;
      }
      return { requested };
    },
  };
};
