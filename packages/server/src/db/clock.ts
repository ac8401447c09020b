import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../platform/log.ts';
import { type Db, isSqlite } from './connect.ts';

export const POSTGRES_TIME = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

/** Time for leases: the database's clock, because the clocks of hubs differ. */
export const databaseTime = (db: Db): RawBuilder<number> =>
  isSqlite(db) ? sql<number>`cast(${Date.now()} as integer)` : sql.raw<number>(POSTGRES_TIME);

const WARN_MS = 1_000;

/** Warns of a wrong clock: timers and record numbers use the hub's own. */
export const compareClocks = async (db: Db, log: Log): Promise<void> => {
  if (isSqlite(db)) return;
  const startedAt = Date.now();
  const { rows } = await sql<{ time: number }>`select ${databaseTime(db)} as time`.execute(db);
  const aheadMs = Math.round((startedAt + Date.now()) / 2 - (rows[0]?.time ?? startedAt));
  if (Math.abs(aheadMs) > WARN_MS)
    log.warn({ aheadMs }, 'clock differs from the database clock; synchronise all machines by NTP');
};
