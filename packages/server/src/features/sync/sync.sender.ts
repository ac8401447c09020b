import { SYNC_ITEMS_MAX, SYNC_TRIES_KEPT, SyncDataType } from '@device-center/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { SyncRecordTable } from '../../db/sync-tables.ts';
import { isInScope } from '../../db/zone-scope.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { batches, type Delivery, NodeUnavailableError, type Peers, type Undelivered } from './sync.deliver.ts';
import type { Items, Outgoing } from './sync.items.ts';
import { problem } from './sync.reason.ts';
import type { Records } from './sync.records.ts';
import { readTargets, type SyncTarget } from './sync.targets.ts';
import { createZoneLease } from './sync.zone-lease.ts';

type Deps = {
  db: Db;
  secrets: Pick<SecretBox, 'open'>;
  delivery: Pick<Delivery, 'greet' | 'deliver'>;
  items: Items;
  records: Pick<Records, 'meet' | 'queue'>;
  log: Log;
};
type Row = Selectable<SyncRecordTable>;
type Sent = Outgoing & { row: Row };
/** A target with who receives there, and how that is stored. */
type Met = { target: SyncTarget; peers: Peers; stored: string };

/** One kept try, as JSON in its record. */
export type Try = { at: number; node: string; reason?: Undelivered['reason'] };

/** How long one turn goes on before others have theirs. */
const TURN_MS = 10_000;
const FAILED_AT_ONCE = 500;
/** Models may be large, and stand whole in memory until they are sent. */
const MODELS_AT_ONCE = 20;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 600_000;
/** A node that is away is not asked more often than this, however many records are due. */
const AWAY_MAX_MS = 5_000;

const doubled = (failures: number, max: number): number => Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), max);
/** Apart, so that those who failed together do not all come back together. */
const retryAfter = (attempts: number): number =>
  Math.round(doubled(attempts, RETRY_MAX_MS) * (0.8 + Math.random() * 0.4));

/** Products that exchange their names are taken in one delivery alone: all that wait for a name are due together. */
const alignNameTaken = (db: Db, zoneId: number, nextAt: number) =>
  db
    .updateTable('sync_record')
    .set({ next_at: nextAt })
    .where('zone_id', '=', zoneId)
    .where('data_type', '=', SyncDataType.model)
    .where('status', '=', 3)
    .where('reason', 'like', '{"code":"productNameTaken"%')
    .execute();

