import type { LogRow } from '@device-center/contract';
import dayjs from 'dayjs';

/** Older lines make room for newer ones. */
export const BUFFER_MAX = 10_000;

export type LogLine = { key: number; kind: 'line'; row: LogRow };
/** Where the stream was away, or passed lines over (`dropped`). */
export type LogGap = { key: number; kind: 'gap'; from: string; to: string; dropped: boolean };
export type LogEntry = LogLine | LogGap;

export type LogBuffer = {
  entries: readonly LogEntry[];
  /** Lines ever taken in: what tells a paused reader how many are new. */
  received: number;
  /** Lines that had to make room. */
  dropped: number;
  nextKey: number;
};

export const emptyBuffer: LogBuffer = { entries: [], received: 0, dropped: 0, nextKey: 1 };

const isLine = (entry: LogEntry): entry is LogLine => entry.kind === 'line';
export const lineCount = (entries: readonly LogEntry[]): number =>
  entries.reduce((count, entry) => (isLine(entry) ? count + 1 : count), 0);

/** When the last line was logged, by its own time. */
export const lastTimeOf = (entries: readonly LogEntry[]): string | undefined =>
  entries.findLast(isLine)?.row.createTime;

/** Lines that are not all of today are shown with their day; the first is the oldest. */
export const isOfOtherDays = (entries: readonly LogEntry[]): boolean => {
  const oldest = entries.find(isLine);
  return oldest !== undefined && !dayjs(oldest.row.createTime).isSame(dayjs(), 'day');
};

const withRoom = (buffer: LogBuffer, max: number): LogBuffer => {
  const excess = buffer.entries.length - max;
  if (excess <= 0) return buffer;
  const dropped = lineCount(buffer.entries.slice(0, excess));
  return { ...buffer, entries: buffer.entries.slice(excess), dropped: buffer.dropped + dropped };
};

/** New lines at the end. A line that is there already, since a poll or a new stream told it again, comes once. */
export const append = (buffer: LogBuffer, rows: readonly LogRow[], max = BUFFER_MAX): LogBuffer => {
  const fresh = unknownOf(buffer, rows);
  if (fresh.length === 0) return buffer;
  const lines = fresh.map((row, index): LogLine => ({ key: buffer.nextKey + index, kind: 'line', row }));
  return withRoom(
    {
      ...buffer,
      entries: buffer.entries.concat(lines),
      received: buffer.received + lines.length,
      nextKey: buffer.nextKey + lines.length,
    },
    max,
  );
};

/** Only the end of the buffer can hold what comes again, so a fast stream does not look through all of it. */
const AGAIN = 500;

const unknownOf = ({ entries }: LogBuffer, rows: readonly LogRow[]): LogRow[] => {
  const known = new Set(entries.slice(-AGAIN).flatMap((entry) => (isLine(entry) ? [entry.row.id] : [])));
  return rows.filter(({ id }) => {
    if (known.has(id)) return false;
    known.add(id);
    return true;
  });
};

/** What was logged before the page opened, ahead of what has come since. */
export const prepend = (buffer: LogBuffer, rows: readonly LogRow[]): LogBuffer => {
  const known = new Set(buffer.entries.flatMap((entry) => (isLine(entry) ? [entry.row.id] : [])));
  const lines = rows
    .filter(({ id }) => !known.has(id))
    .map((row, index): LogLine => ({ key: buffer.nextKey + index, kind: 'line', row }));
  return { ...buffer, entries: [...lines, ...buffer.entries], nextKey: buffer.nextKey + lines.length };
};

export const markGap = (buffer: LogBuffer, gap: Pick<LogGap, 'from' | 'to' | 'dropped'>): LogBuffer => {
  // Without a line before it, nothing of this page is missing.
  if (buffer.entries.length === 0) return buffer;
  return {
    ...buffer,
    entries: [...buffer.entries, { key: buffer.nextKey, kind: 'gap', ...gap }],
    nextKey: buffer.nextKey + 1,
  };
};

/** An empty screen; the count of what came goes on. */
export const cleared = (buffer: LogBuffer): LogBuffer => ({ ...buffer, entries: [], dropped: 0 });
