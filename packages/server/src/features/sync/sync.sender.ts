import { SYNC_ITEMS_MAX, SYNC_TRIES_KEPT, SyncDataType } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { SyncRecordTable } from '../../db/hub-tables.ts';
import { isInScope } from '../../domain/zone/scope.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { batches, type Delivery, NodeUnavailableError, type Peers, type Undelivered } from './sync.deliver.ts';
import type { Items, OutgoingItem } from './sync.items.ts';
import { problem } from './sync.reason.ts';
import type { SyncRecords } from './sync.records.ts';
import { readTargets, type SyncTarget } from './sync.targets.ts';
import { createZoneLease } from './sync.zone-lease.ts';

type Deps = {
  db: Db;
  secrets: Pick<SecretBox, 'open'>;
  delivery: Pick<Delivery, 'identifyPeers' | 'deliver'>;
  items: Items;
  records: Pick<SyncRecords, 'storePeers' | 'queue'>;
  log: Log;
};
type Row = Selectable<SyncRecordTable>;
type SentItem = OutgoingItem & { row: Row };
/** A target with its receivers, and their stored form. */
type ResolvedTarget = { target: SyncTarget; peers: Peers; stored: string };

/** One delivery attempt, stored as JSON in the sync record. */
export type Attempt = { at: number; node: string; reason?: Undelivered['reason'] };

/** After this time a zone's turn ends, and the next run of the job continues. */
const TURN_MS = 10_000;
const UPDATE_BATCH = 500;
/** Smaller than a batch of devices, because models may be large and are held in memory until they are sent. */
const MODEL_BATCH = 20;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 600_000;
/** The longest pause between two attempts to reach an unavailable node, however many records are due. */
const UNAVAILABLE_MAX_MS = 5_000;

const backoffOf = (failures: number, max: number): number => Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), max);
/** With jitter, so that records that failed together are not all retried together. */
const retryAfter = (attempts: number): number =>
  Math.round(backoffOf(attempts, RETRY_MAX_MS) * (0.8 + Math.random() * 0.4));

/** Products that exchange their names must be in one delivery: all that wait for a name become due together. */
const alignNameTaken = (db: Db, zoneId: number, nextAt: number) =>
  db
    .updateTable('sync_record')
    .set({ next_at: nextAt })
    .where('zone_id', '=', zoneId)
    .where('data_type', '=', SyncDataType.model)
    .where('status', '=', 3)
    .where('reason', 'like', '{"code":"productNameTaken"%')
    .execute();

