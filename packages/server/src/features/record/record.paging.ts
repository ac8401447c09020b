import { type Page, SortMode } from '@device-center/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import type { RecordTables } from '../../db/record-tables.ts';

type PageRequest = { pageIndex: number; pageSize: number; sortMode: 1 | 2 };

/**
 * Reads one page of at most `max` latest records. Both directions start from the newest record: in ascending order the
 * first row is the oldest of these, and the rest of the history is not scanned.
 */
export const readLatest = async <Table extends keyof RecordTables, Row>(
  records: RecordDb,
  rows: SelectQueryBuilder<RecordTables, Table, Row>,
  newestFirst: RawBuilder<unknown>,
  max: number,
  { pageIndex, pageSize, sortMode }: PageRequest,
): Promise<Page<Row>> => {
  const limited = rows.clearSelect().select(sql`1`.as('one')).limit(max);
  const counted = await sql<{ total: number }>`select count(*) as total from (${limited}) as counted`.execute(records);
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
