import { type RawBuilder, sql } from 'kysely';
import type { Log } from '../platform/log.ts';
import type { Db } from './connect.ts';
import { isSqlite } from './device-search.ts';

export const POSTGRES_TIME = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)';

/** The time by which hubs judge each other: the database's, since each has its own clock and all have one database. */
export const databaseTime = (db: Db): RawBuilder<number> =>
  isSqlite(db) ? sql<number>`cast(${Date.now()} as integer)` : sql.raw<number>(POSTGRES_TIME);

const WARN_MS = 1_000;

/** Whoever is woken by the clock, and every number, goes by the hub's own: it should be right. */
export const compareClocks = async (db: Db, log: Log): Promise<void> => {
  if (isSqlite(db)) return;
  const asked = Date.now();
  const { rows } = await sql<{ time: number }>`select ${databaseTime(db)} as time`.execute(db);
  const aheadMs = Math.round((asked + Date.now()) / 2 - (rows[0]?.time ?? asked));
  if (Math.abs(aheadMs) > WARN_MS)
    log.warn({ aheadMs }, "this machine's clock and the database's differ; set both by NTP, and those of all hubs");
};
