import {
  compareVersions,
  NAME_MAX,
  otaCalls,
  type Sent,
  type TaskDetails,
  UPGRADE_TIMEOUT_MINUTES,
  type VersionDetails,
} from '@device-center/contract';

type TaskInput = Sent<typeof otaCalls.addDeviceOtaTask>;

/** Schedule. Times are ISO strings; '' if not set. */
export type TimesFields = {
  taskRank: number;
  executeNow: 0 | 1;
  taskStart: string;
  taskEnd: string;
  taskType: 1 | 2;
  cron: string;
  timezone: string;
};

/** Rollout. `stages` is the typed text, such as `5, 25, 100`. */
export type RolloutFields = {
  stages: string;
  stageWait: number;
  perMinute: number;
  timeout: number;
  retries: number;
  stopPercent: number;
  stopAfter: number;
  allowOlder: 0 | 1;
};

export type TargetFields = {
  productId: string;
  deviceVersionId: string;
  target: 'versions' | 'devices';
  versionNumber: string[];
  deviceListId: string[];
  appId: string;
};

export type TaskFields = { taskName: string } & TargetFields & TimesFields & RolloutFields;

export const rules = otaCalls.addDeviceOtaTask.input.shape;

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const blankTimes = (): TimesFields => ({
  taskRank: 1,
  executeNow: 1,
  taskStart: '',
  taskEnd: '',
  taskType: 1,
  cron: '0 2 * * *',
  timezone: ownTimeZone(),
});

export const allAtOnce: RolloutFields = {
  stages: '100',
  stageWait: 0,
  perMinute: 0,
  timeout: UPGRADE_TIMEOUT_MINUTES,
  retries: 0,
  stopPercent: 0,
  stopAfter: 10,
  allowOlder: 0,
};

/** Small first stages with a waiting time and a failure threshold. */
export const careful: Partial<RolloutFields> = {
  stages: '5, 25, 100',
  stageWait: 30,
  retries: 1,
  stopPercent: 10,
  stopAfter: 10,
};

export const blankTask = (): TaskFields => ({
  taskName: '',
  productId: '',
  deviceVersionId: '',
  target: 'versions',
  versionNumber: [],
  deviceListId: [],
  appId: '',
  ...blankTimes(),
  ...allAtOnce,
});

/** Values for rolling out a version: named after it (names may not contain dots), for all older versions. */
export const rollOutOf = (version: VersionDetails): Partial<TaskFields> => ({
  taskName: `${version.versionName}-${version.versionNumber.replaceAll(/[.+]/g, '-')}`.slice(0, NAME_MAX),
  versionNumber: version.running
    .map(({ versionNumber }) => versionNumber)
    .filter((running) => compareVersions(running, version.versionNumber) < 0),
});

/** Values of a rehearsal for the real task, except the timeout, which is only a minute in a rehearsal. */
export const taskFieldsOf = (task: TaskDetails): Partial<TaskFields> => ({
  productId: task.productId,
  deviceVersionId: task.deviceVersionId,
  stages: task.stages.join(', '),
  stageWait: task.stageWait,
  perMinute: task.perMinute,
  retries: task.retries,
  stopPercent: task.stopPercent,
  stopAfter: task.stopAfter,
  allowOlder: task.allowOlder,
});

export const stagesIn = (typed: string): number[] =>
  typed
    .split(/[^\d]+/)
    .filter((part) => part !== '')
    .map(Number);

/** With more devices than this, the careful rollout is the default. */
export const LARGE_FROM = 50;

export const matchesPreset = (fields: Partial<RolloutFields>, preset: Partial<RolloutFields>): boolean =>
  stagesIn(fields.stages ?? '').join() === stagesIn(preset.stages ?? '').join() &&
  (['stageWait', 'retries', 'stopPercent'] as const).every((key) => fields[key] === preset[key]);

/** Schedule for the call. Hidden fields are left out. */
export const timesOf = (fields: Partial<TimesFields>): Pick<TaskInput, keyof TimesFields> => {
  const { taskRank = 1, executeNow = 1, taskStart = '', taskEnd = '', taskType = 1, cron = '', timezone = '' } = fields;
  return {
    taskRank,
    executeNow,
    taskStart: executeNow === 1 ? '' : taskStart,
    taskEnd,
    taskType,
    cron: taskType === 2 ? cron : '',
    timezone,
  };
};

export const rolloutOf = (fields: Partial<RolloutFields>): Pick<TaskInput, keyof RolloutFields> => ({
  stages: stagesIn(fields.stages ?? allAtOnce.stages),
  stageWait: fields.stageWait ?? allAtOnce.stageWait,
  perMinute: fields.perMinute ?? allAtOnce.perMinute,
  timeout: fields.timeout ?? allAtOnce.timeout,
  retries: fields.retries ?? allAtOnce.retries,
  stopPercent: fields.stopPercent ?? allAtOnce.stopPercent,
  stopAfter: fields.stopAfter ?? allAtOnce.stopAfter,
  allowOlder: fields.allowOlder ?? allAtOnce.allowOlder,
});

/** Target condition for the call; undefined while version or targets are missing. */
export const conditionOf = (fields: Partial<TargetFields>) => {
  const { deviceVersionId = '', target = 'versions', versionNumber = [], deviceListId = [], appId = '' } = fields;
  const targets = target === 'versions' ? versionNumber : deviceListId;
  if (deviceVersionId === '' || targets.length === 0) return undefined;
  return { deviceVersionId, appId, ...(target === 'versions' ? { versionNumber } : { deviceListId }) };
};
