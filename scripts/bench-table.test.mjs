import { expect, it } from 'vitest';
import { benchTable, intoPage } from './lib/bench-table.mjs';

const rows = [
  {
    bench: 'list',
    engine: 'SQLite',
    what: 'first page',
    value: 5,
    unit: 'ms',
    worst: 7,
    reference: { name: 'by hand', value: 10 },
  },
  { bench: 'ota', engine: 'PostgreSQL', what: 'told', value: 12_345.6, unit: 'a minute' },
];

it('has a row for each measurement, with its reference and ratio', () => {
  const lines = benchTable(rows, 'a machine').split('\n');
  expect(lines[0]).toBe('Measured on a machine.');
  expect(lines.slice(4)).toEqual([
    '| list | SQLite | first page | 5 ms | 7 | by hand: 10 | 0.50 |',
    '| ota | PostgreSQL | told | 12,346 a minute |  |  |  |',
  ]);
});

it('replaces what is between the markers of the page, and rejects a page without them', () => {
  const [begin, end] = ['from', 'to'].map((word) => `<!-- npm run bench -- --write: ${word} here -->`);
  expect(intoPage(`a\n${begin}\nold\n${end}\nb`, 'new')).toBe(`a\n${begin}\n\nnew\n\n${end}\nb`);
  expect(() => intoPage('nothing', 'new')).toThrow('markers');
});
