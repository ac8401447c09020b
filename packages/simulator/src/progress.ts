import { allAcknowledged, count, type Stats } from './stats.ts';

export type Output = { write: (text: string) => unknown; isTTY?: boolean };

const REDRAW_MS = 1_000;
const LINE_MS = 5_000;

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

const latencies = ({ latency }: Stats): string =>
  `p50 ${ms(latency.percentile(0.5))} ms  p95 ${ms(latency.percentile(0.95))} ms  p99 ${ms(latency.percentile(0.99))} ms`;

const formatCounts = (counts: Iterable<[string, number]>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join('  ') || 'none';

const faultsOf = ({ faults }: Stats): string => formatCounts(Object.entries(faults));

const phasesOf = ({ upgrades: { phaseOf } }: Stats): string => {
  const counts = new Map<string, number>();
  for (const phase of phaseOf.values()) count(counts, phase);
  return formatCounts(counts);
};

const upgradesOf = (stats: Stats): string => {
  const { ordered, failures } = stats.upgrades;
  const reasons = failures.size > 0 ? `   failures ${formatCounts(failures)}` : '';
  return ordered === 0 ? 'none' : `ordered ${ordered}   ${phasesOf(stats)}${reasons}`;
};

type Rates = { sent: number; acknowledged: number };

const lineOf = (stats: Stats, rates: Rates): string =>
  [
    `${stats.seconds().toFixed(0).padStart(4)} s`,
    `online ${stats.online}`,
    `sent ${rates.sent.toFixed(0)}/s`,
    `acked ${rates.acknowledged.toFixed(0)}/s`,
    `rejected ${stats.rejected}`,
    latencies(stats),
    `commands ${stats.commands}`,
    `upgrades ${upgradesOf(stats)}`,
    `faults ${faultsOf(stats)}`,
  ].join('  ');

const blockOf = (stats: Stats, rates: Rates): string[] => [
  `time      ${stats.seconds().toFixed(0)} s`,
  `online    ${stats.online}`,
  `sent      ${rates.sent.toFixed(0)}/s   total ${stats.sent}`,
  `acked     ${rates.acknowledged.toFixed(0)}/s   total ${allAcknowledged(stats)}`,
  `rejected  ${stats.rejected}   lost ${stats.lost}`,
  `latency   ${latencies(stats)}`,
  `commands  ${stats.commands}`,
  `upgrades  ${upgradesOf(stats)}`,
  `faults    ${faultsOf(stats)}`,
];

/** Shows live statistics: a block that is redrawn in a terminal, otherwise a line every few seconds. */
export const startProgress = (stats: Stats, output: Output) => {
  const isTerminal = output.isTTY === true;
  let drawnLines = 0;
  let before = { at: performance.now(), sent: 0, acknowledged: 0 };

  const rates = (): Rates => {
    const now = { at: performance.now(), sent: stats.sent, acknowledged: allAcknowledged(stats) };
    const seconds = (now.at - before.at) / 1_000;
    const answer = {
      sent: (now.sent - before.sent) / seconds,
      acknowledged: (now.acknowledged - before.acknowledged) / seconds,
    };
    before = now;
    return answer;
  };

  const show = (): void => {
    if (!isTerminal) {
      output.write(`${lineOf(stats, rates())}\n`);
      return;
    }
    const block = blockOf(stats, rates());
    const up = drawnLines > 0 ? `\x1b[${drawnLines}A` : '';
    output.write(`${up}${block.map((line) => `\x1b[2K${line}\n`).join('')}`);
    drawnLines = block.length;
  };

  const timer = setInterval(show, isTerminal ? REDRAW_MS : LINE_MS);
  return { stop: () => clearInterval(timer) };
};

export const summaryOf = (stats: Stats): string => {
  const { report, event, log } = stats.acknowledged;
  const seconds = stats.seconds();
  return [
    '',
    `Ran ${seconds.toFixed(1)} s; devices came online ${stats.everOnline} times.`,
    `sent          ${stats.sent}   (${(stats.sent / seconds).toFixed(0)}/s)`,
    `acknowledged  ${allAcknowledged(stats)}   reports ${report}  events ${event}  log lines ${log}`,
    `rejected      ${stats.rejected}`,
    `lost          ${stats.lost}`,
    `rejections    ${formatCounts(stats.rejections)}`,
    `errors        ${formatCounts(stats.errors)}`,
    `latency       ${latencies(stats)}`,
    `commands      ${stats.commands}`,
    `upgrades      ${upgradesOf(stats)}`,
    `faults        ${faultsOf(stats)}`,
    '',
  ].join('\n');
};
