import { SyncDataType } from '@device-center/contract';
import { expressionBuilder } from 'kysely';
import { deletingApplications } from '../../db/applications.ts';
import type { Db } from '../../db/connect.ts';
import { isOfFleet } from '../../db/rehearsed-devices.ts';
import { markModelChanged, newRecord } from '../../db/sync-flags.ts';
import type { Tables } from '../../db/tables.ts';
import type { ZoneScope } from '../../db/zone-scope.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Peers } from './sync.deliver.ts';
import { leadElsewhere, PEERS_CHANGING, storedPeers } from './sync.peers.ts';
import { problem, readReason } from './sync.reason.ts';
import { createRecordPieces, RECORDS_AT_ONCE } from './sync.record-pieces.ts';
import { readTargets, type SyncTarget } from './sync.targets.ts';

type Deps = { db: Db; secrets: Pick<SecretBox, 'open'> };
type DataType = 1 | 2;

const INSERTED_AT_ONCE = 200;
/** A device that is being written down when it is looked for has a time that lies a little back. */
const LOOK_BACK_MS = 15_000;

const hasNoRecord = (zoneId: number, dataType: DataType, itemId: 'product.product_id' | 'device.device_id') => {
  const { not, exists, selectFrom } = expressionBuilder<Tables, 'product' | 'device'>();
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

/** An own item gets a revision of now; of a device when it is read next. */
const markNewer = async (db: Db, dataType: DataType, itemId: string): Promise<void> => {
  if (dataType === SyncDataType.model) return markModelChanged(db, itemId);
  await db
    .updateTable('device')
    .set({ content_hash: '' })
    .where('device_id', '=', itemId)
    .where('origin_id', '=', '')
    .execute();
};

/** A record for every product and device and every zone that is a target. */
export const createRecords = ({ db, secrets }: Deps) => {
  const { resetDelivered, removeAll, removeBeyond, removeOwnOf } = createRecordPieces(db);
  /** Until when each zone's devices were looked through. */
  const lookedUntil = new Map<number, number>();

  const insert = async (records: ReturnType<typeof newRecord>[]): Promise<void> => {
    for (let from = 0; from < records.length; from += INSERTED_AT_ONCE)
      await db
        .insertInto('sync_record')
        .values(records.slice(from, from + INSERTED_AT_ONCE))
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
      .limit(RECORDS_AT_ONCE)
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
      .limit(RECORDS_AT_ONCE)
      .execute();
  };

  const addModels = async (zoneId: number, peerId: string, scope: ZoneScope): Promise<void> => {
    for (;;) {
      const missing = await missingModels(zoneId, peerId, scope);
      const now = Date.now();
      await insert(missing.map((row) => newRecord({ ...row, zone_id: zoneId, data_type: SyncDataType.model }, now)));
      if (missing.length < RECORDS_AT_ONCE) return;
    }
  };

  const addDevices = async (zoneId: number, peerId: string, scope: ZoneScope): Promise<void> => {
    const since = lookedUntil.get(zoneId) ?? 0;
    const now = Date.now();
    for (;;) {
      const missing = await missingDevices(zoneId, peerId, scope, since);
      await insert(missing.map((row) => newRecord({ ...row, zone_id: zoneId, data_type: SyncDataType.data }, now)));
      if (missing.length < RECORDS_AT_ONCE) break;
    }
    lookedUntil.set(zoneId, now - LOOK_BACK_MS);
  };

  const readZone = (zoneId: number) =>
    db.selectFrom('sync_zone').selectAll().where('zone_id', '=', zoneId).executeTakeFirst();

  /** The zone's row, and what follows from other nodes than it had. */
  const enter = async ({ zone, mark }: SyncTarget): Promise<{ peerId: string }> => {
    const kept = await readZone(zone.zone_id);
    if (kept?.target === mark) return { peerId: kept.peer_id };
    if (kept) {
      // From now on nothing counts that is on its way to the nodes of before; whoever is stopped here begins again.
      await db.updateTable('sync_zone').set({ target: '' }).where('zone_id', '=', zone.zone_id).execute();
      await resetDelivered(zone.zone_id, undefined);
    }
    const values = { zone_id: zone.zone_id, target: mark, peer_id: '', peers: '', leader: '', leader_until: 0 };
    await db
      .insertInto('sync_zone')
      .values(values)
      .onConflict((row) => row.column('zone_id').doUpdateSet({ target: mark, peer_id: '', peers: '' }))
      .execute();
    lookedUntil.delete(zone.zone_id);
    return { peerId: '' };
  };

  /** Other tenants were chosen: those that are not any more have no records, those that are get theirs. */
  const limitTo = async ({ zone: { zone_id: zoneId }, scope, scopeMark }: SyncTarget): Promise<void> => {
    if ((await readZone(zoneId))?.scope === scopeMark) return;
    if (scope !== undefined) await removeBeyond(zoneId, scope);
    lookedUntil.delete(zoneId);
    await db.updateTable('sync_zone').set({ scope: scopeMark }).where('zone_id', '=', zoneId).execute();
  };

  /** The installation behind all nodes; several are none in particular. */
  const soleInstallation = ({ nodes }: SyncTarget, peers: Peers): string => {
    const [first = '', ...others] = new Set([...peers.values()].map(({ installationId }) => installationId));
    return others.length === 0 && peers.size === nodes.length ? first : '';
  };

  const noteInstallation = async (kept: { zone_id: number; peer_id: string }, peerId: string): Promise<void> => {
    if (kept.peer_id === peerId) return;
    await db.updateTable('sync_zone').set({ peer_id: peerId }).where('zone_id', '=', kept.zone_id).execute();
    if (peerId !== '') await removeOwnOf(kept.zone_id, peerId);
    // And what another had sent is of interest to this one.
    lookedUntil.delete(kept.zone_id);
  };

  const keepZone = async (target: SyncTarget): Promise<void> => {
    const { peerId } = await enter(target);
    await limitTo(target);
    await addModels(target.zone.zone_id, peerId, target.scope);
    await addDevices(target.zone.zone_id, peerId, target.scope);
  };

  return {
    keepZone,

    /** Answers whether there are zones to keep records of. */
    async keep(): Promise<boolean> {
      // Before the targets: a zone that is added meanwhile would be known and no target, and lose what was asked of it.
      const known = await db.selectFrom('sync_zone').select('zone_id').execute();
      const targets = await readTargets(db, secrets);
      for (const target of targets) if (target.zone.status === 1) await keepZone(target);
      for (const { zone_id } of known) {
        if (targets.some(({ zone }) => zone.zone_id === zone_id)) continue;
        await removeAll(zone_id);
        await db.deleteFrom('sync_zone').where('zone_id', '=', zone_id).execute();
      }
      return targets.length > 0;
    },

    /** All are looked through again: one that was written down late is found. */
    lookAgain: (): void => lookedUntil.clear(),

    /**
     * Notes who receives at the zone's nodes, and answers how it is stored. Where a node leads elsewhere than before,
     * nothing counts that was delivered there.
     */
    async meet(target: SyncTarget, peers: Peers): Promise<string> {
      const zoneId = target.zone.zone_id;
      const now = storedPeers(target, peers);
      const kept = await readZone(zoneId);
      if (!kept) return now;
      const setPeers = (value: string) =>
        db
          .updateTable('sync_zone')
          .set({ peers: value })
          .where('zone_id', '=', zoneId)
          .where('target', '=', target.mark)
          .execute();
      if (leadElsewhere(kept.peers, now)) {
        // An interrupted reset begins again.
        await setPeers(PEERS_CHANGING);
        await resetDelivered(zoneId, problem('receiverChanged'));
      }
      if (kept.peers !== now) await setPeers(now);
      await noteInstallation(kept, soleInstallation(target, peers));
      return now;
    },

    /** Puts what is not in step on its way, in pieces; says how many. */
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
            .limit(RECORDS_AT_ONCE),
        )
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /**
     * Puts a piece of all records on its way, also those that are in sync; answers how many and where the next piece
     * begins. Own items that the other side has in a later revision get one past it.
     */
    async queueAgain(db: Db, zoneId: number, dataType: DataType, after: string): Promise<{ n: number; next: string }> {
      const rows = await db
        .selectFrom('sync_record')
        .select(['sync_id', 'item_id', 'reason'])
        .where('zone_id', '=', zoneId)
        .where('data_type', '=', dataType)
        .where('item_id', '>', after)
        .orderBy('item_id')
        .limit(RECORDS_AT_ONCE)
        .execute();
      if (rows.length === 0) return { n: 0, next: '' };
      for (const { item_id, reason } of rows)
        if (readReason(reason)?.code === 'newerThere') await markNewer(db, dataType, item_id);
      const now = Date.now();
      const values = { status: 1, sent_revision: 0, next_at: now, attempts: 0, reason: '', updated_at: now } as const;
      const ids = rows.map((row) => row.sync_id);
      await db.updateTable('sync_record').set(values).where('sync_id', 'in', ids).execute();
      return { n: rows.length, next: rows.length < RECORDS_AT_ONCE ? '' : (rows.at(-1)?.item_id ?? '') };
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
