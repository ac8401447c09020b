import { type Generation, growthOf, levelsOf, lifeOf } from './memory.ts';
import type { TimedRequest } from './operator.ts';
import { isQuiet, type Outage } from './outages.ts';
import { type CpuSample, parts } from './processor.ts';
import { middle, share } from './share.ts';

const line = (...cells: (string | number)[]): string =>
  cells
    .map((cell, index) => {
      const text = typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 1 }) : cell;
      return index === 0 ? text.padEnd(24) : text.padStart(12);
    })
    .join('');

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

const FIFTHS = [0, 1, 2, 3, 4];
const TITLES = FIFTHS.map((fifth) => `fifth ${fifth + 1}`);
/** The index of the fifth of the time span that contains `at`. */
const fifthOf = (at: number, from: number, to: number): number =>
  Math.floor(((at - from) * FIFTHS.length) / (to - from));

/**
 * Median and 95th percentile of each call in each fifth of the time, without those during an outage. Five parts, since
 * two would not separate a trend from the variation of processes that are killed and warm up again.
 */
const answerTimes = (
  requests: TimedRequest[],
  outages: Outage[],
  from: number,
  to: number,
  graceMs: number,
): string[] => {
  const quiet = requests.filter(({ at, ms, errorCode }) => errorCode === '' && isQuiet(outages, at, at + ms, graceMs));
  const names = [...new Set(quiet.map(({ name }) => name))];
  const timesOf = (name: string): number[][] =>
    FIFTHS.map((fifth) =>
      quiet.filter((one) => one.name === name && fifthOf(one.at, from, to) === fifth).map(({ ms }) => ms),
    );
  const table = (title: string, figure: (times: number[]) => number): string[] => [
    line(title, ...TITLES),
    ...names.map((name) => line(name, ...timesOf(name).map(figure))),
  ];
  return [
    ...table('answers, median in ms', (times) => middle(times)),
    '',
    ...table('answers, 95 % in ms', (times) => share(times, 0.95)),
    '',
    ...table('answers', (times) => times.length),
  ];
};

const processors = (used: CpuSample[], from: number, to: number): string[] => [
  line('processors, seconds', ...TITLES),
  ...parts.map((part) =>
    line(
      part,
      ...FIFTHS.map((fifth) =>
        used
          .filter(({ at }) => fifthOf(at, from, to) === fifth)
          .reduce((sum, { seconds: taken }) => sum + taken[part], 0),
      ),
    ),
  ),
];

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
    return line(name, took.length, seconds(middle(took)), seconds(Math.max(...took)));
  }),
];

export type Run = {
  title: string;
  figures: [string, string | number][];
  requests: TimedRequest[];
  outages: Outage[];
  generations: Generation[];
  used: CpuSample[];
  from: number;
  to: number;
  graceMs: number;
};

/** Prints the report; it asserts nothing. */
export const printRun = ({ title, figures, requests, outages, generations, used, from, to, graceMs }: Run): void =>
  console.log(
    [
      title,
      ...figures.map(([name, value]) => line(name, value)),
      '',
      ...outagesBy(outages),
      '',
      ...answerTimes(requests, outages, from, to, graceMs),
      '',
      ...processors(used, from, to),
      '',
      ...memory(generations),
    ].join('\n'),
  );
