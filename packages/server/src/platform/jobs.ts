import type { Log } from './log.ts';

export type Job = { name: string; everyMs: number; run: () => Promise<void> };

/** Runs each job again and again, never over itself; a failure is logged and the next time is another try. */
export const startJobs = (log: Log, jobs: Job[]) => {
  let stopping = false;
  const underWay = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();

  const schedule = (job: Job): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const turn = job
        .run()
        .catch((error: unknown) => log.error({ err: error, job: job.name }, 'job failed'))
        .finally(() => {
          underWay.delete(turn);
          if (!stopping) schedule(job);
        });
      underWay.add(turn);
    }, job.everyMs);
    timers.add(timer);
  };
  for (const job of jobs) schedule(job);

  return {
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(underWay);
    },
  };
};
