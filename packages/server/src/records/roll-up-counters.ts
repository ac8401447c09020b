import { type Selectable, sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import type { QuarterCounterTable } from '../db/record-tables.ts';
import { mergeByKey, quarterHourOf } from './batch.ts';

/** Tenant id of the counters of all tenants together. */
export const ALL_TENANCIES = '';

/** Younger quarter hours stay as the hubs wrote them. */
const ROLL_UP_AFTER_MS = 2 * 86_400_000;
/** Quarter hours per transaction: a hub that writes messages waits no longer than for a batch. */
const QUARTERS_PER_TRANSACTION = 4;
const ROWS_PER_INSERT = 500;

type CounterRow = Omit<Selectable<QuarterCounterTable>, 'hub_no'>;

const sumByKey = <Row extends { messages: number; accesses: number; bytes?: number }>(
  rows: Row[],
  keyOf: (row: Row) => string,
): Row[] =>
  mergeByKey(rows, keyOf, (previous, next) => ({
    ...previous,
    messages: previous.messages + next.messages,
    accesses: previous.accesses + next.accesses,
    ...(previous.bytes === undefined ? {} : { bytes: previous.bytes + (next.bytes ?? 0) }),
  }));

const inBatches = async <Row>(rows: Row[], write: (chunk: Row[]) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) await write(rows.slice(from, from + ROWS_PER_INSERT));
};

/**
 * Merges old quarter hours into one row per tenant and one for all tenants, and adds them to the totals. The rows are
 * deleted and added in one transaction, so concurrent hubs count nothing twice.
 */
const rollUpBefore = (records: RecordDb, quarter: number): Promise<void> =>
  transact(records, async (records) => {
    const removed: CounterRow[] = await records
      .deleteFrom('quarter_counter')
      .where('hub_no', '>', 0)
      .where('quarter', '<', quarter)
      .returning(['quarter', 'tenancy_id', 'messages', 'accesses', 'bytes'])
      .execute();
    const both = [...removed, ...removed.map((row) => ({ ...row, tenancy_id: ALL_TENANCIES, bytes: 0 }))];
    const quarters = sumByKey(both, (row) => `${String(row.quarter).padStart(12, '0')}\n${row.tenancy_id}`);
    const totals = sumByKey(
      both.map(({ quarter: _, bytes: __, ...row }) => row),
      (row) => row.tenancy_id,
    );
    await inBatches(quarters, (chunk) =>
      records
        .insertInto('quarter_counter')
        .values(chunk.map((row) => ({ ...row, hub_no: 0 })))
        .onConflict((row) =>
          row.columns(['quarter', 'tenancy_id', 'hub_no']).doUpdateSet({
            messages: sql`quarter_counter.messages + excluded.messages`,
            accesses: sql`quarter_counter.accesses + excluded.accesses`,
            bytes: sql`quarter_counter.bytes + excluded.bytes`,
          }),
        )
        .execute(),
    );
    await inBatches(totals, (chunk) =>
      records
        .insertInto('counter_total')
        .values(chunk)
        .onConflict((row) =>
          row.column('tenancy_id').doUpdateSet({
            messages: sql`counter_total.messages + excluded.messages`,
            accesses: sql`counter_total.accesses + excluded.accesses`,
          }),
        )
        .execute(),
    );
  });

/** Rolls up old counters, an hour at a time. */
export const rollUpCounters = async (records: RecordDb): Promise<void> => {
  const limit = quarterHourOf(Date.now() - ROLL_UP_AFTER_MS);
  for (;;) {
    const { first } = await records
      .selectFrom('quarter_counter')
      .select((row) => row.fn.min('quarter').as('first'))
      .where('hub_no', '>', 0)
      .where('quarter', '<', limit)
      .executeTakeFirstOrThrow();
    if (first === null) return;
    await rollUpBefore(records, Math.min(limit, Number(first) + QUARTERS_PER_TRANSACTION));
  }
};
