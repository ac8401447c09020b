const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const cached = formats.get(zone);
  if (cached) return cached;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const;
  const created = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts });
  formats.set(zone, created);
  return created;
};

/** The wall clock time of a zone as if it were UTC, to the minute. */
const wallClock = (zone: string, epochMs: number): number => {
  const shown = new Map(
    formatOf(zone)
      .formatToParts(epochMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (part: Intl.DateTimeFormatPartTypes): number => shown.get(part) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
};

const MINUTE_MS = 60_000;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** The time at which a date starts in a zone; a later one if midnight is skipped. */
const startOf = (zone: string, date: number): number => {
  const offset = (epochMs: number) => wallClock(zone, epochMs) - Math.floor(epochMs / MINUTE_MS) * MINUTE_MS;
  // By the offsets of the day before and after: if midnight occurs twice, both match.
  const [before, after] = [date - offset(date - DAY_MS), date - offset(date + DAY_MS)];
  const earliest = Math.min(before, after);
  for (const midnight of [earliest, Math.max(before, after)]) if (wallClock(zone, midnight) === date) return midnight;
  // Midnight is skipped: the first quarter of an hour after it.
  let later = Math.floor(earliest / QUARTER_MS) * QUARTER_MS;
  while (wallClock(zone, later) < date) later += QUARTER_MS;
  return later;
};

const dateOf = (zone: string, epochMs: number): number => Math.floor(wallClock(zone, epochMs) / DAY_MS) * DAY_MS;
const textOf = (date: number): string => new Date(date).toISOString().slice(0, 10);

/** A named period: a day as 2026-03-09, a month as 2026-03. */
export type Span = { name: string; from: number; to: number };

/** The last days in a zone, today last. */
export const lastDays = (zone: string, days: number, now: number): Span[] => {
  const today = dateOf(zone, now);
  return Array.from({ length: days }, (_, index) => {
    const date = today - (days - 1 - index) * DAY_MS;
    return { name: textOf(date), from: startOf(zone, date), to: startOf(zone, date + DAY_MS) };
  });
};

/** The last months in a zone, the present one last. */
export const lastMonths = (zone: string, months: number, now: number): Span[] => {
  const today = new Date(dateOf(zone, now));
  const month = (back: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1);
  return Array.from({ length: months }, (_, index) => {
    const [first, next] = [month(months - 1 - index), month(months - 2 - index)];
    return { name: textOf(first).slice(0, 7), from: startOf(zone, first), to: startOf(zone, next) };
  });
};

export const startOfDay = (zone: string, now: number): number => startOf(zone, dateOf(zone, now));
