import type { StoredMessage, Uplink, WriteResult } from './batch.ts';

/**
 * Returns the indexes of new messages. Each session has a high-water mark: a number above it is new; others are looked
 * up in history. Command results carry the command's number, to which no mark applies, so they are always looked up.
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

/** Looks up stored messages with the same number, of the same session or as a result of the same command. */
export const createHistory = (known: StoredMessage[]) => {
  const history = new Map<string, StoredMessage[]>();
  const addRow = (row: StoredMessage): void => {
    const rows = history.get(keyOf(row));
    if (rows) rows.push(row);
    else history.set(keyOf(row), [row]);
  };
  for (const row of known) addRow(row);
  return {
    addRow,
    findSame: (record: StoredMessage): StoredMessage | undefined =>
      (history.get(keyOf(record)) ?? []).find(
        (row) => row.response === record.response && (record.response === 1 || row.session_id === record.session_id),
      ),
  };
};

/** Returns the result for each message; `known` are the stored messages with the numbers that were not new. */
export const deduplicate = (uplinks: Uplink[], fresh: ReadonlySet<number>, known: StoredMessage[]): WriteResult[] => {
  const { addRow, findSame } = createHistory(known);
  return uplinks.map(({ record }, index) => {
    const same = fresh.has(index) ? undefined : findSame(record);
    if (same) {
      const equal = same.device_time === record.device_time && payloadIn(same) === payloadIn(record);
      // A second result of the same command is ignored, whatever its content.
      return equal || record.response === 1 ? 'duplicate' : 'conflict';
    }
    addRow(record);
    return 'stored';
  });
};

/** Messages that must be looked up in history. */
export const possibleDuplicates = (uplinks: Uplink[], fresh: ReadonlySet<number>): Uplink['record'][] =>
  uplinks.filter((_, index) => !fresh.has(index)).map(({ record }) => record);
