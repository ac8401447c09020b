import { join } from 'node:path';
import type { RecordDb } from './connect.ts';

/**
 * Holds the number of messages ever stored, outside of the database: SQLite takes a damaged WAL for a shorter one, and
 * says nothing of the transactions that it leaves out. It is written after each commit and not synced, so it costs
 * nothing, survives a killed process, and never promises more than was committed.
 */
export const markFileOf = (dataDir: string): string => join(dataDir, 'records.stored');

/** How long the console reports messages that went missing. */
const SHOWN_MS = 7 * 86_400_000;

/** Acknowledged messages that were found missing, of late. */
export const lostMessages = async (records: RecordDb) => {
  const since = Date.now() - SHOWN_MS;
  const { n, latest } = await records
    .selectFrom('lost_messages')
    .select((row) => [row.fn.sum<number | null>('messages').as('n'), row.fn.max('found_at').as('latest')])
    .where('found_at', '>=', since)
    .executeTakeFirstOrThrow();
  return { n: Number(n ?? 0), latest, since };
};
