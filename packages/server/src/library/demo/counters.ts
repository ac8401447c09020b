import { sql } from 'kysely';
import type { RecordDb } from '../../db/connect.ts';
import { type Batch, countersOf, quarterHourOf } from '../../records/batch.ts';
import { HISTORY_HUB } from './history.ts';
import { DAY_MS, HISTORY_DAYS, isConnectedAt, type PlannedDevice } from './plan.ts';

const QUARTER_MS = 900_000;
const ROWS_AT_ONCE = 500;
const MINUTES = 15;
/** What a lively device says in a quarter of an hour. */
const LIVELY = 180;
/** Events, logs and what else comes beside the message of every minute. */
const BESIDE = 0.04;

/** Counts what is written, so that only the rest has to be added. */
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

const saidIn = (devices: PlannedDevice[], time: number): number =>
  devices
    .filter((device) => isConnectedAt(device, time))
    .reduce((sum, { condition }) => sum + (condition.kind === 'lively' ? LIVELY : MINUTES), 0);

/**
 * The history has a message an hour or less; the counters are of all that a fleet at its pace would have sent: a
 * message a minute and device.
 */
export const raiseCounters = async (
  records: RecordDb,
  tenancyId: string,
  devices: PlannedDevice[],
  tally: Tally,
  now: number,
): Promise<void> => {
  const first = quarterHourOf(now - HISTORY_DAYS * DAY_MS);
  const rows = Array.from({ length: quarterHourOf(now) - first }, (_, place) => {
    const quarter = first + place;
    const said = saidIn(devices, quarter * QUARTER_MS) * (1 + BESIDE * (0.5 + Math.random()));
    const messages = Math.max(0, Math.round(said) - tally.of(quarter, tenancyId));
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
