import { join } from 'node:path';
import type { RecordDb } from '../db/connect.ts';

/**
 * File with the number of messages ever stored, outside of the database: SQLite treats a corrupted WAL as a shorter one
 * and silently drops the rest of its transactions. The file is written after each commit and not synced: that costs
 * nothing, survives a killed process, and never exceeds what was committed.
 */
export const storedCountFile = (dataDir: string): string => join(dataDir, 'records.stored');

/** How long the console reports lost messages. */
const SHOWN_MS = 7 * 86_400_000;

/** Acknowledged messages found missing within this time. */
export const lostMessages = async (records: RecordDb) => {
  const since = Date.now() - SHOWN_MS;
  const { n, latest } = await records
    .selectFrom('lost_messages')
    .select((row) => [row.fn.sum<number | null>('messages').as('n'), row.fn.max('found_at').as('latest')])
    .where('found_at', '>=', since)
    .executeTakeFirstOrThrow();
  return { n: Number(n ?? 0), latest, since };
};
