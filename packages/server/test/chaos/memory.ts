import { adminProcess, deviceProcess, residentMiB } from '../hub-process.ts';
import type { Installation } from './installation.ts';
import { middle } from './share.ts';

type Sample = { ageMs: number; mib: number };
/** One life of one side. */
export type Generation = { side: 'admin' | 'device'; pid: number; bornAt: number; samples: Sample[] };

/** Until then a process still compiles, fills its caches and reads what waits. */
const WARM_MS = 30_000;

export const watchMemory = (installation: Installation, everyMs: number) => {
  const generations: Generation[] = [];
  const look = (side: Generation['side'], pid: number): void => {
    const mib = residentMiB(pid);
    const last = generations.findLast((one) => one.side === side);
    const known = last?.pid === pid ? last : undefined;
    const generation = known ?? { side, pid, bornAt: Date.now(), samples: [] };
    if (!known) generations.push(generation);
    generation.samples.push({ ageMs: Date.now() - generation.bornAt, mib });
  };
  const timer = setInterval(() => {
    try {
      look('admin', adminProcess(installation.hub()));
      look('device', deviceProcess(installation.hub()));
    } catch {
      // It is dead just now.
    }
  }, everyMs);
  return { generations, stop: () => clearInterval(timer) };
};

const warm = ({ samples }: Generation): Sample[] => samples.filter(({ ageMs }) => ageMs >= WARM_MS);

/** What it holds when it is warm, and what it held at its end; undefined where it did not live long enough to tell. */
export const levelsOf = (generation: Generation): { first: number; last: number } | undefined => {
  const samples = warm(generation).map(({ mib }) => mib);
  const part = Math.ceil(samples.length / 5);
  if (samples.length < 5) return undefined;
  return { first: middle(samples.slice(0, part)), last: middle(samples.slice(-part)) };
};

/** MiB a minute: the middle of all slopes between two samples, which a single leap does not move. */
export const growthOf = (generation: Generation): number => {
  const samples = warm(generation);
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => ((other.mib - one.mib) * 60_000) / (other.ageMs - one.ageMs)),
  );
  return middle(slopes);
};

export const lifeOf = ({ samples }: Generation): number => samples.at(-1)?.ageMs ?? 0;
