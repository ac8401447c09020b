import type { RecordDb } from '../db/connect.ts';
import { continueNumbersAfter, firstNumberAt, timeOfNumber } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';

/** A clock that was further off than this is not followed: its records would keep all later ones in the future. */
const FOLLOWED_MS = 86_400_000;
const WARN_MS = 5_000;

const NUMBERED = ['message_record', 'connect_record', 'device_log'] as const;

/**
 * Records are ordered by their numbers, and streams go on after one. A process that begins when the clock has been set
 * back goes on above what is there already.
 */
export const seedSequence = async (records: RecordDb, log: Log): Promise<void> => {
  const now = Date.now();
  let highest = 0;
  for (const table of NUMBERED) {
    const row = await records
      .selectFrom(table)
      .select('record_id')
      .where('record_id', '<', firstNumberAt(now + FOLLOWED_MS))
      .orderBy('record_id', 'desc')
      .limit(1)
      .executeTakeFirst();
    highest = Math.max(highest, row?.record_id ?? 0);
  }
  continueNumbersAfter(highest);
  const aheadMs = timeOfNumber(highest) - now;
  if (aheadMs > WARN_MS)
    log.warn({ aheadMs }, 'there are records of later than now: the clock was moved back, numbers go on after them');
};
