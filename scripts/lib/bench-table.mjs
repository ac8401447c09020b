// The table of all benchmarks, and its position in docs/performance.md.

const BEGIN = '<!-- npm run bench -- --write: from here -->';
const END = '<!-- npm run bench -- --write: to here -->';

const digits = (value) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 });

const rowOf = ({ bench, engine, what, value, unit, worst, reference }) =>
  [
    bench,
    engine,
    what,
    `${digits(value)} ${unit}`,
    worst === undefined ? '' : digits(worst),
    reference ? `${reference.name}: ${digits(reference.value)}` : '',
    reference?.value > 0 ? (value / reference.value).toFixed(2) : '',
  ].join(' | ');

export const benchTable = (rows, machine) =>
  [
    `Measured on ${machine}.`,
    '',
    '| benchmark | engine | what | median | worst | reference, in the same run | ratio |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows.map((row) => `| ${rowOf(row)} |`),
  ].join('\n');

/** Replaces the text between the markers. */
export const intoPage = (page, table) => {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks its markers:\n${BEGIN}\n${END}`);
  return `${page.slice(0, from + BEGIN.length)}\n\n${table}\n\n${page.slice(to)}`;
};
