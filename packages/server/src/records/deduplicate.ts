import type { Known, Uplink, Verdict } from './batch.ts';

/**
 * Exactly once, by a mark per session: a number above it is new; at or below it history is asked. What answers a
 * command carries the command's number, which no mark knows, so history is always asked.
 */
export const splitByHighWaterMark = (uplinks: Uplink[], marks: Map<string, number>) => {
  const fresh = new Set<number>();
  uplinks.forEach(({ record }, index) => {
    if (record.response === 1) return;
    const mark = marks.get(record.session_id) ?? -1;
    if (record.message_id <= mark) return;
    marks.set(record.session_id, record.message_id);
    fresh.add(index);
  });
  return fresh;
};

const keyOf = (row: { device_id: string; message_id: number }): string => `${row.device_id}\n${row.message_id}`;

const payloadIn = ({ envelope }: { envelope: string }): unknown =>
  (JSON.parse(envelope) as { payload: unknown }).payload;

/** History by its numbers: what has the same number, of the same session or as an answer to the same command. */
export const createHistory = (known: Known[]) => {
  const history = new Map<string, Known[]>();
  const remember = (row: Known): void => {
    const rows = history.get(keyOf(row));
    if (rows) rows.push(row);
    else history.set(keyOf(row), [row]);
  };
  for (const row of known) remember(row);
  return {
    remember,
    sameAs: (record: Known): Known | undefined =>
      (history.get(keyOf(record)) ?? []).find(
        (row) => row.response === record.response && (record.response === 1 || row.session_id === record.session_id),
      ),
  };
};

/** The verdict of each; `known` is what history holds under the numbers that were not new by their mark. */
export const judge = (uplinks: Uplink[], fresh: ReadonlySet<number>, known: Known[]): Verdict[] => {
  const { remember, sameAs } = createHistory(known);
  return uplinks.map(({ record }, index) => {
    const same = fresh.has(index) ? undefined : sameAs(record);
    if (same) {
      const equal = same.device_time === record.device_time && payloadIn(same) === payloadIn(record);
      // A second answer to the same command changes nothing, whatever it says.
      return equal || record.response === 1 ? 'repeat' : 'conflict';
    }
    remember(record);
    return 'stored';
  });
};

/** Whose history is to be asked. */
export const asked = (uplinks: Uplink[], fresh: ReadonlySet<number>): Uplink['record'][] =>
  uplinks.filter((_, index) => !fresh.has(index)).map(({ record }) => record);
