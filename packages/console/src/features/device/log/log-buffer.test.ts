import type { LogRow } from '@device-center/contract';
import '@device-center/contract/test/random.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  append,
  cleared,
  emptyBuffer,
  hasOtherDays,
  type LogBuffer,
  lastTimeOf,
  lineCount,
  markGap,
  prepend,
} from './log-buffer.ts';
import { filtered, matcherOf, noFilter, shownText } from './log-filter.ts';

const row = (id: number, log = `line ${id}`, level = 4): LogRow => ({
  id: String(id),
  deviceId: 'd',
  createTime: new Date(1_767_225_600_000 + id).toISOString(),
  level,
  levelName: '',
  log,
});
const rows = (from: number, to: number): LogRow[] => Array.from({ length: to - from }, (_, index) => row(from + index));
const idsOf = ({ entries }: LogBuffer): string[] =>
  entries.map((entry) => (entry.kind === 'line' ? entry.row.id : 'gap'));

const GAP = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-01T00:00:09.000Z', dropped: false };

describe('log buffer', () => {
  it('returns the time of the last line, and whether all lines are from today', () => {
    expect(lastTimeOf(emptyBuffer.entries)).toBeUndefined();
    expect(hasOtherDays(emptyBuffer.entries)).toBe(false);
    const now = new Date().toISOString();
    const todaysBuffer = append(emptyBuffer, [{ ...row(1), createTime: now }]);
    expect(hasOtherDays(todaysBuffer.entries)).toBe(false);
    const both = markGap(prepend(todaysBuffer, rows(2, 4)), GAP);
    expect(hasOtherDays(both.entries)).toBe(true);
    expect(lastTimeOf(both.entries)).toBe(now);
  });

  it('keeps the newest lines in order, and counts the dropped ones', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30), { maxLength: 30 }), fc.integer({ min: 1, max: 40 }), (sizes, max) => {
        let buffer = emptyBuffer;
        let sent = 0;
        for (const size of sizes) {
          buffer = append(buffer, rows(sent, sent + size), max);
          sent += size;
        }
        const keptCount = Math.min(sent, max);
        expect(idsOf(buffer)).toEqual(rows(sent - keptCount, sent).map(({ id }) => id));
        expect([buffer.received, buffer.dropped]).toEqual([sent, sent - keptCount]);
        expect(new Set(buffer.entries.map(({ key }) => key)).size).toBe(keptCount);
      }),
    );
  });

  it('adds a repeated line once', () => {
    const once = append(emptyBuffer, rows(0, 5));
    const again = append(once, [...rows(3, 7), row(6)]);
    expect(idsOf(again)).toEqual(['0', '1', '2', '3', '4', '5', '6']);
    expect(again.received).toBe(7);
    expect(append(again, rows(2, 7))).toBe(again);
  });

  it('inserts earlier lines without counting them as new', () => {
    const buffer = prepend(append(emptyBuffer, rows(5, 8)), rows(2, 6));
    expect(idsOf(buffer)).toEqual(['2', '3', '4', '5', '6', '7']);
    expect(buffer.received).toBe(3);
  });

  it('marks a gap of the stream, but not before the first line', () => {
    expect(markGap(emptyBuffer, GAP).entries).toEqual([]);
    const buffer = append(markGap(append(emptyBuffer, rows(0, 2)), GAP), rows(2, 3));
    expect(idsOf(buffer)).toEqual(['0', '1', 'gap', '2']);
    expect(lineCount(buffer.entries)).toBe(3);
  });

  it('clears the lines and keeps counting', () => {
    const buffer = cleared(append(emptyBuffer, rows(0, 20), 5));
    expect([buffer.entries.length, buffer.received, buffer.dropped]).toEqual([0, 20, 0]);
    expect(append(buffer, rows(20, 21)).received).toBe(21);
  });

  it('keeps ten thousand lines from small batches, and counts the dropped ones', () => {
    let buffer = emptyBuffer;
    for (let from = 0; from < 12_000; from += 20) buffer = append(buffer, rows(from, from + 20));
    expect(buffer.entries).toHaveLength(10_000);
    expect(buffer.dropped).toBe(2_000);
  });
});

describe('log filter', () => {
  const mixed = markGap(
    append(emptyBuffer, [row(1, 'Boot ok', 3), row(2, 'a.b failed', 6), row(3, 'aXb fine', 4)]),
    GAP,
  ).entries;
  const shown = (filter: Partial<typeof noFilter>): string[] =>
    filtered(mixed, { ...noFilter, ...filter }).map((entry) => (entry.kind === 'line' ? entry.row.id : 'gap'));

  it('hides lower levels, but never a gap', () => {
    expect(shown({})).toEqual(['1', '2', '3', 'gap']);
    expect(shown({ level: 4 })).toEqual(['2', '3', 'gap']);
    expect(shown({ level: 7 })).toEqual(['gap']);
  });

  it('searches for plain text, or for a regular expression on request', () => {
    expect(shown({ text: 'A.B' })).toEqual(['2', 'gap']);
    expect(shown({ text: 'a.b', regex: true })).toEqual(['2', '3', 'gap']);
    expect(shown({ text: '^boot', regex: true, level: 2 })).toEqual(['1', 'gap']);
  });

  it('reports an invalid expression, and hides nothing meanwhile', () => {
    expect(matcherOf({ ...noFilter, text: '(', regex: true })).toBeUndefined();
    expect(shown({ text: '(', regex: true })).toEqual(['1', '2', '3', 'gap']);
    expect(shown({ text: '(' })).toEqual(['gap']);
  });

  it('exports control and direction characters as symbols', () => {
    const { entries } = append(emptyBuffer, [row(1, '\u001b[2J \u202etxt')]);
    expect(shownText(entries)).toBe(`${row(1).createTime} INFO ␛[2J ⟨U+202E⟩txt\n`);
  });

  it('exports only the shown lines', () => {
    expect(shownText(filtered(mixed, { ...noFilter, level: 6 }))).toBe(
      `${row(2).createTime} ERROR a.b failed\n--- ${GAP.from} – ${GAP.to} ---\n`,
    );
  });
});
