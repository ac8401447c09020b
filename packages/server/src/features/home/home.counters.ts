import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import type { Span } from '../../platform/time-zone.ts';
import { quarterHourOf } from '../../records/batch.ts';
import { ALL_TENANCIES } from '../../records/roll-up-counters.ts';

type Sums = { messages: number; accesses: number };
type SumsRow = Record<keyof Sums, number | null>;

/** Rollup counters of all tenants share one id, so that years of many tenants are one row per 15 minutes. */
const rollupTenancyOf = ({ tenancyId }: Scope): string => tenancyId ?? ALL_TENANCIES;
const notRolledUp = ({ tenancyId }: Scope) =>
  tenancyId === null ? sql`hub_no > 0` : sql`hub_no > 0 and tenancy_id = ${tenancyId}`;

const totalOf = (rows: SumsRow[]): Sums => {
  const total = (of: keyof Sums): number => rows.reduce((sum, row) => sum + Number(row[of] ?? 0), 0);
  return { messages: total('messages'), accesses: total('accesses') };
};

/** Sums rollup counters and current counters separately, so that an index covers each of the two queries. */
const spanSums = (scope: Scope, { from, to }: Span, spanNo: number) => {
  const sums = sql`${sql.lit(spanNo)} as span_no, sum(messages) as messages, sum(accesses) as accesses`;
  const within = sql`quarter >= ${quarterHourOf(from)} and quarter < ${quarterHourOf(to)}`;
  return sql`
    select ${sums} from quarter_counter where tenancy_id = ${rollupTenancyOf(scope)} and hub_no = 0 and ${within}
    union all
    select ${sums} from quarter_counter where ${notRolledUp(scope)} and ${within}`;
};

/** The sums of each time span, in one statement for the same reason as in `countedEver`. */
export const countedIn = async (records: RecordDb, scope: Scope, spans: Span[]): Promise<Sums[]> => {
  const queries = sql.join(
    spans.map((span, spanNo) => spanSums(scope, span, spanNo)),
    sql` union all `,
  );
  const { rows } = await sql<SumsRow & { span_no: number }>`${queries}`.execute(records);
  return spans.map((_, spanNo) => totalOf(rows.filter((row) => Number(row.span_no) === spanNo)));
};

/** The sums since the start. One statement, because a rollup between two statements would move rows past both. */
export const countedEver = async (records: RecordDb, scope: Scope): Promise<Sums> => {
  const { rows } = await sql<SumsRow>`
    select messages, accesses from counter_total where tenancy_id = ${rollupTenancyOf(scope)}
    union all
    select sum(messages), sum(accesses) from quarter_counter where ${notRolledUp(scope)}`.execute(records);
  return totalOf(rows);
};
