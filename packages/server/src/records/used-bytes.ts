import { sql } from 'kysely';
import { databaseLayout, type RecordDb } from '../db/connect.ts';

const sqliteBytes = sql<{ bytes: number }>`
  select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`;

// Deleted rows remain until they are vacuumed, and their space is reused: only the share of live rows counts.
const postgresBytes = sql<{ bytes: number }>`
  select coalesce(sum(pg_total_relation_size(relid)
    * (n_live_tup + 1.0) / (n_live_tup + n_dead_tup + 1.0)), 0)::bigint as bytes
  from pg_stat_user_tables where schemaname = ${databaseLayout.records.schema}`;

/** Size of the records without free space. */
export const createUsedBytes = (records: RecordDb, postgres: boolean) => async (): Promise<number> => {
  const { rows } = await (postgres ? postgresBytes : sqliteBytes).execute(records);
  return Number(rows[0]?.bytes ?? 0);
};
