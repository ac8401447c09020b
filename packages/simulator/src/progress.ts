import { allAcknowledged, count, type Figures } from './stats.ts';

export type Output = { write: (text: string) => unknown; isTTY?: boolean };

const REPAINT_MS = 1_000;
const LINE_MS = 5_000;

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

const latencies = ({ latency }: Figures): string =>
  `p50 ${ms(latency.percentile(0.5))} ms  p95 ${ms(latency.percentile(0.95))} ms  p99 ${ms(latency.percentile(0.99))} ms`;

const named = (counts: Iterable<[string, number]>): string =>
  [...counts]
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join('  ') || 'none';

const faultsOf = ({ faults }: Figures): string => named(Object.entries(faults));

const phasesOf = ({ upgrades: { phaseOf } }: Figures): string => {
  const counts = new Map<string, number>();
  for (const phase of phaseOf.values()) count(counts, phase);
  return named(counts);
};

const upgradesOf = (figures: Figures): string => {
  const { told, failures } = figures.upgrades;
  const why = failures.size > 0 ? `   failures ${named(failures)}` : '';
  return told === 0 ? 'none' : `told ${told}   ${phasesOf(figures)}${why}`;
};

type Rates = { sent: number; acknowledged: number };

const lineOf = (figures: Figures, rates: Rates): string =>
  [
    `${figures.seconds().toFixed(0).padStart(4)} s`,
    `online ${figures.online}`,
    `sent ${rates.sent.toFixed(0)}/s`,
    `acked ${rates.acknowledged.toFixed(0)}/s`,
    `refused ${figures.refused}`,
    latencies(figures),
    `commands ${figures.commands}`,
    `upgrades ${upgradesOf(figures)}`,
    `faults ${faultsOf(figures)}`,
  ].join('  ');

const blockOf = (figures: Figures, rates: Rates): string[] => [
  `time      ${figures.seconds().toFixed(0)} s`,
  `online    ${figures.online}`,
  `sent      ${rates.sent.toFixed(0)}/s   in all ${figures.sent}`,
  `acked     ${rates.acknowledged.toFixed(0)}/s   in all ${allAcknowledged(figures)}`,
  `refused   ${figures.refused}   lost ${figures.lost}`,
  `latency   ${latencies(figures)}`,
  `commands  ${figures.commands}`,
  `upgrades  ${upgradesOf(figures)}`,
  `faults    ${faultsOf(figures)}`,
];

/** Live figures: a block repainted in a terminal, a line now and then elsewhere. */
export const startScreen = (figures: Figures, output: Output) => {
  const isTerminal = output.isTTY === true;
  let painted = 0;
  let before = { at: performance.now(), sent: 0, acknowledged: 0 };

  const rates = (): Rates => {
    const now = { at: performance.now(), sent: figures.sent, acknowledged: allAcknowledged(figures) };
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
      output.write(`${lineOf(figures, rates())}\n`);
      return;
    }
    const block = blockOf(figures, rates());
    const up = painted > 0 ? `\x1b[${painted}A` : '';
    output.write(`${up}${block.map((line) => `\x1b[2K${line}\n`).join('')}`);
    painted = block.length;
  };

  const timer = setInterval(show, isTerminal ? REPAINT_MS : LINE_MS);
  return { stop: () => clearInterval(timer) };
};

export const summaryOf = (figures: Figures): string => {
  const { report, event, log } = figures.acknowledged;
  const seconds = figures.seconds();
  return [
    '',
    `Ran ${seconds.toFixed(1)} s; ${figures.everOnline} times a device came online.`,
    `sent          ${figures.sent}   (${(figures.sent / seconds).toFixed(0)}/s)`,
    `acknowledged  ${allAcknowledged(figures)}   reports ${report}  events ${event}  log lines ${log}`,
    `refused       ${figures.refused}`,
    `lost          ${figures.lost}`,
    `refusals      ${named(figures.refusals)}`,
    `troubles      ${named(figures.troubles)}`,
    `latency       ${latencies(figures)}`,
    `commands      ${figures.commands}`,
    `upgrades      ${upgradesOf(figures)}`,
    `faults        ${faultsOf(figures)}`,
    '',
  ].join('\n');
};
