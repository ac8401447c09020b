import type { UpgradePhase } from '@device-center/device-sdk';
import type { FaultKind } from './arguments.ts';

const BUCKETS = 400;
const GROWTH = 1.04;
const SMALLEST_MS = 0.1;

/** Latency histogram with buckets that grow by 4 %: constant memory, about 4 % error. */
export const createHistogram = () => {
  const counts = new Uint32Array(BUCKETS);
  let total = 0;
  return {
    add: (ms: number): void => {
      const index = Math.ceil(Math.log(Math.max(ms, SMALLEST_MS) / SMALLEST_MS) / Math.log(GROWTH));
      const bucket = Math.min(BUCKETS - 1, index);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      total++;
    },
    /** Upper bound of the given share of all values; 0 without values. */
    percentile: (share: number): number => {
      let remaining = total * share;
      if (total === 0) return 0;
      const index = counts.findIndex((count) => {
        remaining -= count;
        return remaining <= 0;
      });
      return SMALLEST_MS * GROWTH ** index;
    },
  };
};

export const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

export const createStats = () => {
  const latency = createHistogram();
  const faults: Record<FaultKind, number> = { drops: 0, flap: 0, badSignature: 0, slow: 0 };
  const [rejections, errors] = [new Map<string, number>(), new Map<string, number>()];
  const startedAt = performance.now();
  return {
    /** Current number, and total of all transitions to online; including children. */
    online: 0,
    everOnline: 0,
    sent: 0,
    acknowledged: { report: 0, event: 0, log: 0 },
    rejected: 0,
    lost: 0,
    commands: 0,
    faults,
    /** Number of upgrade orders, phase of each device, and failures by reason. */
    upgrades: { ordered: 0, phaseOf: new Map<string, UpgradePhase>(), failures: new Map<string, number>() },
    /** Errors from the hub by code name, and failed steps without one, such as time-outs. */
    rejections,
    errors,
    latency,
    seconds: (): number => (performance.now() - startedAt) / 1_000,
  };
};

export const allAcknowledged = ({ acknowledged: { report, event, log } }: Stats): number => report + event + log;

export type Stats = ReturnType<typeof createStats>;
