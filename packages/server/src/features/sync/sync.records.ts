import { SyncDataType } from '@device-center/contract';
import { expressionBuilder } from 'kysely';
import type { Db } from '../../db/connect.ts';
import type { HubTables } from '../../db/hub-tables.ts';
import { deletingApplications } from '../../domain/application/applications.ts';
import { isOfFleet } from '../../domain/device/rehearsal-devices.ts';
import { markModelChanged, newRecord } from '../../domain/sync/flags.ts';
import type { ZoneScope } from '../../domain/zone/scope.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Peers } from './sync.deliver.ts';
import { havePeersChanged, PEERS_CHANGING, serializePeers } from './sync.peers.ts';
import { problem, readReason } from './sync.reason.ts';
import { createRecordBatches, RECORD_BATCH } from './sync.record-batches.ts';
import { readTargets, type SyncTarget } from './sync.targets.ts';

type Deps = { db: Db; secrets: Pick<SecretBox, 'open'> };
type DataType = 1 | 2;

const INSERT_BATCH = 200;
/** Scans overlap by this much, because a row that is committed after a scan may have an earlier creation time. */
const SCAN_OVERLAP_MS = 15_000;

const hasNoRecord = (zoneId: number, dataType: DataType, itemId: 'product.product_id' | 'device.device_id') => {
  const { not, exists, selectFrom } = expressionBuilder<HubTables, 'product' | 'device'>();
  return not(
    exists(
      selectFrom('sync_record')
        .select('sync_id')
        .where('zone_id', '=', zoneId)
        .where('data_type', '=', dataType)
        .whereRef('item_id', '=', itemId),
    ),
  );
};

/** Raises the revision of an item that is managed here; a device gets it when it is read next. */
const raiseRevision = async (db: Db, dataType: DataType, itemId: string): Promise<void> => {
  if (dataType === SyncDataType.model) return markModelChanged(db, itemId);
  await db
    .updateTable('device')
    .set({ content_hash: '' })
    .where('device_id', '=', itemId)
    .where('origin_id', '=', '')
    .execute();
};

