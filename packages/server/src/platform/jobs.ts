import type { Log } from './log.ts';

export type Job = { name: string; everyMs: number; run: () => Promise<void> };

/** Runs each job again and again, never over itself; a failure is logged and the next time is another try. */
export const startJobs = (log: Log, jobs: Job[]) => {
  let stopping = false;
  const underWay = new Map<Job, Promise<void>>();
  const timers = new Map<Job, NodeJS.Timeout>();

  const runNow = (job: Job): Promise<void> => {
    clearTimeout(timers.get(job));
    timers.delete(job);
    const turn = job
      .run()
      .catch((error: unknown) => log.error({ err: error, job: job.name }, 'job failed'))
      .finally(() => {
        underWay.delete(job);
        if (!stopping) schedule(job);
      });
    underWay.set(job, turn);
    return turn;
  };
  const schedule = (job: Job): void => {
    timers.set(
      job,
      setTimeout(() => void runNow(job), job.everyMs),
    );
  };
  for (const job of jobs) schedule(job);

  return {
    /** Runs a job before its time: the interval starts again after it. */
    async run(name: string): Promise<void> {
      const job = jobs.find((one) => one.name === name);
      if (!job) throw new Error(`there is no job ${name}`);
      while (underWay.has(job)) await underWay.get(job);
      await runNow(job);
    },
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(underWay.values());
    },
  };
};
