import {
  compareVersions,
  NAME_MAX,
  otaCalls,
  type Sent,
  type TaskDetails,
  UPGRADE_TIMEOUT_MINUTES,
  type VersionDetails,
} from '@device-center/contract';

type Added = Sent<typeof otaCalls.addDeviceOtaTask>;

/** When and how often. Times are ISO texts; '' where none is set. */
export type TimesFields = {
  taskRank: number;
  executeNow: 0 | 1;
  taskStart: string;
  taskEnd: string;
  taskType: 1 | 2;
  cron: string;
  timezone: string;
};

/** How carefully. The stages stand as they are typed: `5, 25, 100`. */
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

export type MissionFields = { taskName: string } & TargetFields & TimesFields & RolloutFields;

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

/** A few first, then a look, and no further where too many fail. */
export const careful: Partial<RolloutFields> = {
  stages: '5, 25, 100',
  stageWait: 30,
  retries: 1,
  stopPercent: 10,
  stopAfter: 10,
};

export const blankMission = (): MissionFields => ({
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

/** Named after the version, whose dots a name cannot have, and for all that run an older one. */
export const rollOutOf = (version: VersionDetails): Partial<MissionFields> => ({
  taskName: `${version.versionName}-${version.versionNumber.replaceAll(/[.+]/g, '-')}`.slice(0, NAME_MAX),
  versionNumber: version.running
    .map(({ versionNumber }) => versionNumber)
    .filter((running) => compareVersions(running, version.versionNumber) < 0),
});

/** A rehearsal waits for silent devices a minute only; the real task as long as any other. */
export const missionLike = (task: TaskDetails): Partial<MissionFields> => ({
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

/** More devices than this are upgraded carefully unless the operator says otherwise. */
export const LARGE_FROM = 50;

export const agrees = (fields: Partial<RolloutFields>, preset: Partial<RolloutFields>): boolean =>
  stagesIn(fields.stages ?? '').join() === stagesIn(preset.stages ?? '').join() &&
  (['stageWait', 'retries', 'stopPercent'] as const).every((key) => fields[key] === preset[key]);

/** Fields that are out of sight have no value, and mean nothing. */
export const timesOf = (fields: Partial<TimesFields>): Pick<Added, keyof TimesFields> => {
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

export const rolloutOf = (fields: Partial<RolloutFields>): Pick<Added, keyof RolloutFields> => ({
  stages: stagesIn(fields.stages ?? allAtOnce.stages),
  stageWait: fields.stageWait ?? allAtOnce.stageWait,
  perMinute: fields.perMinute ?? allAtOnce.perMinute,
  timeout: fields.timeout ?? allAtOnce.timeout,
  retries: fields.retries ?? allAtOnce.retries,
  stopPercent: fields.stopPercent ?? allAtOnce.stopPercent,
  stopAfter: fields.stopAfter ?? allAtOnce.stopAfter,
  allowOlder: fields.allowOlder ?? allAtOnce.allowOlder,
});

/** Whom it means, or nothing while that is not said yet. */
export const conditionOf = (fields: Partial<TargetFields>) => {
  const { deviceVersionId = '', target = 'versions', versionNumber = [], deviceListId = [], appId = '' } = fields;
  const said = target === 'versions' ? versionNumber : deviceListId;
  if (deviceVersionId === '' || said.length === 0) return undefined;
  return { deviceVersionId, appId, ...(target === 'versions' ? { versionNumber } : { deviceListId }) };
};
