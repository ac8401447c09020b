import { SyncDataType, SyncStatus } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { type Delivery, NodeUnavailableError, type Peers } from './sync.deliver.ts';
import { createJobLease } from './sync.job-lease.ts';
import type { SyncRecords } from './sync.records.ts';
import { readTargets, type SyncTarget } from './sync.targets.ts';

type Deps = {
  db: Db;
  secrets: Pick<SecretBox, 'open'>;
  installationId: string;
  delivery: Pick<Delivery, 'identifyPeers' | 'compare'>;
  records: Pick<SyncRecords, 'storePeers'>;
  log: Log;
  everyMs: number;
};
type DataType = 1 | 2;

/** Records of one request; also of one zone and type in one run of the job. */
const BATCH_SIZE = 1_000;
/** How long an operator's call waits for a check; the job checks the rest later. */
const TIMEOUT_MS = 15_000;

export type Check = ReturnType<typeof createCheck>;

/** Checks whether the receivers are the same as before and still have the delivered items. */
export const createCheck = ({ db, secrets, installationId, delivery, records, log, everyMs }: Deps) => {
  const lease = createJobLease(db, 'check', everyMs);
  /** Where the job continues, by zone and type. */
  const cursors = new Map<string, string>();

  const page = (zoneId: number, dataType: DataType, after: string) =>
    db
      .selectFrom('sync_record')
      .innerJoin('product', 'product.product_id', 'sync_record.product_id')
      .leftJoin('device', 'device.device_id', 'sync_record.device_id')
      .select(['sync_record.sync_id', 'item_id', 'sent_revision', 'synced_at'])
      .select(['product.origin_id as product_origin', 'product.received_from as product_from'])
      .select(['device.origin_id as device_origin', 'device.received_from as device_from'])
      .where('sync_record.zone_id', '=', zoneId)
      .where('data_type', '=', dataType)
      .where('item_id', '>', after)
      .where('sync_record.status', '=', SyncStatus.success)
      .orderBy('item_id')
      .limit(BATCH_SIZE)
      .execute();

  /** Returns where the next page starts; '' at the end. */
  const checkPage = async (
    target: SyncTarget,
    peers: Peers,
    dataType: DataType,
    after: string,
    signal?: AbortSignal,
  ): Promise<string> => {
    const rows = await page(target.zone.zone_id, dataType, after);
    const kind = dataType === SyncDataType.model ? 'model' : 'device';
    const entries = rows.map((row) => ({
      item: {
        kind: kind as 'model' | 'device',
        id: row.item_id,
        origin: (row.device_origin ?? row.product_origin) || installationId,
        revision: row.sent_revision,
      },
      receivedFrom: row.device_from ?? row.product_from,
    }));
    const differing = rows.length === 0 ? new Map() : await delivery.compare(target, peers, entries, signal);
    if (differing.size > 0)
      await transact(db, async (db) => {
        for (const row of rows) {
          const reason = differing.get(row.item_id);
          if (!reason) continue;
          await db
            .updateTable('sync_record')
            .set({ status: SyncStatus.notSynchronized, reason: JSON.stringify(reason), updated_at: Date.now() })
            .where('sync_id', '=', row.sync_id)
            .where('status', '=', SyncStatus.success)
            // Skips a record that was sent again during the comparison.
            .where('synced_at', '=', row.synced_at)
            .execute();
        }
      });
    return rows.length < BATCH_SIZE ? '' : (rows.at(-1)?.item_id ?? '');
  };

  const resolvePeers = async (target: SyncTarget, signal?: AbortSignal): Promise<Peers> => {
    const peers = await delivery.identifyPeers(target, signal);
    await records.storePeers(target, peers);
    return peers;
  };

  const hasDelivered = async (zoneId: number): Promise<boolean> =>
    (await db
      .selectFrom('sync_record')
      .select('sync_id')
      .where('zone_id', '=', zoneId)
      .where('status', '=', SyncStatus.success)
      .limit(1)
      .executeTakeFirst()) !== undefined;

  const checkSlice = async (target: SyncTarget): Promise<void> => {
    if (!(await hasDelivered(target.zone.zone_id))) return;
    const peers = await resolvePeers(target);
    for (const dataType of [SyncDataType.model, SyncDataType.data]) {
      const key = `${target.zone.zone_id} ${dataType}`;
      cursors.set(key, await checkPage(target, peers, dataType, cursors.get(key) ?? ''));
    }
  };

  return {
    /** Checks one page of each zone and type. */
    async run(): Promise<void> {
      if (!(await lease.acquire())) return;
      const startedAt = Date.now();
      for (const target of await readTargets(db, secrets)) {
        if (target.zone.status !== 1 || target.nodes.every(({ kind }) => kind === 'mqtt')) continue;
        try {
          await checkSlice(target);
        } catch (error) {
          // The sender reports an unavailable node.
          if (!(error instanceof NodeUnavailableError))
            log.error({ err: error, zoneId: target.zone.zone_id }, 'check of synchronised items failed');
        }
        if (!(await lease.renew())) return;
      }
      await lease.complete(startedAt);
    },

    /** Checks all records of a zone and type, as far as the receivers answer in time. */
    async all(target: SyncTarget, dataType: DataType): Promise<void> {
      if (!(await hasDelivered(target.zone.zone_id))) return;
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const peers = await resolvePeers(target, signal);
        for (let after = await checkPage(target, peers, dataType, '', signal); after !== ''; )
          after = await checkPage(target, peers, dataType, after, signal);
      } catch (error) {
        if (!(error instanceof NodeUnavailableError) && !signal.aborted) throw error;
      }
    },
  };
};
