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

/** Shares in percent of all devices, rising, the last one 100. */
const rising = (stages: number[]): boolean =>
  stages.length === 0 || (stages.every((share, index) => share > (stages[index - 1] ?? 0)) && stages.at(-1) === 100);

/** Safe rollouts; all of it an extension. */
export const rollout = {
  /** Up to these shares of the devices, one after the other: 5, 25, 100. */
  stages: formList(formInt(1, 100), TASK_STAGES_MAX).refine(rising, { error: 'STAGES' }).default([100]),
  /** Minutes between the end of a stage and the next. */
  stageWait: formInt(0, 10_080).default(0),
  /** Devices told a minute; 0: as fast as it goes. */
  perMinute: formInt(0, 100_000).default(0),
  /** Minutes without a report until a device has failed. */
  timeout: formInt(1, 1_440).default(UPGRADE_TIMEOUT_MINUTES),
  /** How often a device that failed is told again by itself. */
  retries: formInt(0, 10).default(0),
  /** Stops when more than so many percent of the devices that are done failed; 0: never. */
  stopPercent: formInt(0, 99).default(0),
  /** But not before so many are done. */
  stopAfter: formInt(1, 100_000).default(10),
  /** 1: also to devices that run a newer version. */
  allowOlder: flag().default(0),
};

export const schedule = {
  taskRank: formInt(1, TASK_RANK_MAX).default(1),
  taskStart: blankable(time()),
  taskEnd: blankable(time()),
  executeNow: flag().default(1),
  /** 1 once, 2 polling by `cron`. */
  taskType: formOption([1, 2]).default(1),
  cron: z.string().trim().max(100).default(''),
  timezone: blankable(timeZone()),
};

export const condition = {
  /** The target. */
  deviceVersionId: id(),
  appId: blankable(id()),
  /** Devices now on these versions; or chosen ones, not both. */
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
  /** When the next run opens, or a task that has not started does; '' when never. */
  nextTime: z.string(),
  /** How many runs have been opened; of a task that runs once at most 1. */
  runs: z.int(),
  appId: z.string(),
  appName: z.string(),
  deviceVersionId: z.string(),
  versionName: z.string(),
  targetVersion: z.string(),
  /** 1: the version is no longer there, and the task cannot run again. */
  versionDeleted: flag(),
  productId: z.string(),
  productName: z.string(),
  /** Condition: devices on these versions. */
  versionNumber: z.array(z.string()),
  /** 1 where the devices were chosen one by one. */
  chosen: flag(),
  deviceCount: z.int(),
  /** Devices by their status. */
  tally,
  /** Percent of the devices that are done. */
  completion: z.int(),
  /** 0 not yet, 1 success, 2 failure, 3 some of each. */
  result: z.literal([0, 1, 2, 3]),
  handler: z.string(),
  /** 1: on mock devices made for it. */
  rehearsal: flag(),
  /** The stage that is being told, from 1. */
  stage: z.int(),
  /** Why the hub itself has paused it: `threshold`; '' when it has not. */
  stopReason: z.enum(['', 'threshold']),
  allowed: z.array(z.enum(taskActions)),
  tenancyId: z.string(),
  tenancyName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  /** When it was over; '' while it is not. */
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
  /** Devices told so far in each stage, with how they ended. Undone are also those that wait to be told again. */
  stageTallies: z.array(
    z.object({ stage: z.int(), told: z.int(), success: z.int(), failed: z.int(), undone: z.int() }),
  ),
  /** Failed devices by their reason. */
  failures: z.array(z.object({ reason: z.literal(failReasonIds), devices: z.int() })),
  /** When the next stage begins; '' when nothing is waited for. */
  stageTime: z.string(),
});
export type TaskDetails = z.output<typeof taskDetails>;

export const upgradeRow = z.object({
  deviceOtaTaskId: z.string(),
  taskId: z.string(),
  taskName: z.string(),
  deviceId: z.string(),
  /** '' once the device is deleted. */
  deviceName: z.string(),
  online: z.literal([1, 2]),
  productId: z.string(),
  productName: z.string(),
  status: z.literal(upgradeStatusIds),
  reason: z.literal(failReasonIds),
  /** The device's own words, or the hub's. */
  detail: z.string(),
  attempt: z.int(),
  percent: z.int(),
  stage: z.int(),
  /** What it ran when it joined the task, what it is to run, and what it runs. */
  fromVersion: z.string(),
  targetVersion: z.string(),
  versionNumber: z.string(),
  /** 1 while it is to be told before the others. */
  first: flag(),
  /** May be told first now. */
  mayBeFirst: flag(),
  notifiedTime: z.string(),
  reportTime: z.string(),
  endTime: z.string(),
  /** Not before this time is it told again; '' when nothing is waited for. */
  dueTime: z.string(),
});
export type UpgradeRow = z.output<typeof upgradeRow>;

/** What operators and the hub did to a task. `action` of the hub: a happening of the rules, or `device` ones. */
export const taskLogRow = z.object({
  logId: z.string(),
  time: z.string(),
  /** '' for the hub itself. */
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
  /** Run the target version already: they succeed without being told. */
  already: z.int(),
  /** Run a newer version: they would refuse unless older ones are allowed. */
  newer: z.int(),
  /** Held by another task of the same or a higher rank: with them the task is refused. */
  held: z.int(),
  heldBy: z.array(z.object({ taskId: z.string(), taskName: z.string(), taskRank: z.int(), devices: z.int() })),
  /** Of a lower one: they are taken over. */
  takenOver: z.int(),
  /** Chosen, but not of this product, application or tenant. */
  unknown: z.array(z.string()),
  byVersion: z.array(z.object({ versionNumber: z.string(), devices: z.int() })),
  devices: pageOf(
    z.object({ deviceId: z.string(), deviceName: z.string(), versionNumber: z.string(), online: z.literal([1, 2]) }),
  ),
  /** The next five runs of the cron within the task's time. */
  nextTimes: z.array(z.string()),
});
export type TaskPreview = z.output<typeof preview>;
