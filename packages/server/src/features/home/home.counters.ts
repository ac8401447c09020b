import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import type { Span } from '../../platform/time-zone.ts';
import { quarterOf } from '../../records/batch.ts';
import { ALL_TENANCIES } from '../../records/fold-counters.ts';

type Sums = { messages: number; accesses: number };

/** Folded rows of all tenants stand under one name, so that years of many tenants are one row a quarter. */
const foldedOf = ({ tenancyId }: Scope): string => tenancyId ?? ALL_TENANCIES;
const unfolded = ({ tenancyId }: Scope) =>
  tenancyId === null ? sql`counter.hub_no > 0` : sql`counter.hub_no > 0 and counter.tenancy_id = ${tenancyId}`;

const NONE: Sums = { messages: 0, accesses: 0 };
const toSums = (row: { messages: unknown; accesses: unknown } | undefined): Sums =>
  row ? { messages: Number(row.messages ?? 0), accesses: Number(row.accesses ?? 0) } : NONE;

/** What was counted in each stretch of time, read by an index however many messages there were. */
export const countedIn = async (records: RecordDb, scope: Scope, spans: Span[]): Promise<Sums[]> => {
  const rows = spans.map(({ from, to }, place) => sql`(${place}, ${quarterOf(from)}, ${quarterOf(to)})`);
  const asked = sql`(values ${sql.join(rows)})`;
  const columns = sql`sum(counter.messages) as messages, sum(counter.accesses) as accesses`;
  const within = sql`counter.quarter >= span.first and counter.quarter < span.past`;
  const { rows: found } = await sql<{ place: number; messages: number; accesses: number }>`
    with span as (
      select cast(column1 as integer) as place, cast(column2 as bigint) as first, cast(column3 as bigint) as past
      from ${asked} as named
    )
    select place, sum(messages) as messages, sum(accesses) as accesses from (
      select span.place, ${columns} from span
        join quarter_counter as counter on counter.tenancy_id = ${foldedOf(scope)} and ${within} and counter.hub_no = 0
        group by span.place
      union all
      select span.place, ${columns} from span
        join quarter_counter as counter on ${unfolded(scope)} and ${within}
        group by span.place
    ) as halves group by place`.execute(records);
  const byPlace = new Map(found.map((row) => [Number(row.place), toSums(row)]));
  return spans.map((_, place) => byPlace.get(place) ?? NONE);
};

/** All that was ever counted. */
export const countedEver = async (records: RecordDb, scope: Scope): Promise<Sums> => {
  const folded = await records
    .selectFrom('counter_total')
    .select(['messages', 'accesses'])
    .where('tenancy_id', '=', foldedOf(scope))
    .executeTakeFirst();
  const { rows } = await sql<{ messages: number | null; accesses: number | null }>`
    select sum(messages) as messages, sum(accesses) as accesses from quarter_counter as counter where ${unfolded(scope)}`.execute(
    records,
  );
  const [old, recent] = [toSums(folded), toSums(rows[0] as Sums | undefined)];
  return { messages: old.messages + recent.messages, accesses: old.accesses + recent.accesses };
};
