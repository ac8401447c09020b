import type { UpgradePhase } from '@device-center/device-sdk';
import type { FaultKind } from './arguments.ts';

const BUCKETS = 400;
const GROWTH = 1.04;
const SMALLEST_MS = 0.1;

/** Times in buckets that grow by 4 %: exact enough, and as small after an hour as after a second. */
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
    /** The time that this share of all did not exceed; 0 without any. */
    percentile: (share: number): number => {
      let left = total * share;
      if (total === 0) return 0;
      const index = counts.findIndex((count) => {
        left -= count;
        return left <= 0;
      });
      return SMALLEST_MS * GROWTH ** index;
    },
  };
};

export const count = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1);

export const createFigures = () => {
  const latency = createHistogram();
  const faults: Record<FaultKind, number> = { drops: 0, flap: 0, badSignature: 0, slow: 0 };
  const [refusals, troubles] = [new Map<string, number>(), new Map<string, number>()];
  const startedAt = performance.now();
  return {
    /** Now, and ever; children count. */
    online: 0,
    everOnline: 0,
    sent: 0,
    acknowledged: { report: 0, event: 0, log: 0 },
    refused: 0,
    lost: 0,
    commands: 0,
    faults,
    /** How often somebody was told to upgrade, in which phase each of them is, and why some have failed. */
    upgrades: { told: 0, phaseOf: new Map<string, UpgradePhase>(), failures: new Map<string, number>() },
    /** What the hub said no with, and what went wrong without its word, such as a time-out. */
    refusals,
    troubles,
    latency,
    seconds: (): number => (performance.now() - startedAt) / 1_000,
  };
};

export const allAcknowledged = ({ acknowledged: { report, event, log } }: Figures): number => report + event + log;

export type Figures = ReturnType<typeof createFigures>;
