/** States of an upgrade task with the specification's numbers. */
export const TaskStatus = {
  notStarted: 0,
  waiting: 1,
  upgrading: 2,
  paused: 3,
  cancelled: 4,
  succeeded: 5,
  failed: 6,
  finished: 7,
  waitingNext: 8,
} as const;
export type TaskStatusId = (typeof TaskStatus)[keyof typeof TaskStatus];
export const taskStatusIds = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
/** Running or paused: upgrades may be in progress, and failed devices may wait for a retry. */
export const activeTaskStatuses: readonly TaskStatusId[] = [1, 2, 3];
/** A task in one of these states reserves its unfinished devices; only a task of a higher rank can take them over. */
export const reservingTaskStatuses: readonly TaskStatusId[] = [0, ...activeTaskStatuses];
export const unfinishedStatuses: readonly TaskStatusId[] = [...reservingTaskStatuses, 8];
export const isActiveTask = (status: TaskStatusId): boolean => activeTaskStatuses.includes(status);
export const isUnfinished = (status: TaskStatusId): boolean => unfinishedStatuses.includes(status);

/** States of one device in a task. */
export const UpgradeStatus = {
  waiting: 0,
  notified: 1,
  downloading: 2,
  verifying: 3,
  installing: 4,
  success: 5,
  failed: 6,
  cancelled: 7,
} as const;
export type UpgradeStatusId = (typeof UpgradeStatus)[keyof typeof UpgradeStatus];
export const upgradeStatusIds = [0, 1, 2, 3, 4, 5, 6, 7] as const;
/** Notified, and not finished yet. */
export const inProgressStatuses: readonly UpgradeStatusId[] = [1, 2, 3, 4];
export const undoneStatuses: readonly UpgradeStatusId[] = [0, ...inProgressStatuses];
export const doneStatuses: readonly UpgradeStatusId[] = [5, 6, 7];
export const isInProgress = (status: UpgradeStatusId): boolean => inProgressStatuses.includes(status);

/** Why a device's upgrade failed, with the specification's numbers; 0: it did not. */
export const FailReason = { none: 0, timeout: 1, preempted: 2, download: 3, verification: 4, install: 5 } as const;
export type FailReasonId = (typeof FailReason)[keyof typeof FailReason];
export const failReasonIds = [0, 1, 2, 3, 4, 5] as const;

export const TaskType = { once: 1, polling: 2 } as const;

/** Actions of operators, and automatic triggers. */
export const taskActions = ['start', 'suspend', 'cancel', 'restart', 'retry', 'delete'] as const;
export const taskTriggers = [
  'startTime',
  'firstNotified',
  'threshold',
  'allDone',
  'runOver',
  'nextTime',
  'endTime',
] as const;
export type TaskAction = (typeof taskActions)[number];
export type TaskEvent = TaskAction | (typeof taskTriggers)[number];

/** Number of a task's devices in each state. */
export type UpgradeTally = Record<UpgradeStatusId, number>;

export type TaskContext = {
  polling: boolean;
  /** Of a retry: starts at its start time, not now. */
  later: boolean;
  /** Of a polling task: a run is open. */
  runOpen: boolean;
  /** Of a polling task: the cron has another run before the end time. */
  nextTime: boolean;
  /** Of a polling task over chosen devices. */
  chosen: boolean;
  tally: UpgradeTally;
};

export const emptyTally = (): UpgradeTally => ({ 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0 });
const countOf =
  (statuses: readonly UpgradeStatusId[]) =>
  (tally: UpgradeTally): number =>
    statuses.reduce<number>((sum, id) => sum + tally[id], 0);
export const countDevices = countOf(upgradeStatusIds);
export const countInProgress = countOf(inProgressStatuses);
export const countFinished = countOf(doneStatuses);
const undoneIn = countOf(undoneStatuses);
/** Percentage of finished devices, rounded down, so that 100 means all. */
export const completionPercent = (tally: UpgradeTally): number => {
  const devices = countDevices(tally);
  return devices === 0 ? 0 : Math.floor((countFinished(tally) * 100) / devices);
};

/** No further run is needed if there is no next time, or if no device of a fixed list has failed. */
const needsNoRun = ({ chosen, nextTime, tally }: TaskContext): boolean => !nextTime || (chosen && tally[6] === 0);

