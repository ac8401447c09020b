import type { Log } from './log.ts';

/** Short enough for work that no wake-up announces, such as a retry that is due. */
export const IDLE_MS = 5_000;

/** Offset between the first runs of jobs with the same interval. */
const APART_MS = 30;

export type Job = {
  name: string;
  /** Interval while there is work. */
  everyMs: number;
  /** For a job that polls: its interval while it finds no work and is not woken. */
  idleMs?: number;
  /** A job with `idleMs` returns true if there may soon be more work. */
  run: () => Promise<unknown>;
};

/** Runs each job periodically, without overlapping runs. A failure is logged, and the next run tries again. */
export const startJobs = (log: Log, jobs: Job[]) => {
  let stopping = false;
  const running = new Map<Job, Promise<void>>();
  const timers = new Map<Job, NodeJS.Timeout>();
  /** When a job last ended, on the monotonic clock. */
  const endedAt = new Map<Job, number>();
  const woken = new Set<Job>();

  const runNow = (job: Job): Promise<void> => {
    clearTimeout(timers.get(job));
    timers.delete(job);
    woken.delete(job);
    const current = job
      .run()
      .catch((error: unknown) => {
        log.error({ err: error, job: job.name }, 'job failed');
        return true;
      })
      .then((foundWork) => {
        running.delete(job);
        endedAt.set(job, performance.now());
        const isIdle = job.idleMs !== undefined && foundWork !== true && !woken.has(job);
        if (!stopping) schedule(job, (isIdle && job.idleMs) || job.everyMs);
      });
    running.set(job, current);
    return current;
  };
  const schedule = (job: Job, afterMs: number): void => {
    clearTimeout(timers.get(job));
    timers.set(
      job,
      setTimeout(() => void runNow(job), afterMs),
    );
  };
  // Staggered: jobs that query the database at the same moment make it open more threads or connections.
  jobs.forEach((job, index) => {
    schedule(job, job.everyMs + index * APART_MS);
  });

  return {
    /** There may be work: idle jobs return to their normal interval. */
    wake(): void {
      if (stopping) return;
      for (const job of jobs) {
        if (job.idleMs === undefined || woken.has(job)) continue;
        woken.add(job);
        const rest = job.everyMs - (performance.now() - (endedAt.get(job) ?? performance.now()));
        if (!running.has(job)) schedule(job, Math.max(0, rest));
      }
    },
    /** Runs a job now; its interval restarts afterwards. */
    async run(name: string): Promise<void> {
      const job = jobs.find((one) => one.name === name);
      if (!job) throw new Error(`unknown job ${name}`);
      while (running.has(job)) await running.get(job);
      await runNow(job);
    },
    async stop(): Promise<void> {
      stopping = true;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
};
