import { type Input, type otaCalls, TASK_LENGTH_MS, TaskType } from '@device-center/contract';
import { Cron } from 'croner';
import type { OtaTask } from '../../domain/ota/records.ts';
import { AppError } from '../../platform/app-error.ts';

type ScheduleInput = Pick<
  Input<typeof otaCalls.addDeviceOtaTask>,
  'taskStart' | 'taskEnd' | 'executeNow' | 'taskType' | 'cron' | 'timezone'
>;
type Schedule = Pick<OtaTask, 'task_type' | 'cron' | 'timezone' | 'start_at' | 'end_at'>;

const UTC = 'Etc/UTC';

const cronOf = (expression: string, timezone: string): Cron => {
  try {
    return new Cron(expression, { mode: '5-part', timezone, paused: true });
  } catch {
    throw new AppError('CRON_INVALID', {}, 'cron');
  }
};

/** The first run of a polling task at or after `time` and before the task's end; 0 when there is none. */
export const nextRunAt = ({ task_type, cron, timezone, start_at, end_at }: Schedule, time: number): number => {
  if (task_type !== TaskType.polling) return 0;
  // Croner returns times strictly after its argument; a run exactly at `time` counts here.
  const after = new Date(Math.max(time, start_at) - 1);
  const next = cronOf(cron, timezone || UTC)
    .nextRun(after)
    ?.getTime();
  return next !== undefined && next < end_at ? next : 0;
};

export const nextRunsOf = (task: Schedule, time: number, count: number): number[] => {
  const times: number[] = [];
  for (let at = time; times.length < count; ) {
    const next = nextRunAt(task, at);
    if (next === 0) break;
    times.push(next);
    at = next + 1;
  }
  return times;
};

/** Start, end, cron and time zone of a task. */
export const scheduleOf = (input: ScheduleInput, now: number): Schedule & Pick<OtaTask, 'execute_now'> => {
  if (input.executeNow === 0 && input.taskStart === undefined)
    throw new AppError('TASK_START_MISSING', {}, 'taskStart');
  const start = input.executeNow === 1 ? now : (input.taskStart ?? now);
  const end = input.taskEnd ?? Math.max(start, input.taskStart ?? 0) + TASK_LENGTH_MS;
  if (end <= start || end <= now) throw new AppError('TASK_TIMES', {}, 'taskEnd');
  const polling = input.taskType === TaskType.polling;
  const schedule: Schedule & Pick<OtaTask, 'execute_now'> = {
    task_type: input.taskType,
    cron: polling ? input.cron : '',
    timezone: input.timezone ?? UTC,
    start_at: start,
    end_at: end,
    execute_now: input.executeNow,
  };
  if (polling && nextRunAt(schedule, now) === 0) throw new AppError('CRON_NEVER', {}, 'cron');
  return schedule;
};
