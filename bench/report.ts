import { appendFileSync } from 'node:fs';

/** A measurement, and its reference from the same run. */
export type Row = {
  what: string;
  value: number;
  unit: string;
  /** The worst round. */
  worst?: number;
  reference?: { name: string; value: number };
};

const digits = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

const ratioOf = ({ value, reference }: Row): string =>
  reference && reference.value > 0 ? (value / reference.value).toFixed(2) : '';

/** Prints a line for the user, and one that scripts/bench.mjs collects for its table. */
export const report = (row: Row): void => {
  const { what, value, unit, worst, reference } = row;
  const atMost = worst === undefined ? '' : ` (worst ${digits(worst)})`;
  const against = reference ? `   ${reference.name} ${digits(reference.value)}   ratio ${ratioOf(row)}` : '';
  console.log(`${what.padEnd(44)} ${digits(value).padStart(9)} ${unit}${atMost}${against}`);
  if (process.env.BENCH_ROWS) appendFileSync(process.env.BENCH_ROWS, `${JSON.stringify(row)}\n`);
};
