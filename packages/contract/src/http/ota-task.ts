import { z } from 'zod';
import { blankable, flag, formInt, formList, formOption, id, time, versionNumber } from '../fields.ts';
import { pageOf } from '../paging.ts';
import { failReasonIds, taskActions, taskStatusIds, upgradeStatusIds } from '../rules/ota-task.ts';
import { timeZone } from '../time-zone.ts';

export const TASK_RANK_MAX = 10;
export const TASK_DEVICES_MAX = 10_000;
export const TASK_LENGTH_MS = 7 * 86_400_000;
export const TASK_STAGES_MAX = 10;
export const UPGRADE_TIMEOUT_MINUTES = 30;
export const REHEARSAL_DEVICES_MAX = 20;

/** Whether the percentages increase and the last one is 100. */
const isIncreasing = (stages: number[]): boolean =>
  stages.length === 0 || (stages.every((share, index) => share > (stages[index - 1] ?? 0)) && stages.at(-1) === 100);

/** Rollout settings; all are extensions. */
export const rollout = {
  /** Cumulative percentages of the devices, such as 5, 25, 100. */
  stages: formList(formInt(1, 100), TASK_STAGES_MAX).refine(isIncreasing, { error: 'STAGES' }).default([100]),
  /** Minutes between the end of a stage and the next. */
  stageWait: formInt(0, 10_080).default(0),
  /** Devices notified per minute; 0: unlimited. */
  perMinute: formInt(0, 100_000).default(0),
  /** Minutes without a report after which a device counts as failed. */
  timeout: formInt(1, 1_440).default(UPGRADE_TIMEOUT_MINUTES),
  /** Automatic retries of a failed device. */
  retries: formInt(0, 10).default(0),
  /** Pauses the task if more than this percentage of the finished devices failed; 0: never. */
  stopPercent: formInt(0, 99).default(0),
  /** Minimum number of finished devices before the failure threshold applies. */
  stopAfter: formInt(1, 100_000).default(10),
  /** 1: also upgrades devices that run a newer version. */
  allowOlder: flag().default(0),
};

export const schedule = {
  taskRank: formInt(1, TASK_RANK_MAX).default(1),
  taskStart: blankable(time()),
  taskEnd: blankable(time()),
  executeNow: flag().default(1),
  /** 1: once; 2: repeated by `cron`. */
  taskType: formOption([1, 2]).default(1),
  cron: z.string().trim().max(100).default(''),
  timezone: blankable(timeZone()),
};

export const condition = {
  /** The target version. */
  deviceVersionId: id(),
  appId: blankable(id()),
  /** Devices on these versions, or selected devices; not both. */
  versionNumber: blankable(formList(versionNumber(), 100)),
  deviceListId: blankable(formList(id(), TASK_DEVICES_MAX)),
};

const tally = z.object({
  0: z.int(),
  1: z.int(),
  2: z.int(),
  3: z.int(),
  4: z.int(),
  5: z.int(),
  6: z.int(),
  7: z.int(),
});

export const taskRow = z.object({
  taskId: z.string(),
  taskName: z.string(),
  taskRank: z.int(),
  taskType: z.literal([1, 2]),
  taskStatus: z.literal(taskStatusIds),
  taskStatusName: z.string(),
  taskStart: z.string(),
  taskEnd: z.string(),
  executeNow: flag(),
  cron: z.string(),
  timezone: z.string(),
  /** Start of the next run, or of a task that has not started; '' if there is none. */
  nextTime: z.string(),
  /** Number of runs started; at most 1 for a task that runs once. */
  runs: z.int(),
  appId: z.string(),
  appName: z.string(),
  deviceVersionId: z.string(),
  versionName: z.string(),
  targetVersion: z.string(),
  /** 1: the version was deleted, and the task cannot run again. */
  versionDeleted: flag(),
  productId: z.string(),
  productName: z.string(),
  /** Condition: devices on these versions. */
  versionNumber: z.array(z.string()),
  /** 1 if devices were selected individually. */
  chosen: flag(),
  deviceCount: z.int(),
  /** Devices by their status. */
  tally,
  /** Percentage of finished devices. */
  completion: z.int(),
  /** 0: none yet; 1: success; 2: failure; 3: mixed. */
  result: z.literal([0, 1, 2, 3]),
  handler: z.string(),
  /** 1: a rehearsal on mock devices created for it. */
  rehearsal: flag(),
  /** Current stage, from 1. */
  stage: z.int(),
  /** Why the hub paused the task: `threshold`; otherwise ''. */
  stopReason: z.enum(['', 'threshold']),
  allowed: z.array(z.enum(taskActions)),
  tenancyId: z.string(),
  tenancyName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  /** When the task ended; '' if it has not. */
  endTime: z.string(),
});
export type TaskRow = z.output<typeof taskRow>;

