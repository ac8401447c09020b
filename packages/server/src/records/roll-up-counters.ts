import { type Selectable, sql } from 'kysely';
import type { RecordDb } from '../db/connect.ts';
import { transact } from '../db/errors.ts';
import type { QuarterCounterTable } from '../db/record-tables.ts';
import { mergeByKey, quarterHourOf } from './batch.ts';

/** The name under which all tenants are counted together. */
export const ALL_TENANCIES = '';

/** Quarters younger than this stay as the hubs wrote them. */
const FOLD_AFTER_MS = 2 * 86_400_000;
/** Quarters of one transaction: a hub that writes messages waits no longer than for a batch. */
const QUARTERS_AT_ONCE = 4;
const ROWS_AT_ONCE = 500;

type Counted = Omit<Selectable<QuarterCounterTable>, 'hub_no'>;

const summed = <Row extends { messages: number; accesses: number; bytes?: number }>(
  rows: Row[],
  keyOf: (row: Row) => string,
): Row[] =>
  mergeByKey(rows, keyOf, (known, next) => ({
    ...known,
    messages: known.messages + next.messages,
    accesses: known.accesses + next.accesses,
    ...(known.bytes === undefined ? {} : { bytes: known.bytes + (next.bytes ?? 0) }),
  }));

const inPieces = async <Row>(rows: Row[], write: (piece: Row[]) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) await write(rows.slice(from, from + ROWS_AT_ONCE));
};

/**
 * Old quarters become one row a tenant and one for all tenants together, and are added to the totals. Whoever takes
 * the rows away adds them, in the same transaction, so that nothing is counted twice however many hubs do it.
 */
const foldBefore = (records: RecordDb, quarter: number): Promise<void> =>
  transact(records, async (records) => {
    const taken: Counted[] = await records
      .deleteFrom('quarter_counter')
      .where('hub_no', '>', 0)
      .where('quarter', '<', quarter)
      .returning(['quarter', 'tenancy_id', 'messages', 'accesses', 'bytes'])
      .execute();
    const both = [...taken, ...taken.map((row) => ({ ...row, tenancy_id: ALL_TENANCIES, bytes: 0 }))];
    const quarters = summed(both, (row) => `${String(row.quarter).padStart(12, '0')}\n${row.tenancy_id}`);
    const totals = summed(
      both.map(({ quarter: _, bytes: __, ...row }) => row),
      (row) => row.tenancy_id,
    );
    await inPieces(quarters, (piece) =>
      records
        .insertInto('quarter_counter')
        .values(piece.map((row) => ({ ...row, hub_no: 0 })))
        .onConflict((row) =>
          row.columns(['quarter', 'tenancy_id', 'hub_no']).doUpdateSet({
            messages: sql`quarter_counter.messages + excluded.messages`,
            accesses: sql`quarter_counter.accesses + excluded.accesses`,
            bytes: sql`quarter_counter.bytes + excluded.bytes`,
          }),
        )
        .execute(),
    );
    await inPieces(totals, (piece) =>
      records
        .insertInto('counter_total')
        .values(piece)
        .onConflict((row) =>
          row.column('tenancy_id').doUpdateSet({
            messages: sql`counter_total.messages + excluded.messages`,
            accesses: sql`counter_total.accesses + excluded.accesses`,
          }),
        )
        .execute(),
    );
  });

/** Folds what is old enough, an hour at a time. */
export const rollUpCounters = async (records: RecordDb): Promise<void> => {
  const limit = quarterHourOf(Date.now() - FOLD_AFTER_MS);
  for (;;) {
    const { first } = await records
      .selectFrom('quarter_counter')
      .select((row) => row.fn.min('quarter').as('first'))
      .where('hub_no', '>', 0)
      .where('quarter', '<', limit)
      .executeTakeFirstOrThrow();
    if (first === null) return;
    await foldBefore(records, Math.min(limit, Number(first) + QUARTERS_AT_ONCE));
  }
};
