import type { LogRow } from '@device-center/contract';
import dayjs from 'dayjs';

/** The oldest lines beyond this number are dropped. */
export const BUFFER_MAX = 10_000;

export type LogLine = { key: number; kind: 'line'; row: LogRow };
/** Where the stream was disconnected, or where it skipped lines (`dropped`). */
export type LogGap = { key: number; kind: 'gap'; from: string; to: string; dropped: boolean };
export type LogEntry = LogLine | LogGap;

export type LogBuffer = {
  entries: readonly LogEntry[];
  /** Total of received lines, from which a paused view counts the new ones. */
  received: number;
  /** Lines that were dropped because the buffer was full. */
  dropped: number;
  nextKey: number;
};

export const emptyBuffer: LogBuffer = { entries: [], received: 0, dropped: 0, nextKey: 1 };

const isLine = (entry: LogEntry): entry is LogLine => entry.kind === 'line';
export const lineCount = (entries: readonly LogEntry[]): number =>
  entries.reduce((count, entry) => (isLine(entry) ? count + 1 : count), 0);

/** The timestamp of the last line. */
export const lastTimeOf = (entries: readonly LogEntry[]): string | undefined =>
  entries.findLast(isLine)?.row.createTime;

/** Whether any line is not from today: then lines are shown with their day. The first line is the oldest. */
export const hasOtherDays = (entries: readonly LogEntry[]): boolean => {
  const oldest = entries.find(isLine);
  return oldest !== undefined && !dayjs(oldest.row.createTime).isSame(dayjs(), 'day');
};

const trim = (buffer: LogBuffer, max: number): LogBuffer => {
  const excess = buffer.entries.length - max;
  if (excess <= 0) return buffer;
  const dropped = lineCount(buffer.entries.slice(0, excess));
  return { ...buffer, entries: buffer.entries.slice(excess), dropped: buffer.dropped + dropped };
};

/** Appends new lines. A line that a poll or a new stream repeats is added once. */
export const append = (buffer: LogBuffer, rows: readonly LogRow[], max = BUFFER_MAX): LogBuffer => {
  const newRows = withoutKnown(buffer, rows);
  if (newRows.length === 0) return buffer;
  const lines = newRows.map((row, index): LogLine => ({ key: buffer.nextKey + index, kind: 'line', row }));
  return trim(
    {
      ...buffer,
      entries: buffer.entries.concat(lines),
      received: buffer.received + lines.length,
      nextKey: buffer.nextKey + lines.length,
    },
    max,
  );
};

/** Only recent lines can be repeated, so a fast stream does not search the whole buffer. */
const RECENT_LINES = 500;

const withoutKnown = ({ entries }: LogBuffer, rows: readonly LogRow[]): LogRow[] => {
  const known = new Set(entries.slice(-RECENT_LINES).flatMap((entry) => (isLine(entry) ? [entry.row.id] : [])));
  return rows.filter(({ id }) => {
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
};

/** Inserts lines from before the page was opened in front of the received ones. */
export const prepend = (buffer: LogBuffer, rows: readonly LogRow[]): LogBuffer => {
  const known = new Set(buffer.entries.flatMap((entry) => (isLine(entry) ? [entry.row.id] : [])));
  const lines = rows
    .filter(({ id }) => !known.has(id))
    .map((row, index): LogLine => ({ key: buffer.nextKey + index, kind: 'line', row }));
  return { ...buffer, entries: [...lines, ...buffer.entries], nextKey: buffer.nextKey + lines.length };
};

export const markGap = (buffer: LogBuffer, gap: Pick<LogGap, 'from' | 'to' | 'dropped'>): LogBuffer => {
  // Without a line before the gap, no line of this view is missing.
  if (buffer.entries.length === 0) return buffer;
  return {
    ...buffer,
    entries: [...buffer.entries, { key: buffer.nextKey, kind: 'gap', ...gap }],
    nextKey: buffer.nextKey + 1,
  };
};

/** Removes the lines and keeps the count of received ones. */
export const cleared = (buffer: LogBuffer): LogBuffer => ({ ...buffer, entries: [], dropped: 0 });