export const taskDetails = taskRow.extend({
  stages: z.array(z.int()),
  stageWait: z.int(),
  perMinute: z.int(),
  timeout: z.int(),
  retries: z.int(),
  stopPercent: z.int(),
  stopAfter: z.int(),
  allowOlder: flag(),
  /** Notified devices of each stage by result. `undone` includes devices that wait for a retry. */
  stageTallies: z.array(
    z.object({ stage: z.int(), told: z.int(), success: z.int(), failed: z.int(), undone: z.int() }),
  ),
  /** Failed devices by reason. */
  failures: z.array(z.object({ reason: z.literal(failReasonIds), devices: z.int() })),
  /** Start of the next stage; '' if none is scheduled. */
  stageTime: z.string(),
});
export type TaskDetails = z.output<typeof taskDetails>;

export const upgradeRow = z.object({
  deviceOtaTaskId: z.string(),
  taskId: z.string(),
  taskName: z.string(),
  deviceId: z.string(),
  /** '' if the device was deleted. */
  deviceName: z.string(),
  online: z.literal([1, 2]),
  productId: z.string(),
  productName: z.string(),
  status: z.literal(upgradeStatusIds),
  reason: z.literal(failReasonIds),
  /** Description of the failure, from the device or the hub. */
  detail: z.string(),
  attempt: z.int(),
  percent: z.int(),
  stage: z.int(),
  /** Version when the device joined the task, target version, and current version. */
  fromVersion: z.string(),
  targetVersion: z.string(),
  versionNumber: z.string(),
  /** 1 while the device has priority. */
  first: flag(),
  /** 1 if the device can be prioritized now. */
  mayBeFirst: flag(),
  notifiedTime: z.string(),
  reportTime: z.string(),
  endTime: z.string(),
  /** Time of the next retry; '' if none is scheduled. */
  dueTime: z.string(),
});
export type UpgradeRow = z.output<typeof upgradeRow>;

/** Log of a task. `action`: of an operator, a trigger of the task's rules, or one of a device. */
export const taskLogRow = z.object({
  logId: z.string(),
  time: z.string(),
  /** '' for the hub. */
  username: z.string(),
  action: z.string(),
  fromStatus: z.literal([-1, ...taskStatusIds]),
  toStatus: z.literal([-1, ...taskStatusIds]),
  detail: z.string(),
});
export type TaskLogRow = z.output<typeof taskLogRow>;

export const preview = z.object({
  total: z.int(),
  online: z.int(),
  /** Already run the target version: they succeed without an upgrade. */
  already: z.int(),
  /** Run a newer version: they reject the upgrade unless older versions are allowed. */
  newer: z.int(),
  /** Reserved by another task of the same or a higher rank: the task cannot be created with them. */
  held: z.int(),
  heldBy: z.array(z.object({ taskId: z.string(), taskName: z.string(), taskRank: z.int(), devices: z.int() })),
  /** Reserved by a task of a lower rank: this task takes them over. */
  takenOver: z.int(),
  /** Selected, but not of this product, application or tenant. */
  unknown: z.array(z.string()),
  byVersion: z.array(z.object({ versionNumber: z.string(), devices: z.int() })),
  devices: pageOf(
    z.object({ deviceId: z.string(), deviceName: z.string(), versionNumber: z.string(), online: z.literal([1, 2]) }),
  ),
  /** The next five runs within the task's time range. */
  nextTimes: z.array(z.string()),
});
export type TaskPreview = z.output<typeof preview>;
