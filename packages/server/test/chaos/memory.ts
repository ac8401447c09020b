import { adminProcess, deviceProcess, residentMiB } from '../hub-process.ts';
import type { Installation } from './installation.ts';
import { middle } from './share.ts';

type Sample = { ageMs: number; mib: number };
/** One run of an admin or device process. */
export type Generation = { side: 'admin' | 'device'; pid: number; startedAt: number; samples: Sample[] };

/** Until then a process compiles code, fills its caches and works off the backlog. */
const WARM_MS = 30_000;

export const watchMemory = (installation: Installation, everyMs: number) => {
  const generations: Generation[] = [];
  const look = (side: Generation['side'], pid: number): void => {
    const mib = residentMiB(pid);
    const last = generations.findLast((one) => one.side === side);
    const known = last?.pid === pid ? last : undefined;
    const generation = known ?? { side, pid, startedAt: Date.now(), samples: [] };
    if (!known) generations.push(generation);
    generation.samples.push({ ageMs: Date.now() - generation.startedAt, mib });
  };
  const timer = setInterval(() => {
    try {
      look('admin', adminProcess(installation.hub()));
      look('device', deviceProcess(installation.hub()));
    } catch {
      // The process is not running at the moment.
    }
  }, everyMs);
  return { generations, stop: () => clearInterval(timer) };
};

const warm = ({ samples }: Generation): Sample[] => samples.filter(({ ageMs }) => ageMs >= WARM_MS);

/** Memory after the warm-up and at the end; undefined for a process that ran too short. */
export const levelsOf = (generation: Generation): { first: number; last: number } | undefined => {
  const samples = warm(generation).map(({ mib }) => mib);
  const part = Math.ceil(samples.length / 5);
  if (samples.length < 5) return undefined;
  return { first: middle(samples.slice(0, part)), last: middle(samples.slice(-part)) };
};

/** MiB per minute: the median of the slopes between all pairs of samples (Theil-Sen), robust against single jumps. */
export const growthOf = (generation: Generation): number => {
  const samples = warm(generation);
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => ((other.mib - one.mib) * 60_000) / (other.ageMs - one.ageMs)),
  );
  return middle(slopes);
};

export const lifeOf = ({ samples }: Generation): number => samples.at(-1)?.ageMs ?? 0;
