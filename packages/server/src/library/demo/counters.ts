import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import { type Batch, countersOf, quarterHourOf } from '../../records/batch.ts';
import { HISTORY_HUB } from './history.ts';
import { DAY_MS, HISTORY_DAYS, isConnectedAt, type PlannedDevice } from './plan.ts';

const QUARTER_MS = 900_000;
const ROWS_AT_ONCE = 500;
const MINUTES = 15;
/** Messages of a `lively` device per quarter hour. */
const LIVELY_MESSAGES = 180;
/** Share of events, logs and others in addition to the message per minute. */
const EXTRA_SHARE = 0.04;

/** Counts the messages that are written, so that only the difference is added. */
export const createTally = () => {
  const counted = new Map<string, number>();
  return {
    add: ({ uplinks }: Batch): void => {
      const counters = countersOf({ writerNo: HISTORY_HUB, downlinks: [], connects: [] }, uplinks);
      for (const { quarter, tenancy_id, messages } of counters) {
        const key = `${quarter} ${tenancy_id}`;
        counted.set(key, (counted.get(key) ?? 0) + messages);
      }
    },
    of: (quarter: number, tenancyId: string): number => counted.get(`${quarter} ${tenancyId}`) ?? 0,
  };
};

export type Tally = ReturnType<typeof createTally>;

const expectedMessages = (devices: PlannedDevice[], time: number): number =>
  devices
    .filter((device) => isConnectedAt(device, time))
    .reduce((sum, { condition }) => sum + (condition.kind === 'lively' ? LIVELY_MESSAGES : MINUTES), 0);

/**
 * The written history has at most a message per hour; the counters are raised to what such a fleet sends: a message per
 * minute and device.
 */
export const raiseCounters = async (
  records: RecordDb,
  tenancyId: string,
  devices: PlannedDevice[],
  tally: Tally,
  now: number,
): Promise<void> => {
  const first = quarterHourOf(now - HISTORY_DAYS * DAY_MS);
  const rows = Array.from({ length: quarterHourOf(now) - first }, (_, index) => {
    const quarter = first + index;
    const expected = expectedMessages(devices, quarter * QUARTER_MS) * (1 + EXTRA_SHARE * (0.5 + Math.random()));
    const messages = Math.max(0, Math.round(expected) - tally.of(quarter, tenancyId));
    return { quarter, tenancy_id: tenancyId, hub_no: HISTORY_HUB, messages, accesses: 0 };
  });
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await records
      .insertInto('quarter_counter')
      .values(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict((row) =>
        row
          .columns(['quarter', 'tenancy_id', 'hub_no'])
          .doUpdateSet({ messages: sql`quarter_counter.messages + excluded.messages` }),
      )
      .execute();
};
