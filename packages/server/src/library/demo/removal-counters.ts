import type { RecordDb } from '../../db/connect.ts';
import { transact } from '../../db/errors.ts';
import { ALL_TENANCIES } from '../../records/roll-up-counters.ts';

const ROLLED_UP = 0;
const QUARTERS_PER_TRANSACTION = 200;

type Share = { messages: number; accesses: number };

const subtractFromQuarter = async (
  records: RecordDb,
  quarter: number,
  { messages, accesses }: Share,
): Promise<void> => {
  await records
    .updateTable('quarter_counter')
    .set((row) => ({ messages: row('messages', '-', messages), accesses: row('accesses', '-', accesses) }))
    .where('tenancy_id', '=', ALL_TENANCIES)
    .where('quarter', '=', quarter)
    .where('hub_no', '=', ROLLED_UP)
    .execute();
  await records
    .deleteFrom('quarter_counter')
    .where('tenancy_id', '=', ALL_TENANCIES)
    .where('quarter', '=', quarter)
    .where('messages', '=', 0)
    .where('accesses', '=', 0)
    .execute();
};

/**
 * Removes some quarter hours of a tenant and its share of the counters of all tenants, in one transaction. Returns the
 * number.
 */
const removeQuarters = (records: RecordDb, tenancyId: string): Promise<number> =>
  transact(records, async (records) => {
    // The hubs' own rows first: this waits for a concurrent roll-up, whose result is found below.
    await records
      .deleteFrom('quarter_counter')
      .where('tenancy_id', '=', tenancyId)
      .where('hub_no', '>', ROLLED_UP)
      .execute();
    const rolledUp = await records
      .selectFrom('quarter_counter')
      .select(['quarter', 'messages', 'accesses'])
      .where('tenancy_id', '=', tenancyId)
      .where('hub_no', '=', ROLLED_UP)
      .orderBy('quarter')
      .limit(QUARTERS_PER_TRANSACTION)
      .execute();
    for (const { quarter, ...share } of rolledUp) {
      await subtractFromQuarter(records, quarter, share);
      await records
        .deleteFrom('quarter_counter')
        .where('tenancy_id', '=', tenancyId)
        .where('quarter', '=', quarter)
        .where('hub_no', '=', ROLLED_UP)
        .execute();
    }
    return rolledUp.length;
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

/** Removes the counters of these tenants, and their share of the counters of all tenants. */
export const removeCounters = async (records: RecordDb, tenancyIds: string[]): Promise<void> => {
  for (const tenancyId of tenancyIds) {
    while ((await removeQuarters(records, tenancyId)) > 0);
    await removeTotal(records, tenancyId);
  }
};
