import type { RecordDb } from '../db/connect.ts';
import { continueSequenceAfter, firstSequenceIdAt, timeOfSequenceId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';

/**
 * Record numbers further in the future than this are ignored: continuing after them would keep all later records in the
 * future.
 */
const MAX_AHEAD_MS = 86_400_000;
const WARN_MS = 5_000;

const NUMBERED = ['message_record', 'connect_record', 'device_log'] as const;

/**
 * Records are ordered by number, and streams continue after a number. If the clock was set back, a starting process
 * continues above the existing numbers.
 */
export const seedSequence = async (records: RecordDb, log: Log): Promise<void> => {
  const now = Date.now();
  let highest = 0;
  for (const table of NUMBERED) {
    const row = await records
      .selectFrom(table)
      .select('record_id')
      .where('record_id', '<', firstSequenceIdAt(now + MAX_AHEAD_MS))
      .orderBy('record_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    highest = Math.max(highest, row?.record_id ?? 0);
  }
  continueSequenceAfter(highest);
  const aheadMs = timeOfSequenceId(highest) - now;
  if (aheadMs > WARN_MS) log.warn({ aheadMs }, 'records are newer than the clock, numbers continue after them');
};
