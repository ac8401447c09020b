import { visibleText } from '@device-center/contract';
import type { LogEntry } from './log-buffer.ts';
import { levelName } from './log-level.tsx';

export type LogFilter = { level: number | undefined; text: string; regex: boolean };

export const noFilter: LogFilter = { level: undefined, text: '', regex: false };

type Matcher = (log: string) => boolean;

/** Without regard to case; nothing when what was typed is no expression (yet). */
export const matcherOf = ({ text, regex }: LogFilter): Matcher | undefined => {
  if (text === '') return () => true;
  if (!regex) {
    const word = text.toLowerCase();
    return (log) => log.toLowerCase().includes(word);
  }
  try {
    const expression = new RegExp(text, 'iu');
    return (log) => expression.test(log);
  } catch {
    return undefined;
  }
};

/** The lines that fit, with the gaps between them. An expression that cannot be read hides nothing. */
export const filtered = (entries: readonly LogEntry[], filter: LogFilter): readonly LogEntry[] => {
  const fits = filter.text === '' ? undefined : matcherOf(filter);
  const { level } = filter;
  if (fits === undefined && level === undefined) return entries;
  return entries.filter((entry) => {
    if (entry.kind === 'gap') return true;
    return (level === undefined || entry.row.level >= level) && (fits === undefined || fits(entry.row.log));
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
