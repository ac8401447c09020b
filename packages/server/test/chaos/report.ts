import { type Generation, growthOf, levelsOf, lifeOf } from './memory.ts';
import type { Asked } from './operator.ts';
import { isQuiet, type Outage } from './outages.ts';

const share = (values: number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

const line = (...cells: (string | number)[]): string =>
  cells
    .map((cell, index) => {
      const text = typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 1 }) : cell;
      return index === 0 ? text.padEnd(24) : text.padStart(12);
    })
    .join('');

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** Of each call the middle and the 95th of a hundred, in the first and the last fifth, without those in an outage. */
const answerTimes = (asked: Asked[], outages: Outage[], from: number, to: number, graceMs: number): string[] => {
  const fifth = (to - from) / 5;
  const quiet = asked.filter(({ at, ms, refusal }) => refusal === '' && isQuiet(outages, at, at + ms, graceMs));
  const names = [...new Set(quiet.map(({ name }) => name))];
  return [
    line('answer in ms', 'median', '', '95 %', '', 'of', ''),
    line('', 'first fifth', 'last fifth', 'first fifth', 'last fifth', 'first fifth', 'last fifth'),
    ...names.map((name) => {
      const times = (begin: number, end: number): number[] =>
        quiet.filter((one) => one.name === name && one.at >= begin && one.at < end).map(({ ms }) => ms);
      const [first, last] = [times(from, from + fifth), times(to - fifth, to)];
      const figures = [share(first, 0.5), share(last, 0.5), share(first, 0.95), share(last, 0.95)];
      return line(name, ...figures, first.length, last.length);
    }),
  ];
};

const memory = (generations: Generation[]): string[] => [
  line('memory in MiB', 'lived', 'warm', 'at its end', 'a minute'),
  ...generations.flatMap((generation) => {
    const levels = levelsOf(generation);
    if (!levels) return [];
    const { first, last } = levels;
    return [line(`${generation.side} side`, seconds(lifeOf(generation)), first, last, growthOf(generation))];
  }),
];

const outagesBy = (outages: Outage[]): string[] => [
  line('killed', 'times', 'well again', 'at worst'),
  ...[...new Set(outages.map(({ kinds }) => kinds.join(' + ')))].map((name) => {
    const took = outages.filter(({ kinds }) => kinds.join(' + ') === name).map(({ from, to }) => to - from);
    return line(name, took.length, seconds(share(took, 0.5)), seconds(Math.max(...took)));
  }),
];

export type Run = {
  title: string;
  figures: [string, string | number][];
  asked: Asked[];
  outages: Outage[];
  generations: Generation[];
  from: number;
  to: number;
  graceMs: number;
};

/** For people: nothing here is asserted. */
export const printRun = ({ title, figures, asked, outages, generations, from, to, graceMs }: Run): void =>
  console.log(
    [
      title,
      ...figures.map(([name, value]) => line(name, value)),
      '',
      ...outagesBy(outages),
      '',
      ...answerTimes(asked, outages, from, to, graceMs),
      '',
      ...memory(generations),
    ].join('\n'),
  );
