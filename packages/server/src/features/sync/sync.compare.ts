import { SyncDataType, SyncStatus } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Items } from './sync.items.ts';
import { createJobLease } from './sync.job-lease.ts';
import type { SyncRecords } from './sync.records.ts';

type Deps = { db: Db; items: Items; records: Pick<SyncRecords, 'rescan'>; everyMs: number };

const BATCH_SIZE = 200;

/**
 * Finds devices that have changed since they were sent or queued; reading them gives them a new revision. One hub does
 * it, page by page, so that the uplinks of devices need not update revisions.
 */
export const createComparison = ({ db, items, records, everyMs }: Deps) => {
  const lease = createJobLease(db, 'compare', everyMs);

  const page = (after: string) =>
    db
      .selectFrom('device')
      .select('device_id')
      .where('device_id', '>', after)
      .where('origin_id', '=', '')
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sync_record')
            .select('sync_id')
            .whereRef('sync_record.device_id', '=', 'device.device_id')
            .where('sync_record.status', '<>', SyncStatus.notSynchronized),
        ),
      )
      .orderBy('device_id')
      .limit(BATCH_SIZE)
      .execute();

  return async (): Promise<void> => {
    if (!(await lease.acquire())) return;
    const startedAt = Date.now();
    records.rescan();
    let after = '';
    for (;;) {
      const rows = await page(after);
      const ids = rows.map((row) => row.device_id);
      if (ids.length > 0) await items.read(SyncDataType.data, ids);
      after = ids.at(-1) ?? after;
      if (ids.length < BATCH_SIZE) break;
      if (!(await lease.renew())) return;
    }
    await lease.complete(startedAt);
  };
};
