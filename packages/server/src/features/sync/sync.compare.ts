import { SyncDataType, SyncStatus } from '@device-center/contract';
import type { Db } from '../../db/connect.ts';
import type { Items } from './sync.items.ts';
import { createJobLease } from './sync.job-lease.ts';
import type { Records } from './sync.records.ts';

type Deps = { db: Db; items: Items; records: Pick<Records, 'lookAgain'>; everyMs: number };

const AT_ONCE = 200;

/**
 * Whether devices are still what other installations have of them, or will have: one that is on its way may have
 * changed since it was read. By one hub, page by page: nothing that devices send waits for it.
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
      .limit(AT_ONCE)
      .execute();

  return async (): Promise<void> => {
    if (!(await lease.begin())) return;
    const began = Date.now();
    records.lookAgain();
    let after = '';
    for (;;) {
      const rows = await page(after);
      const ids = rows.map((row) => row.device_id);
      if (ids.length > 0) await items.read(SyncDataType.data, ids);
      after = ids.at(-1) ?? after;
      if (ids.length < AT_ONCE) break;
      if (!(await lease.goOn())) return;
    }
    await lease.end(began);
  };
};
