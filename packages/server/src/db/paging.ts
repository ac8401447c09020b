import { type Page, SortField, SortMode } from '@device-center/contract';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from './connect.ts';

type Sorted = { sortField?: 1 | 2; sortMode: 1 | 2 };
type Paged = { pageIndex: number; pageSize: number };

/** Counting stops here for lists without a limit of their own. */
const TOTAL_MAX = 1_000_000;

type PageQuery<Schema, Joined extends keyof Schema, Row> = {
  /** The filtered rows, without order, group and limit. */
  rows: SelectQueryBuilder<Schema, Joined, Row>;
  createdAt: string;
  updatedAt?: string;
  /** Every order ends in a unique column, or pages would overlap. */
  unique: string;
  totalMax?: number;
  /** The same rows before anything was joined to them, where that is known: counting them touches one table. */
  counted?: SelectQueryBuilder<Schema, never, object>;
};

const countRows = async <Schema, Joined extends keyof Schema, Row>(
  db: Db,
  { rows, counted, totalMax = TOTAL_MAX }: PageQuery<Schema, Joined, Row>,
): Promise<number> => {
  if (counted) {
    const [row] = await counted.select(sql<number>`count(*)`.as('total')).$castTo<{ total: number }>().execute();
    return Number(row?.total ?? 0);
  }
  const some = rows.clearSelect().select(sql`1`.as('one')).limit(totalMax);
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from (${some}) as counted`.execute(db);
  return Number(counts[0]?.total ?? 0);
};

/**
 * One page and the total. A page in the second half is read from the other end: the last page of a long list costs
 * what the first one does.
 */
export const readPage = async <Schema, Joined extends keyof Schema, Row>(
  db: Db,
  query: PageQuery<Schema, Joined, Row>,
  input: Paged & Sorted,
): Promise<Page<Row>> => {
  const { pageIndex, pageSize } = input;
  const totalMax = query.totalMax ?? TOTAL_MAX;
  const total = await countRows(db, query);

  const offset = (pageIndex - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return { pageIndex, pageSize, total, list: [] };

  const column = input.sortField === SortField.updateTime && query.updatedAt ? query.updatedAt : query.createdAt;
  const ascending = input.sortMode === SortMode.ascending;
  // Where counting stopped short, nobody knows where the other end is.
  const fromEnd = offset > total / 2 && total < totalMax;
  const direction = sql.raw(ascending !== fromEnd ? 'asc' : 'desc');
  const list = await query.rows
    .orderBy(sql`${sql.ref(column)} ${direction}, ${sql.ref(query.unique)} ${direction}`)
    .limit(size)
    .offset(fromEnd ? total - offset - size : offset)
    .execute();
  return { pageIndex, pageSize, total, list: fromEnd ? list.reverse() : list };
};