/** Sends due records. One hub at a time sends to a zone; all state is in the database. */
export const createSender = ({ db, secrets, delivery, items, records, log }: Deps) => {
  const lease = createZoneLease(db);
  const unavailable = new Map<number, { failures: number; until: number }>();
  const stopping = new AbortController();

  /** Follows the order of an index, so that it stays fast with many waiting records. */
  const dueOf = (zoneId: number, dataType: 1 | 2, status: 1 | 3, limit: number): Promise<Row[]> =>
    db
      .selectFrom('sync_record')
      .selectAll()
      .where('zone_id', '=', zoneId)
      .where('status', '=', status)
      .where('data_type', '=', dataType)
      .where('next_at', '<=', Date.now())
      .orderBy('next_at')
      .orderBy('sync_id')
      .limit(limit)
      .execute();

  /** Queued records and failed ones that are due, all of one type; models first, because devices need them. */
  const due = async (zoneId: number, limit: number): Promise<Row[]> => {
    for (const dataType of [SyncDataType.model, SyncDataType.data]) {
      const rows = [...(await dueOf(zoneId, dataType, 1, limit)), ...(await dueOf(zoneId, dataType, 3, limit))];
      if (rows.length > 0) return rows.slice(0, limit);
    }
    return [];
  };

  /** Corrupted earlier attempts are discarded: otherwise a delivered item could never be stored as delivered. */
  const earlierAttempts = (row: Row): Attempt[] => {
    try {
      return JSON.parse(row.tries) as Attempt[];
    } catch (error) {
      log.warn({ err: error, syncId: row.sync_id }, 'sync record attempts corrupted, discarded');
      return [];
    }
  };
  const withAttempt = (row: Row, next: Attempt): string =>
    JSON.stringify([next, ...earlierAttempts(row)].slice(0, SYNC_TRIES_KEPT));

  const fail = (rows: Row[], failureOf: (row: Row) => Undelivered): Promise<void> =>
    transact(db, async (db) => {
      const now = Date.now();
      for (const row of rows) {
        const { node, reason } = failureOf(row);
        await db
          .updateTable('sync_record')
          .set({
            status: 3,
            attempts: row.attempts + 1,
            next_at: now + retryAfter(row.attempts + 1),
            reason: JSON.stringify(reason),
            tries: withAttempt(row, { at: now, node, reason }),
            updated_at: now,
          })
          .where('sync_id', '=', row.sync_id)
          .where('status', 'in', [1, 3])
          .execute();
        if (reason.code === 'productNameTaken') await alignNameTaken(db, row.zone_id, now + retryAfter(1));
      }
    });

  /** A record whose item has changed meanwhile stays queued: its revision is higher than the sent one. */
  const succeed = ({ target, stored }: ResolvedTarget, sent: SentItem[]): Promise<void> =>
    transact(db, async (db) => {
      if (!(await lease.lock(db, target, stored))) return;
      const now = Date.now();
      for (const { row, item } of sent)
        await db
          .updateTable('sync_record')
          .set({
            status: 2,
            revision: item.revision,
            sent_revision: item.revision,
            attempts: 0,
            reason: '',
            tries: withAttempt(row, { at: now, node: '' }),
            synced_at: now,
            updated_at: now,
          })
          .where('sync_id', '=', row.sync_id)
          .where('status', 'in', [1, 3])
          .where('revision', '<=', item.revision)
          .execute();
    });

  const storeResults = async (
    resolved: ResolvedTarget,
    sent: SentItem[],
    undelivered: Map<string, Undelivered>,
  ): Promise<void> => {
    const failed = sent.filter(({ item }) => undelivered.has(item.id)).map(({ row }) => row);
    const done = sent.filter(({ item }) => !undelivered.has(item.id));
    if (done.length > 0) await succeed(resolved, done);
    const unknown = { node: '', reason: problem('fault') };
    if (failed.length > 0) await fail(failed, (row) => undelivered.get(row.item_id) ?? unknown);
  };

  /** Asks the HTTP nodes for their receivers. */
  const resolveTarget = async (target: SyncTarget): Promise<ResolvedTarget> => {
    const peers = await delivery.identifyPeers(target, stopping.signal);
    return { target, peers, stored: await records.storePeers(target, peers) };
  };

  /** Records that could not be read now are due later, so that the others need not wait for them. */
  const postpone = async (rows: Row[]): Promise<void> => {
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.sync_id);
    await db
      .updateTable('sync_record')
      .set({ next_at: Date.now() + RETRY_FIRST_MS })
      .where('sync_id', 'in', ids)
      .execute();
  };

  const sendBatch = async (resolved: ResolvedTarget, rows: Row[]): Promise<boolean> => {
    const { target, peers } = resolved;
    const [first] = rows;
    if (!first) return false;
    const batchSize = first.data_type === SyncDataType.model ? MODEL_BATCH : SYNC_ITEMS_MAX;
    const sameType = rows.slice(0, batchSize);
    const found = await items.read(
      first.data_type,
      sameType.map((row) => row.item_id),
    );
    const readable = sameType.flatMap((row): SentItem[] => {
      const outgoing = found.get(row.item_id);
      return outgoing && isInScope(target.scope, outgoing.tenancyId) ? [{ ...outgoing, row }] : [];
    });
    const sendable = new Set(readable.map(({ row }) => row.sync_id));
    await postpone(sameType.filter((row) => !sendable.has(row.sync_id)));
    for (const batch of batches(readable)) {
      if (!(await lease.acquire(target.zone.zone_id))) return false;
      const undelivered = await delivery.deliver(target, peers, batch, stopping.signal);
      await storeResults(resolved, batch, undelivered);
    }
    return true;
  };

  const isUnchanged = async ({ target, stored }: ResolvedTarget): Promise<boolean> => {
    const zones = db.selectFrom('sync_zone').select('peers').where('zone_id', '=', target.zone.zone_id);
    if ((await zones.executeTakeFirst())?.peers !== stored) return false;
    const [current] = await readTargets(db, secrets, target.zone.zone_id);
    return (
      current !== undefined &&
      current.zone.status === 1 &&
      current.nodesHash === target.nodesHash &&
      current.scopeKey === target.scopeKey
    );
  };

  const sendAll = async (target: SyncTarget): Promise<void> => {
    const { zone_id: zoneId } = target.zone;
    const until = performance.now() + TURN_MS;
    let rows = await due(zoneId, SYNC_ITEMS_MAX);
    if (rows.length === 0) return;
    const resolved = await resolveTarget(target);
    while (rows.length > 0 && performance.now() < until && !stopping.signal.aborted) {
      if (!(await sendBatch(resolved, rows))) return;
      if (!(await isUnchanged(resolved))) return;
      rows = await due(zoneId, SYNC_ITEMS_MAX);
    }
  };

  /** Fails all due records, because none of them can be delivered now. */
  const failAll = async (zoneId: number, { node, reason }: NodeUnavailableError): Promise<void> => {
    for (;;) {
      const rows = await due(zoneId, UPDATE_BATCH);
      if (rows.length === 0) return;
      await fail(rows, () => ({ node, reason }));
    }
  };

  const sendZone = async (target: SyncTarget): Promise<void> => {
    const { zone_id: zoneId, is_sync_model } = target.zone;
    if (is_sync_model === 1) while ((await queueChanged(zoneId)) > 0) void 0;
    const backoff = unavailable.get(zoneId);
    if (
      (backoff && backoff.until > performance.now()) ||
      (await due(zoneId, 1)).length === 0 ||
      !(await lease.acquire(zoneId))
    )
      return;
    try {
      await sendAll(target);
      unavailable.delete(zoneId);
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (!(error instanceof NodeUnavailableError)) throw error;
      const failures = (backoff?.failures ?? 0) + 1;
      unavailable.set(zoneId, { failures, until: performance.now() + backoffOf(failures, UNAVAILABLE_MAX_MS) });
      await failAll(zoneId, error);
    } finally {
      await lease.release(zoneId);
    }
  };

  /** Queues changed models of a zone that synchronises models automatically; failed ones wait for their retry. */
  const queueChanged = async (zoneId: number): Promise<number> => {
    const now = Date.now();
    const { numUpdatedRows } = await db
      .updateTable('sync_record')
      .set({ status: 1, next_at: now, updated_at: now })
      .where('sync_id', 'in', (row) =>
        row
          .selectFrom('sync_record')
          .select('sync_id')
          .where('zone_id', '=', zoneId)
          .where('status', '=', 0)
          .where('data_type', '=', SyncDataType.model)
          .limit(UPDATE_BATCH),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };

  return {
    /** Returns whether there are zones to send to. */
    async send(): Promise<boolean> {
      const targets = await readTargets(db, secrets);
      const enabled = targets.filter(({ zone }) => zone.status === 1);
      await Promise.all(
        enabled.map((target) =>
          sendZone(target).catch((error: unknown) =>
            log.error({ err: error, zoneId: target.zone.zone_id }, 'synchronisation failed'),
          ),
        ),
      );
      return enabled.length > 0;
    },

    stop: (): void => stopping.abort(),
  };
};
