import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastDays, lastMonths, type Span, startOfDay } from '../src/platform/time-zone.ts';

const ZONES = [
  'UTC',
  'Asia/Shanghai',
  'America/Bogota',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Apia',
  'America/Havana',
  'Asia/Beirut',
  'Asia/Amman',
];
const HOUR = 3_600_000;
const QUARTER = 900_000;

const formats = new Map(
  ZONES.map((timeZone) => {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    return [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone, ...parts })];
  }),
);
/** The calendar date by Intl, without the product's code. */
const dateAt = (zone: string, time: number): string => formats.get(zone)?.format(time) ?? '';
const monthAt = (zone: string, time: number): string => dateAt(zone, time).slice(0, 7);

const zones = fc.constantFrom(...ZONES);
const times = fc.integer({ min: Date.parse('1995-01-01T00:00:00Z'), max: Date.parse('2045-01-01T00:00:00Z') });
/** Near the changes of clocks too, which are seldom met by chance: the first hours of days in every season. */
const nearMidnight = fc
  .tuple(fc.integer({ min: 9_131, max: 27_394 }), fc.integer({ min: -30 * HOUR, max: 30 * HOUR }))
  .map(([day, shift]) => day * 24 * HOUR + shift);
const moments = fc.oneof(times, nearMidnight);
const shares = fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
  minLength: 1,
  maxLength: 20,
});

const touchEachOther = (spans: Span[]): void => {
  for (const [place, { from, to }] of spans.entries()) {
    expect(from).toBeLessThanOrEqual(to);
    const next = spans[place + 1];
    if (next) expect(next.from).toBe(to);
  }
};

/** Every instant is in exactly the span of its date. */
const holdTheirOwn = (zone: string, spans: Span[], nameAt: typeof dateAt, picked: number[]): void => {
  const [first, last] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  const edges = spans.flatMap(({ from, to }) => [from - 1, from, to - 1, to]);
  const instants = [...edges, ...picked.map((share) => Math.floor(first + share * (last - first)))];
  for (const instant of instants.filter((time) => time >= first && time < last)) {
    const holding = spans.filter(({ from, to }) => from <= instant && instant < to);
    expect(holding.map(({ name }) => name)).toEqual([nameAt(zone, instant)]);
  }
  expect(nameAt(zone, first - 1)).not.toBe(spans[0]?.name);
  expect(nameAt(zone, last)).not.toBe(spans.at(-1)?.name);
};

describe('the last days of a time zone', () => {
  it('contain every instant on its calendar day, without gaps', () => {
    fc.assert(
      fc.property(zones, moments, fc.constantFrom(7, 30), shares, (zone, now, days, picked) => {
        const spans = lastDays(zone, days, now);
        expect(spans).toHaveLength(days);
        expect(spans.at(-1)?.name).toBe(dateAt(zone, now));
        touchEachOther(spans);
        holdTheirOwn(zone, spans, dateAt, picked);
        expect(startOfDay(zone, now)).toBe(spans.at(-1)?.from);
      }),
      { numRuns: 600 },
    );
  });

  it('are consecutive, also across a skipped day', () => {
    fc.assert(
      fc.property(zones, moments, (zone, now) => {
        const dates = lastDays(zone, 30, now).map(({ name }) => Date.parse(name));
        for (const [place, date] of dates.slice(1).entries()) expect(date - (dates[place] ?? 0)).toBe(24 * HOUR);
      }),
      { numRuns: 200 },
    );
  });

  it('start on quarter hours, as the counters do', () => {
    fc.assert(
      fc.property(zones, moments, (zone, now) => {
        for (const { from, to } of lastDays(zone, 30, now)) expect([from % QUARTER, to % QUARTER]).toEqual([0, 0]);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['Asia/Shanghai', '2026-07-01', 24, '2026-06-30T16:00:00Z'],
    ['America/Bogota', '2026-07-01', 24, '2026-07-01T05:00:00Z'],
    ['Asia/Kolkata', '2026-07-01', 24, '2026-06-30T18:30:00Z'],
    ['Asia/Kathmandu', '2026-07-01', 24, '2026-06-30T18:15:00Z'],
    ['America/New_York', '2024-03-10', 23, '2024-03-10T05:00:00Z'],
    ['America/New_York', '2024-11-03', 25, '2024-11-03T04:00:00Z'],
    ['Europe/Berlin', '2024-03-31', 23, '2024-03-30T23:00:00Z'],
    ['Europe/Berlin', '2024-10-27', 25, '2024-10-26T22:00:00Z'],
    // Half an hour only.
    ['Australia/Lord_Howe', '2024-04-07', 24.5, '2024-04-06T13:00:00Z'],
    ['Australia/Lord_Howe', '2024-10-06', 23.5, '2024-10-05T13:30:00Z'],
    // Midnight is left out: the day begins at one.
    ['America/Sao_Paulo', '2018-11-04', 23, '2018-11-04T03:00:00Z'],
    ['Asia/Beirut', '2024-03-31', 23, '2024-03-30T22:00:00Z'],
    ['America/Havana', '2024-03-10', 23, '2024-03-10T05:00:00Z'],
    ['Africa/Cairo', '2024-04-26', 23, '2024-04-25T22:00:00Z'],
    // Midnight occurs twice, and the day starts with the first; or 23:00 does, and the day ends late.
    ['America/Havana', '2024-11-03', 25, '2024-11-03T04:00:00Z'],
    ['Asia/Amman', '2021-10-29', 25, '2021-10-28T21:00:00Z'],
    ['America/Sao_Paulo', '2018-02-17', 25, '2018-02-17T02:00:00Z'],
    ['Africa/Cairo', '2024-10-31', 25, '2024-10-30T21:00:00Z'],
    // A day that never was.
    ['Pacific/Apia', '2011-12-29', 24, '2011-12-29T10:00:00Z'],
    ['Pacific/Apia', '2011-12-30', 0, '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', 24, '2011-12-30T10:00:00Z'],
  ])('%s has %s with %d hours', (zone, name, hours, begins) => {
    const day = lastDays(zone, 7, Date.parse(`${name}T12:00:00Z`) + 48 * HOUR).find((span) => span.name === name);
    expect(day && (day.to - day.from) / HOUR).toBe(hours);
    expect(day && new Date(day.from).toISOString()).toBe(new Date(begins).toISOString());
  });
});

describe('the last months of a time zone', () => {
  it('contain every instant in its calendar month, without gaps, and start on the first', () => {
    fc.assert(
      fc.property(zones, moments, shares, (zone, now, picked) => {
        const spans = lastMonths(zone, 12, now);
        expect(spans).toHaveLength(12);
        expect(spans.at(-1)?.name).toBe(monthAt(zone, now));
        touchEachOther(spans);
        holdTheirOwn(zone, spans, monthAt, picked);
        for (const { name, from } of spans) {
          expect(dateAt(zone, from)).toBe(`${name}-01`);
          expect(startOfDay(zone, from)).toBe(from);
        }
        expect(new Set(spans.map(({ name }) => name)).size).toBe(12);
      }),
      { numRuns: 300 },
    );
  });

  // Spec 1.19, 9.42
  it('are still twelve at the end of a long month', () => {
    const names = lastMonths('Asia/Shanghai', 12, Date.parse('2026-03-31T12:00:00Z')).map(({ name }) => name);
    expect(names).toEqual([
      ...['04', '05', '06', '07', '08', '09', '10', '11', '12'].map((month) => `2025-${month}`),
      ...['01', '02', '03'].map((month) => `2026-${month}`),
    ]);
  });
});
