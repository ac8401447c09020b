import { visibleText } from '@device-center/contract';
import type { LogEntry } from './log-buffer.ts';
import { levelName } from './log-level.tsx';

export type LogFilter = { level: number | undefined; text: string; regex: boolean };

export const noFilter: LogFilter = { level: undefined, text: '', regex: false };

type Matcher = (log: string) => boolean;

/** Matches case-insensitively; undefined while the text is not a valid expression. */
export const matcherOf = ({ text, regex }: LogFilter): Matcher | undefined => {
  if (text === '') return () => true;
  if (!regex) {
    const needle = text.toLowerCase();
    return (log) => log.toLowerCase().includes(needle);
  }
  try {
    const expression = new RegExp(text, 'iu');
    return (log) => expression.test(log);
  } catch {
    return undefined;
  }
};

/** The matching lines and all gaps. An invalid expression hides nothing. */
export const filtered = (entries: readonly LogEntry[], filter: LogFilter): readonly LogEntry[] => {
  const matches = filter.text === '' ? undefined : matcherOf(filter);
  const { level } = filter;
  if (matches === undefined && level === undefined) return entries;
  return entries.filter((entry) => {
    if (entry.kind === 'gap') return true;
    return (level === undefined || entry.row.level >= level) && (matches === undefined || matches(entry.row.log));
  });
};

/** As in the log file: time, level, text. */
export const lineText = ({ createTime, level, log }: { createTime: string; level: number; log: string }): string =>
  `${createTime} ${levelName(level)} ${visibleText(log)}`;

export const shownText = (entries: readonly LogEntry[]): string =>
  entries
    .map((entry) => (entry.kind === 'line' ? lineText(entry.row) : `--- ${entry.from} – ${entry.to} ---`))
    .join('\n')
    .concat('\n');
