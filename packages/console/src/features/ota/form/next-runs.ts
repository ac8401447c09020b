import { TASK_LENGTH_MS } from '@device-center/contract';
import { useEffect, useState } from 'react';
import type { TimesFields } from './task-fields.ts';

export const RUNS_SHOWN = 5;

export type Runs = { times: string[]; problem: '' | 'CRON_INVALID' | 'CRON_NEVER' };

/** The time window of a task, computed as on the hub. */
export const windowOf = (
  { executeNow, taskStart, taskEnd }: Pick<TimesFields, 'executeNow' | 'taskStart' | 'taskEnd'>,
  now: number,
): { start: number; end: number } => {
  const start = executeNow === 1 || taskStart === '' ? now : Date.parse(taskStart);
  return { start, end: taskEnd === '' ? start + TASK_LENGTH_MS : Date.parse(taskEnd) };
};

/** The next runs of a cron expression within the task, by the same rules and library as on the hub. */
export const nextRuns = async (times: TimesFields, now = Date.now()): Promise<Runs> => {
  const { Cron } = await import('croner');
  const { start, end } = windowOf(times, now);
  try {
    const cron = new Cron(times.cron, { mode: '5-part', timezone: times.timezone, paused: true });
    // Croner returns times after the given one; subtract 1 ms, so that the given time itself counts.
    const found = cron.nextRuns(RUNS_SHOWN, new Date(Math.max(now, start) - 1)).filter((time) => time.getTime() < end);
    return { times: found.map((time) => time.toISOString()), problem: found.length === 0 ? 'CRON_NEVER' : '' };
  } catch {
    return { times: [], problem: 'CRON_INVALID' };
  }
};

/** Undefined while loading, and for a task that runs once. */
export const useNextRuns = (times: Partial<TimesFields>): Runs | undefined => {
  const [runs, setRuns] = useState<Runs>();
  const serialized = JSON.stringify(times);
  useEffect(() => {
    let wanted = true;
    const fields = JSON.parse(serialized) as TimesFields;
    if (fields.taskType !== 2) return setRuns(undefined);
    void nextRuns(fields).then((found) => wanted && setRuns(found));
    return () => {
      wanted = false;
    };
  }, [serialized]);
  return runs;
};