/** Maintains one sync record per zone for every product and device. */
export const createSyncRecords = ({ db, secrets }: Deps) => {
  const { resetDelivered, removeAll, removeOutOfScope, removeItemsOf } = createRecordBatches(db);
  /** By zone: devices created before this time were scanned. */
  const scannedUntil = new Map<number, number>();

  const insert = async (records: ReturnType<typeof newRecord>[]): Promise<void> => {
    for (let from = 0; from < records.length; from += INSERT_BATCH)
      await db
        .insertInto('sync_record')
        .values(records.slice(from, from + INSERT_BATCH))
        .onConflict((row) => row.columns(['zone_id', 'data_type', 'item_id']).doNothing())
        .execute();
  };

  const missingModels = (zoneId: number, peerId: string, scope: ZoneScope) =>
    db
      .selectFrom('product')
      .select(['product_id', 'revision'])
      .$if(scope !== undefined, (rows) => rows.where('tenancy_id', 'in', ['', ...(scope ?? [])]))
      .where('origin_id', 'not in', ['-', peerId].filter(Boolean))
      .where('received_from', 'not in', ['-', peerId].filter(Boolean))
      .where(hasNoRecord(zoneId, SyncDataType.model, 'product.product_id'))
      .orderBy('product_id')
      .limit(RECORD_BATCH)
      .execute();

  const missingDevices = async (zoneId: number, peerId: string, scope: ZoneScope, since: number) => {
    const hidden = await deletingApplications(db);
    return db
      .selectFrom('device')
      .select(['device_id', 'product_id', 'revision'])
      .where('created_at', '>=', since)
      .$if(scope !== undefined, (rows) => rows.where('tenancy_id', 'in', ['', ...(scope ?? [])]))
      .where('application_id', 'not in', ['-', ...hidden])
      .where('origin_id', 'not in', ['-', peerId].filter(Boolean))
      .where('received_from', 'not in', ['-', peerId].filter(Boolean))
      .where(isOfFleet([]))
      .where(hasNoRecord(zoneId, SyncDataType.data, 'device.device_id'))
      .limit(RECORD_BATCH)
      .execute();
  };

  const addModels = async (zoneId: number, peerId: string, scope: ZoneScope): Promise<void> => {
    for (;;) {
      const missing = await missingModels(zoneId, peerId, scope);
      const now = Date.now();
      await insert(missing.map((row) => newRecord({ ...row, zone_id: zoneId, data_type: SyncDataType.model }, now)));
      if (missing.length < RECORD_BATCH) return;
    }
  };

  const addDevices = async (zoneId: number, peerId: string, scope: ZoneScope): Promise<void> => {
    const since = scannedUntil.get(zoneId) ?? 0;
    const now = Date.now();
    for (;;) {
      const missing = await missingDevices(zoneId, peerId, scope, since);
      await insert(missing.map((row) => newRecord({ ...row, zone_id: zoneId, data_type: SyncDataType.data }, now)));
      if (missing.length < RECORD_BATCH) break;
    }
    scannedUntil.set(zoneId, now - SCAN_OVERLAP_MS);
  };

  const readZone = (zoneId: number) =>
    db.selectFrom('sync_zone').selectAll().where('zone_id', '=', zoneId).executeTakeFirst();

  /** Stores the zone's nodes. If they have changed, delivered records are reset. */
  const updateZoneRow = async ({ zone, nodesHash }: SyncTarget): Promise<{ peerId: string }> => {
    const stored = await readZone(zone.zone_id);
    if (stored?.target === nodesHash) return { peerId: stored.peer_id };
    if (stored) {
      // '' invalidates deliveries in progress to the previous nodes, and repeats an interrupted reset.
      await db.updateTable('sync_zone').set({ target: '' }).where('zone_id', '=', zone.zone_id).execute();
      await resetDelivered(zone.zone_id, undefined);
    }
    const values = { zone_id: zone.zone_id, target: nodesHash, peer_id: '', peers: '', leader: '', leader_until: 0 };
    await db
      .insertInto('sync_zone')
      .values(values)
      .onConflict((row) => row.column('zone_id').doUpdateSet({ target: nodesHash, peer_id: '', peers: '' }))
      .execute();
    scannedUntil.delete(zone.zone_id);
    return { peerId: '' };
  };

  /** Applies a change of the tenants: removes the records of removed ones and rescans for those of added ones. */
  const applyScope = async ({ zone: { zone_id: zoneId }, scope, scopeKey }: SyncTarget): Promise<void> => {
    if ((await readZone(zoneId))?.scope === scopeKey) return;
    if (scope !== undefined) await removeOutOfScope(zoneId, scope);
    scannedUntil.delete(zoneId);
    await db.updateTable('sync_zone').set({ scope: scopeKey }).where('zone_id', '=', zoneId).execute();
  };

  /** The installation behind all nodes; '' where they differ or are not all HTTP. */
  const soleInstallation = ({ nodes }: SyncTarget, peers: Peers): string => {
    const [first = '', ...others] = new Set([...peers.values()].map(({ installationId }) => installationId));
    return others.length === 0 && peers.size === nodes.length ? first : '';
  };

  const updatePeerId = async (stored: { zone_id: number; peer_id: string }, peerId: string): Promise<void> => {
    if (stored.peer_id === peerId) return;
    await db.updateTable('sync_zone').set({ peer_id: peerId }).where('zone_id', '=', stored.zone_id).execute();
    if (peerId !== '') await removeItemsOf(stored.zone_id, peerId);
    // The rescan adds the items of the previous installation, which had none.
    scannedUntil.delete(stored.zone_id);
  };

  const updateZone = async (target: SyncTarget): Promise<void> => {
    const { peerId } = await updateZoneRow(target);
    await applyScope(target);
    await addModels(target.zone.zone_id, peerId, target.scope);
    await addDevices(target.zone.zone_id, peerId, target.scope);
  };

  return {
    updateZone,

    /** Returns whether there are zones with sync records. */
    async updateAll(): Promise<boolean> {
      // Read before the targets: a zone added in between would otherwise be known without a target, and be removed.
      const known = await db.selectFrom('sync_zone').select('zone_id').execute();
      const targets = await readTargets(db, secrets);
      for (const target of targets) if (target.zone.status === 1) await updateZone(target);
      for (const { zone_id } of known) {
        if (targets.some(({ zone }) => zone.zone_id === zone_id)) continue;
        await removeAll(zone_id);
        await db.deleteFrom('sync_zone').where('zone_id', '=', zone_id).execute();
      }
      return targets.length > 0;
    },

    /** Scans all devices again, and so finds those that were committed late. */
    rescan: (): void => scannedUntil.clear(),

    /**
     * Stores the receivers behind the zone's nodes and returns the stored form. If a node has another receiver than
     * before, delivered records are reset.
     */
    async storePeers(target: SyncTarget, peers: Peers): Promise<string> {
      const zoneId = target.zone.zone_id;
      const current = serializePeers(target, peers);
      const stored = await readZone(zoneId);
      if (!stored) return current;
      const setPeers = (value: string) =>
        db
          .updateTable('sync_zone')
          .set({ peers: value })
          .where('zone_id', '=', zoneId)
          .where('target', '=', target.nodesHash)
          .execute();
      if (havePeersChanged(stored.peers, current)) {
        // This value makes a later call repeat an interrupted reset.
        await setPeers(PEERS_CHANGING);
        await resetDelivered(zoneId, problem('receiverChanged'));
      }
      if (stored.peers !== current) await setPeers(current);
      await updatePeerId(stored, soleInstallation(target, peers));
      return current;
    },

    /** Queues one batch of the records that are not in sync; returns how many. */
    async queue(db: Db, zoneId: number, dataType: DataType): Promise<number> {
      const now = Date.now();
      const { numUpdatedRows } = await db
        .updateTable('sync_record')
        .set({ status: 1, next_at: now, attempts: 0, reason: '', updated_at: now })
        .where('sync_id', 'in', (row) =>
          row
            .selectFrom('sync_record')
            .select('sync_id')
            .where('zone_id', '=', zoneId)
            .where('data_type', '=', dataType)
            .where('status', 'in', [0, 3])
            .limit(RECORD_BATCH),
        )
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /**
     * Queues one batch of all records, also those that are in sync; returns how many and where the next batch starts.
     * Items managed here that the receiver has in a later revision get a new revision.
     */
    async requeue(db: Db, zoneId: number, dataType: DataType, after: string): Promise<{ n: number; next: string }> {
      const rows = await db
        .selectFrom('sync_record')
        .select(['sync_id', 'item_id', 'reason'])
        .where('zone_id', '=', zoneId)
        .where('data_type', '=', dataType)
        .where('item_id', '>', after)
        .orderBy('item_id')
        .limit(RECORD_BATCH)
        .execute();
      if (rows.length === 0) return { n: 0, next: '' };
      for (const { item_id, reason } of rows)
        if (readReason(reason)?.code === 'newerThere') await raiseRevision(db, dataType, item_id);
      const now = Date.now();
      const values = { status: 1, sent_revision: 0, next_at: now, attempts: 0, reason: '', updated_at: now } as const;
      const ids = rows.map((row) => row.sync_id);
      await db.updateTable('sync_record').set(values).where('sync_id', 'in', ids).execute();
      return { n: rows.length, next: rows.length < RECORD_BATCH ? '' : (rows.at(-1)?.item_id ?? '') };
    },
  };
};

export type SyncRecords = ReturnType<typeof createSyncRecords>;
