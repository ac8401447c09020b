import type { RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { ALL_TENANCIES } from '../../records/roll-up-counters.ts';

const FOLDED = 0;
const QUARTERS_AT_ONCE = 200;

type Share = { messages: number; accesses: number };

const takeFromQuarter = async (records: RecordDb, quarter: number, { messages, accesses }: Share): Promise<void> => {
  await records
    .updateTable('quarter_counter')
    .set((row) => ({ messages: row('messages', '-', messages), accesses: row('accesses', '-', accesses) }))
    .where('tenancy_id', '=', ALL_TENANCIES)
    .where('quarter', '=', quarter)
    .where('hub_no', '=', FOLDED)
    .execute();
  await records
    .deleteFrom('quarter_counter')
    .where('tenancy_id', '=', ALL_TENANCIES)
    .where('quarter', '=', quarter)
    .where('messages', '=', 0)
    .where('accesses', '=', 0)
    .execute();
};

/** Some quarters of a tenant, and its share in those of all tenants, in the same transaction. Answers how many. */
const removeQuarters = (records: RecordDb, tenancyId: string): Promise<number> =>
  transact(records, async (records) => {
    // Those of the hubs first: whoever folds them meanwhile is waited for, and what he has folded is found below.
    await records
      .deleteFrom('quarter_counter')
      .where('tenancy_id', '=', tenancyId)
      .where('hub_no', '>', FOLDED)
      .execute();
    const folded = await records
      .selectFrom('quarter_counter')
      .select(['quarter', 'messages', 'accesses'])
      .where('tenancy_id', '=', tenancyId)
      .where('hub_no', '=', FOLDED)
      .orderBy('quarter')
      .limit(QUARTERS_AT_ONCE)
      .execute();
    for (const { quarter, ...share } of folded) {
      await takeFromQuarter(records, quarter, share);
      await records
        .deleteFrom('quarter_counter')
        .where('tenancy_id', '=', tenancyId)
        .where('quarter', '=', quarter)
        .where('hub_no', '=', FOLDED)
        .execute();
    }
    return folded.length;
  });

const removeTotal = (records: RecordDb, tenancyId: string): Promise<void> =>
  transact(records, async (records) => {
    const total = await records
      .deleteFrom('counter_total')
      .where('tenancy_id', '=', tenancyId)
      .returning(['messages', 'accesses'])
      .executeTakeFirst();
    if (!total) return;
    const { messages, accesses } = total;
    await records
      .updateTable('counter_total')
      .set((row) => ({ messages: row('messages', '-', messages), accesses: row('accesses', '-', accesses) }))
      .where('tenancy_id', '=', ALL_TENANCIES)
      .execute();
    await records
      .deleteFrom('counter_total')
      .where('tenancy_id', '=', ALL_TENANCIES)
      .where('messages', '=', 0)
      .where('accesses', '=', 0)
      .execute();
  });

/** What was counted for these tenants, and their share in what was counted for all together. */
export const removeCounters = async (records: RecordDb, tenancyIds: string[]): Promise<void> => {
  for (const tenancyId of tenancyIds) {
    while ((await removeQuarters(records, tenancyId)) > 0);
    await removeTotal(records, tenancyId);
  }
};
