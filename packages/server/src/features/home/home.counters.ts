import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { Scope } from '../../db/scope.ts';
import type { Span } from '../../platform/time-zone.ts';
import { quarterHourOf } from '../../records/batch.ts';
import { ALL_TENANCIES } from '../../records/roll-up-counters.ts';

type Sums = { messages: number; accesses: number };
type SumsRow = Record<keyof Sums, number | null>;

/** Folded rows of all tenants stand under one name, so that years of many tenants are one row a quarter. */
const foldedOf = ({ tenancyId }: Scope): string => tenancyId ?? ALL_TENANCIES;
const unfolded = ({ tenancyId }: Scope) =>
  tenancyId === null ? sql`hub_no > 0` : sql`hub_no > 0 and tenancy_id = ${tenancyId}`;

const totalOf = (rows: SumsRow[]): Sums => {
  const total = (of: keyof Sums): number => rows.reduce((sum, row) => sum + Number(row[of] ?? 0), 0);
  return { messages: total('messages'), accesses: total('accesses') };
};

/** Folded rows by an index that holds what they sum up to; what the hubs still write, by one that holds nothing else. */
const halvesOf = (scope: Scope, { from, to }: Span, place: number) => {
  const sums = sql`${sql.lit(place)} as place, sum(messages) as messages, sum(accesses) as accesses`;
  const within = sql`quarter >= ${quarterHourOf(from)} and quarter < ${quarterHourOf(to)}`;
  return sql`
    select ${sums} from quarter_counter where tenancy_id = ${foldedOf(scope)} and hub_no = 0 and ${within}
    union all
    select ${sums} from quarter_counter where ${unfolded(scope)} and ${within}`;
};

/** What was counted in each stretch of time, however many messages there were. In one look, as below. */
export const countedIn = async (records: RecordDb, scope: Scope, spans: Span[]): Promise<Sums[]> => {
  const halves = sql.join(
    spans.map((span, place) => halvesOf(scope, span, place)),
    sql` union all `,
  );
  const { rows } = await sql<SumsRow & { place: number }>`${halves}`.execute(records);
  return spans.map((_, place) => totalOf(rows.filter((row) => Number(row.place) === place)));
};

/** All that was ever counted; in one look, since what is being folded is for a moment neither here nor there. */
export const countedEver = async (records: RecordDb, scope: Scope): Promise<Sums> => {
  const { rows } = await sql<SumsRow>`
    select messages, accesses from counter_total where tenancy_id = ${foldedOf(scope)}
    union all
    select sum(messages), sum(accesses) from quarter_counter where ${unfolded(scope)}`.execute(records);
  return totalOf(rows);
};
