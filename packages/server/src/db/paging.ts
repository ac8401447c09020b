import { type Page, SortField, SortMode } from '@device-center/contract';
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from './connect.ts';

type Sorted = { sortField?: 1 | 2; sortMode: 1 | 2 };
type Paged = { pageIndex: number; pageSize: number };

/** Default limit of counting. */
const TOTAL_MAX = 1_000_000;

type PageQuery<Schema, Joined extends keyof Schema, Row> = {
  /** The filtered rows, without order, grouping and limit. */
  rows: SelectQueryBuilder<Schema, Joined, Row>;
  createdAt: string;
  updatedAt?: string;
  /** Every order ends in a unique column, or pages would overlap. */
  unique: string;
  /** Infinity if an index covers exactly these rows, so that an exact count is fast. */
  totalMax?: number;
  /**
   * The same rows without joins, if known: counting and finding the page then touch one table, and only the rows of the
   * page are joined.
   */
  bare?: SelectQueryBuilder<Schema, never, object>;
};

const countRows = async <Schema, Joined extends keyof Schema, Row>(
  db: Db,
  { rows, bare }: PageQuery<Schema, Joined, Row>,
  totalMax: number,
): Promise<number> => {
  const found = bare ?? rows.clearSelect();
  if (totalMax === Number.POSITIVE_INFINITY) {
    const [row] = await found.select(sql<number>`count(*)`.as('total')).$castTo<{ total: number }>().execute();
    return Number(row?.total ?? 0);
  }
  const limited = found.select(sql`1`.as('one')).limit(totalMax);
  const { rows: counts } = await sql<{ total: number }>`select count(*) as total from (${limited}) as counted`.execute(
    db,
  );
  return Number(counts[0]?.total ?? 0);
};

/**
 * Reads one page and the total. A page in the second half is read from the end, so the last page costs as much as the
 * first.
 */
export const readPage = async <Schema, Joined extends keyof Schema, Row>(
  db: Db,
  query: PageQuery<Schema, Joined, Row>,
  input: Paged & Sorted,
): Promise<Page<Row>> => {
  const { pageIndex, pageSize } = input;
  const totalMax = query.totalMax ?? (query.bare ? Number.POSITIVE_INFINITY : TOTAL_MAX);
  const total = await countRows(db, query, totalMax);

  const offset = (pageIndex - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return { pageIndex, pageSize, total, list: [] };

  const column = input.sortField === SortField.updateTime && query.updatedAt ? query.updatedAt : query.createdAt;
  const ascending = input.sortMode === SortMode.ascending;
  // If counting stopped at the limit, the position of the end is unknown.
  const fromEnd = offset > total / 2 && total < totalMax;
  const direction = sql.raw(ascending !== fromEnd ? 'asc' : 'desc');
  const order = sql`${sql.ref(column)} ${direction}, ${sql.ref(query.unique)} ${direction}`;
  const skip = fromEnd ? total - offset - size : offset;
  const unique = sql.ref(query.unique);
  const page = query.bare
    ? query.rows.where(
        sql<SqlBool>`${unique} in (${query.bare.select(unique.as('id')).orderBy(order).limit(size).offset(skip)})`,
      )
    : query.rows.limit(size).offset(skip);
  const list = await page.orderBy(order).execute();
  return { pageIndex, pageSize, total, list: fromEnd ? list.reverse() : list };
};