/** Sends what is due, a zone by one hub at a time; all it knows is in rows. */
export const createSender = ({ db, secrets, delivery, items, records, log }: Deps) => {
  const lease = createZoneLease(db);
  const away = new Map<number, { failures: number; until: number }>();
  const stopping = new AbortController();

  /** In the order of an index, however many wait. */
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

  /** On their way, and failed ones whose time has come, all of one type; models first, since devices need them. */
  const due = async (zoneId: number, limit: number): Promise<Row[]> => {
    for (const dataType of [SyncDataType.model, SyncDataType.data]) {
      const rows = [...(await dueOf(zoneId, dataType, 1, limit)), ...(await dueOf(zoneId, dataType, 3, limit))];
      if (rows.length > 0) return rows.slice(0, limit);
    }
    return [];
  };

  /** Earlier tries that cannot be read are let go: an item that was delivered must not be sent for ever over them. */
  const earlierTries = (row: Row): Try[] => {
    try {
      return JSON.parse(row.tries) as Try[];
    } catch (error) {
      log.warn({ err: error, syncId: row.sync_id }, 'the earlier tries of a sync record are damaged and were dropped');
      return [];
    }
  };
  const triesOf = (row: Row, next: Try): string =>
    JSON.stringify([next, ...earlierTries(row)].slice(0, SYNC_TRIES_KEPT));

  const fail = (rows: Row[], why: (row: Row) => Undelivered): Promise<void> =>
    transact(db, async (db) => {
      const now = Date.now();
      for (const row of rows) {
        const { node, reason } = why(row);
        await db
          .updateTable('sync_record')
          .set({
            status: 3,
            attempts: row.attempts + 1,
            next_at: now + retryAfter(row.attempts + 1),
            reason: JSON.stringify(reason),
            tries: triesOf(row, { at: now, node, reason }),
            updated_at: now,
          })
          .where('sync_id', '=', row.sync_id)
          .where('status', 'in', [1, 3])
          .execute();
        if (reason.code === 'productNameTaken') await alignNameTaken(db, row.zone_id, now + retryAfter(1));
      }
    });

  /** One that has changed meanwhile is still on its way: its revision is past what was sent. */
  const succeed = ({ target, stored }: Met, sent: Sent[]): Promise<void> =>
    transact(db, async (db) => {
      if (!(await lease.hold(db, target, stored))) return;
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
            tries: triesOf(row, { at: now, node: '' }),
            synced_at: now,
            updated_at: now,
          })
          .where('sync_id', '=', row.sync_id)
          .where('status', 'in', [1, 3])
          .where('revision', '<=', item.revision)
          .execute();
    });

  const settle = async (met: Met, sent: Sent[], undelivered: Map<string, Undelivered>): Promise<void> => {
    const failed = sent.filter(({ item }) => undelivered.has(item.id)).map(({ row }) => row);
    const done = sent.filter(({ item }) => !undelivered.has(item.id));
    if (done.length > 0) await succeed(met, done);
    const unknown = { node: '', reason: problem('fault') };
    if (failed.length > 0) await fail(failed, (row) => undelivered.get(row.item_id) ?? unknown);
  };

  /** The nodes are asked one by one who receives there. */
  const greet = async (target: SyncTarget): Promise<Met> => {
    const peers = await delivery.greet(target, stopping.signal);
    return { target, peers, stored: await records.meet(target, peers) };
  };

  /** Could not be read just now; the others need not wait for it. */
  const postpone = async (rows: Row[]): Promise<void> => {
    if (rows.length === 0) return;
    const ids = rows.map((row) => row.sync_id);
    await db
      .updateTable('sync_record')
      .set({ next_at: Date.now() + RETRY_FIRST_MS })
      .where('sync_id', 'in', ids)
      .execute();
  };

  const sendBatch = async (met: Met, rows: Row[]): Promise<boolean> => {
    const { target, peers } = met;
    const [first] = rows;
    if (!first) return false;
    const atOnce = first.data_type === SyncDataType.model ? MODELS_AT_ONCE : SYNC_ITEMS_MAX;
    const alike = rows.slice(0, atOnce);
    const found = await items.read(
      first.data_type,
      alike.map((row) => row.item_id),
    );
    const readable = alike.flatMap((row): Sent[] => {
      const outgoing = found.get(row.item_id);
      return outgoing && isInScope(target.scope, outgoing.tenancyId) ? [{ ...outgoing, row }] : [];
    });
    const sendable = new Set(readable.map(({ row }) => row.sync_id));
    await postpone(alike.filter((row) => !sendable.has(row.sync_id)));
    for (const batch of batches(readable)) {
      if (!(await lease.take(target.zone.zone_id))) return false;
      const undelivered = await delivery.deliver(target, peers, batch, stopping.signal);
      await settle(met, batch, undelivered);
    }
    return true;
  };

  const isStillMeant = async ({ target, stored }: Met): Promise<boolean> => {
    const zones = db.selectFrom('sync_zone').select('peers').where('zone_id', '=', target.zone.zone_id);
    if ((await zones.executeTakeFirst())?.peers !== stored) return false;
    const [now] = await readTargets(db, secrets, target.zone.zone_id);
    return now !== undefined && now.zone.status === 1 && now.mark === target.mark && now.scopeMark === target.scopeMark;
  };

  const sendAll = async (target: SyncTarget): Promise<void> => {
    const { zone_id: zoneId } = target.zone;
    const until = performance.now() + TURN_MS;
    let rows = await due(zoneId, SYNC_ITEMS_MAX);
    if (rows.length === 0) return;
    const met = await greet(target);
    while (rows.length > 0 && performance.now() < until && !stopping.signal.aborted) {
      if (!(await sendBatch(met, rows))) return;
      if (!(await isStillMeant(met))) return;
      rows = await due(zoneId, SYNC_ITEMS_MAX);
    }
  };

  /** None of those that are due can be delivered now. */
  const failAll = async (zoneId: number, { node, reason }: NodeUnavailableError): Promise<void> => {
    for (;;) {
      const rows = await due(zoneId, FAILED_AT_ONCE);
      if (rows.length === 0) return;
      await fail(rows, () => ({ node, reason }));
    }
  };

  const sendZone = async (target: SyncTarget): Promise<void> => {
    const { zone_id: zoneId, is_sync_model } = target.zone;
    if (is_sync_model === 1) while ((await queueChanged(zoneId)) > 0) void 0;
    const held = away.get(zoneId);
    if ((held && held.until > performance.now()) || (await due(zoneId, 1)).length === 0 || !(await lease.take(zoneId)))
      return;
    try {
      await sendAll(target);
      away.delete(zoneId);
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (!(error instanceof NodeUnavailableError)) throw error;
      const failures = (held?.failures ?? 0) + 1;
      away.set(zoneId, { failures, until: performance.now() + doubled(failures, AWAY_MAX_MS) });
      await failAll(zoneId, error);
    } finally {
      await lease.give(zoneId);
    }
  };

  /** Models that are kept in step by themselves; one that failed waits for its time. */
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
          .limit(FAILED_AT_ONCE),
      )
      .executeTakeFirst();
    return Number(numUpdatedRows);
  };

  return {
    /** Answers whether there are zones to send to. */
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
