import type { Log } from './log.ts';

/** Enough for work that no wake-up announces, such as a retry that is due. */
export const IDLE_MS = 5_000;

/** Between the first runs of two jobs with the same interval. */
const APART_MS = 30;

export type Job = {
  name: string;
  /** While there is work. */
  everyMs: number;
  /** For a job that looks for work: how often it runs while it finds none and nothing wakes it up. */
  idleMs?: number;
  /** A job with `idleMs` answers `true` when there may be more to do soon. */
  run: () => Promise<unknown>;
};

/** Runs each job again and again, never over itself; a failure is logged and the next time is another try. */
export const startJobs = (log: Log, jobs: Job[]) => {
  let stopping = false;
  const underWay = new Map<Job, Promise<void>>();
  const timers = new Map<Job, NodeJS.Timeout>();
  /** When a job last ended, on the monotonic clock. */
  const endedAt = new Map<Job, number>();
  const woken = new Set<Job>();

  const runNow = (job: Job): Promise<void> => {
    clearTimeout(timers.get(job));
    timers.delete(job);
    woken.delete(job);
    const turn = job
      .run()
      .catch((error: unknown) => {
        log.error({ err: error, job: job.name }, 'job failed');
        return true;
      })
      .then((foundWork) => {
        underWay.delete(job);
        endedAt.set(job, performance.now());
        const isIdle = job.idleMs !== undefined && foundWork !== true && !woken.has(job);
        if (!stopping) schedule(job, (isIdle && job.idleMs) || job.everyMs);
      });
    underWay.set(job, turn);
    return turn;
  };
  const schedule = (job: Job, afterMs: number): void => {
    clearTimeout(timers.get(job));
    timers.set(
      job,
      setTimeout(() => void runNow(job), afterMs),
    );
  };
  // Not at the same moment: jobs that query the database side by side make it open threads or connections for them.
  jobs.forEach((job, index) => {
    schedule(job, job.everyMs + index * APART_MS);
  });

  return {
    /** There may be work: jobs that have found none run at their usual pace, not at the idle one. */
    wake(): void {
      if (stopping) return;
      for (const job of jobs) {
        if (job.idleMs === undefined || woken.has(job)) continue;
        woken.add(job);
        const rest = job.everyMs - (performance.now() - (endedAt.get(job) ?? performance.now()));
        if (!underWay.has(job)) schedule(job, Math.max(0, rest));
      }
    },
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
