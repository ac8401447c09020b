import { type Page, SortMode } from '@device-center/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { RecordDb } from './connect.ts';
import type { RecordTables } from './record-tables.ts';

type Asked = { pageIndex: number; pageSize: number; sortMode: 1 | 2 };

/**
 * One page of the latest records, at most so many of them. Both directions are read from the newest end: where there
 * are more, the oldest of those shown is the last that counts, and nobody reads through all the history to get there.
 */
export const readLatest = async <Table extends keyof RecordTables, Row>(
  records: RecordDb,
  rows: SelectQueryBuilder<RecordTables, Table, Row>,
  newestFirst: RawBuilder<unknown>,
  max: number,
  { pageIndex, pageSize, sortMode }: Asked,
): Promise<Page<Row>> => {
  const some = rows.clearSelect().select(sql`1`.as('one')).limit(max);
  const counted = await sql<{ total: number }>`select count(*) as total from (${some}) as counted`.execute(records);
  const total = Number(counted.rows[0]?.total ?? 0);

  const offset = (pageIndex - 1) * pageSize;
  const size = Math.min(pageSize, total - offset);
  if (size <= 0) return { pageIndex, pageSize, total, list: [] };
  const ascending = sortMode === SortMode.ascending;
  const list = await rows
    .orderBy(newestFirst)
    .limit(size)
    .offset(ascending ? total - offset - size : offset)
    .execute();
  return { pageIndex, pageSize, total, list: ascending ? list.reverse() : list };
};
