import { AppError } from './app-error.ts';

/** Runs the tasks of a key one after the other, in order. Different keys do not wait for each other. */
export const createKeyedMutex = () => {
  const last = new Map<string, Promise<unknown>>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
};

type QueueLimits = { max: number; maxOfOne: number };

/**
 * Runs one task at a time, owners taking turns. Each owner has a limit of queued tasks, so that none fills the queue;
 * above the limits a task is rejected.
 */
export const createFairQueue = ({ max, maxOfOne }: QueueLimits) => {
  const runExclusive = createKeyedMutex();
  const counts = new Map<string, number>();
  let all = 0;
  const count = (owner: string, change: 1 | -1): void => {
    const own = (counts.get(owner) ?? 0) + change;
    all += change;
    if (own === 0) counts.delete(owner);
    else counts.set(owner, own);
  };
  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    if (all >= max || (counts.get(owner) ?? 0) >= maxOfOne) throw new AppError('TOO_MANY_REQUESTS');
    count(owner, 1);
    try {
      return await runExclusive(`of ${owner}`, () => runExclusive('', work));
    } finally {
      count(owner, -1);
    }
  };
};