const conditions = {
  once: (facts: TaskContext) => !facts.polling,
  polling: (facts: TaskContext) => facts.polling,
  anyInProgress: ({ tally }: TaskContext) => countInProgress(tally) > 0,
  noneInProgress: ({ tally }: TaskContext) => countInProgress(tally) === 0,
  noneInProgressRunOpen: (facts: TaskContext) =>
    countInProgress(facts.tally) === 0 && (!facts.polling || facts.runOpen),
  noneInProgressNoRun: (facts: TaskContext) => countInProgress(facts.tally) === 0 && facts.polling && !facts.runOpen,
  allFinished: (facts: TaskContext) => undoneIn(facts.tally) === 0 && (!facts.polling || needsNoRun(facts)),
  pollingContinues: (facts: TaskContext) => facts.polling && facts.nextTime && countInProgress(facts.tally) === 0,
  now: (facts: TaskContext) => !facts.later,
  later: (facts: TaskContext) => facts.later,
} as const;
export type TaskCondition = keyof typeof conditions;

/** `close`: 5 if all devices succeeded, 6 if none did, otherwise 7. `gone`: the task is deleted. */
export type TaskTarget = TaskStatusId | 'close' | 'gone';
export type TaskTransition = {
  from: readonly TaskStatusId[];
  event: TaskEvent;
  when?: TaskCondition;
  to: TaskTarget;
};

/** State machine of a task, used by hub and console. Transitions that are not listed are rejected. */
export const taskTransitions: readonly TaskTransition[] = [
  { from: [0], event: 'start', to: 1 },
  { from: [0], event: 'startTime', when: 'once', to: 1 },
  { from: [0], event: 'startTime', when: 'polling', to: 8 },
  { from: [1], event: 'firstNotified', to: 2 },
  { from: [1, 2, 8], event: 'suspend', to: 3 },
  { from: [1, 2], event: 'threshold', to: 3 },
  { from: [3], event: 'start', when: 'anyInProgress', to: 2 },
  { from: [3], event: 'start', when: 'noneInProgressRunOpen', to: 1 },
  { from: [3], event: 'start', when: 'noneInProgressNoRun', to: 8 },
  { from: [0, 1, 2, 3, 8], event: 'cancel', to: 4 },
  { from: [1, 2, 3], event: 'allDone', when: 'allFinished', to: 'close' },
  { from: [1, 2], event: 'runOver', when: 'pollingContinues', to: 8 },
  { from: [8], event: 'nextTime', to: 1 },
  { from: [8], event: 'start', to: 1 },
  { from: [0, 1, 2, 3, 8], event: 'endTime', to: 'close' },
  { from: [4, 5, 6, 7], event: 'restart', to: 1 },
  { from: [6, 7], event: 'retry', when: 'now', to: 1 },
  { from: [6, 7], event: 'retry', when: 'later', to: 0 },
  { from: [0, 4, 5, 6, 7, 8], event: 'delete', to: 'gone' },
  { from: [3], event: 'delete', when: 'noneInProgress', to: 'gone' },
];

/** Ignores cancelled devices; if there are no others, the task is finished. */
export const closedStatus = (tally: UpgradeTally): TaskStatusId => {
  if (tally[5] > 0 && tally[6] === 0) return TaskStatus.succeeded;
  return tally[5] === 0 && tally[6] > 0 ? TaskStatus.failed : TaskStatus.finished;
};

/** Next state after an event; undefined if the event is not allowed. */
export const nextTaskStatus = (
  status: TaskStatusId,
  event: TaskEvent,
  facts: TaskContext,
): TaskStatusId | 'gone' | undefined => {
  const row = taskTransitions.find(
    ({ from, event: on, when }) => on === event && from.includes(status) && (!when || conditions[when](facts)),
  );
  return row?.to === 'close' ? closedStatus(facts.tally) : row?.to;
};

/** Actions that an operator may perform in this state. */
export const allowedActions = (status: TaskStatusId, facts: TaskContext): TaskAction[] =>
  taskActions.filter((action) => nextTaskStatus(status, action, facts) !== undefined);
