import { type Input, type otaCalls, TASK_LENGTH_MS, TaskType } from '@device-center/contract';
import { Cron } from 'croner';
import type { OtaTask } from '../../db/ota-records.ts';
import { AppError } from '../../platform/app-error.ts';

type Asked = Pick<
  Input<typeof otaCalls.addDeviceOtaTask>,
  'taskStart' | 'taskEnd' | 'executeNow' | 'taskType' | 'cron' | 'timezone'
>;
type Timed = Pick<OtaTask, 'task_type' | 'cron' | 'timezone' | 'start_at' | 'end_at'>;

const UTC = 'Etc/UTC';

const cronOf = (expression: string, timezone: string): Cron => {
  try {
    return new Cron(expression, { mode: '5-part', timezone, paused: true });
  } catch {
    throw new AppError('CRON_INVALID', {}, 'cron');
  }
};

/** The first time of a polling task's cron at or after a moment, within the task; 0 when there is none. */
export const nextRunAt = ({ task_type, cron, timezone, start_at, end_at }: Timed, moment: number): number => {
  if (task_type !== TaskType.polling) return 0;
  // Croner answers times after the one it is given; one that falls on the moment itself counts.
  const after = new Date(Math.max(moment, start_at) - 1);
  const next = cronOf(cron, timezone || UTC)
    .nextRun(after)
    ?.getTime();
  return next !== undefined && next < end_at ? next : 0;
};

export const nextRunsOf = (task: Timed, moment: number, count: number): number[] => {
  const times: number[] = [];
  for (let at = moment; times.length < count; ) {
    const next = nextRunAt(task, at);
    if (next === 0) break;
    times.push(next);
    at = next + 1;
  }
  return times;
};

/** When a task begins and ends, and by which clock it runs. */
export const scheduleOf = (asked: Asked, now: number): Timed & Pick<OtaTask, 'execute_now'> => {
  if (asked.executeNow === 0 && asked.taskStart === undefined)
    throw new AppError('TASK_START_MISSING', {}, 'taskStart');
  const start = asked.executeNow === 1 ? now : (asked.taskStart ?? now);
  const end = asked.taskEnd ?? Math.max(start, asked.taskStart ?? 0) + TASK_LENGTH_MS;
  if (end <= start || end <= now) throw new AppError('TASK_TIMES', {}, 'taskEnd');
  const polling = asked.taskType === TaskType.polling;
  const schedule: Timed & Pick<OtaTask, 'execute_now'> = {
    task_type: asked.taskType,
    cron: polling ? asked.cron : '',
    timezone: asked.timezone ?? UTC,
    start_at: start,
    end_at: end,
    execute_now: asked.executeNow,
  };
  if (polling && nextRunAt(schedule, now) === 0) throw new AppError('CRON_NEVER', {}, 'cron');
  return schedule;
};
