/** An upgrade task, as the spec numbers its states. */
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
/** It runs, or is paused: devices may be under way, and one that failed waits to be told again. */
export const activeTaskStatuses: readonly TaskStatusId[] = [1, 2, 3];
/** A device of such a task that is not done is held by it; nobody else upgrades it unless of a higher rank. */
export const holdingTaskStatuses: readonly TaskStatusId[] = [0, ...activeTaskStatuses];
export const unfinishedStatuses: readonly TaskStatusId[] = [...holdingTaskStatuses, 8];
export const isActiveTask = (status: TaskStatusId): boolean => activeTaskStatuses.includes(status);
export const isUnfinished = (status: TaskStatusId): boolean => unfinishedStatuses.includes(status);

/** One device of a task. */
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
/** Told, and not at the end yet. */
export const underWayStatuses: readonly UpgradeStatusId[] = [1, 2, 3, 4];
export const undoneStatuses: readonly UpgradeStatusId[] = [0, ...underWayStatuses];
export const doneStatuses: readonly UpgradeStatusId[] = [5, 6, 7];
export const isUnderWay = (status: UpgradeStatusId): boolean => underWayStatuses.includes(status);

/** Why a device's upgrade failed, as the spec numbers it; 0 where it did not. */
export const FailReason = { none: 0, timeout: 1, overtaken: 2, download: 3, verification: 4, install: 5 } as const;
export type FailReasonId = (typeof FailReason)[keyof typeof FailReason];
export const failReasonIds = [0, 1, 2, 3, 4, 5] as const;

export const TaskType = { once: 1, polling: 2 } as const;

/** What an operator does, and what happens by itself. */
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

/** How many devices of a task are in each state. */
export type UpgradeTally = Record<UpgradeStatusId, number>;

export type TaskFacts = {
  polling: boolean;
  /** Of a retry: not now, but at its start time. */
  later: boolean;
  /** Of a polling task: a run has been opened and is not over. A task that runs once is one run. */
  runOpen: boolean;
  /** Of a polling task: the cron has a time left before its end. */
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
export const devicesIn = countOf(upgradeStatusIds);
export const underWayIn = countOf(underWayStatuses);
export const doneIn = countOf(doneStatuses);
const undoneIn = countOf(undoneStatuses);
/** Whole percents of the devices that are done, however they ended; 100 is all of them. */
export const completionIn = (tally: UpgradeTally): number => {
  const devices = devicesIn(tally);
  return devices === 0 ? 0 : Math.floor((doneIn(tally) * 100) / devices);
};

/** A chosen list that has all succeeded needs no further run; those that failed may succeed in the next one. */
const needsNoRun = ({ chosen, nextTime, tally }: TaskFacts): boolean => !nextTime || (chosen && tally[6] === 0);

const conditions = {
  once: (facts: TaskFacts) => !facts.polling,
  polling: (facts: TaskFacts) => facts.polling,
  anyInProgress: ({ tally }: TaskFacts) => underWayIn(tally) > 0,
  noneInProgress: ({ tally }: TaskFacts) => underWayIn(tally) === 0,
  noneInProgressRunOpen: (facts: TaskFacts) => underWayIn(facts.tally) === 0 && (!facts.polling || facts.runOpen),
  noneInProgressNoRun: (facts: TaskFacts) => underWayIn(facts.tally) === 0 && facts.polling && !facts.runOpen,
  allFinished: (facts: TaskFacts) => undoneIn(facts.tally) === 0 && (!facts.polling || needsNoRun(facts)),
  pollingGoesOn: (facts: TaskFacts) => facts.polling && facts.nextTime && underWayIn(facts.tally) === 0,
  now: (facts: TaskFacts) => !facts.later,
  later: (facts: TaskFacts) => facts.later,
} as const;
export type TaskCondition = keyof typeof conditions;

/** `close`: all succeeded 5, none 6, else 7. `gone`: the task is deleted. */
export type TaskTarget = TaskStatusId | 'close' | 'gone';
export type TaskTransition = {
  from: readonly TaskStatusId[];
  event: TaskEvent;
  when?: TaskCondition;
  to: TaskTarget;
};

/**
 * The whole life of a task. Hub and console both ask this table; whatever is not in it is refused.
 */
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
  { from: [1, 2], event: 'runOver', when: 'pollingGoesOn', to: 8 },
  { from: [8], event: 'nextTime', to: 1 },
  { from: [8], event: 'start', to: 1 },
  { from: [0, 1, 2, 3, 8], event: 'endTime', to: 'close' },
  { from: [4, 5, 6, 7], event: 'restart', to: 1 },
  { from: [6, 7], event: 'retry', when: 'now', to: 1 },
  { from: [6, 7], event: 'retry', when: 'later', to: 0 },
  { from: [0, 4, 5, 6, 7, 8], event: 'delete', to: 'gone' },
  { from: [3], event: 'delete', when: 'noneInProgress', to: 'gone' },
];

/** Cancelled devices do not count; where nobody else is left the task is finished. */
export const closedStatus = (tally: UpgradeTally): TaskStatusId => {
  if (tally[5] > 0 && tally[6] === 0) return TaskStatus.succeeded;
  return tally[5] === 0 && tally[6] > 0 ? TaskStatus.failed : TaskStatus.finished;
};

/** Where an event leads from a state, or nothing where it is not allowed. */
export const nextTaskStatus = (
  status: TaskStatusId,
  event: TaskEvent,
  facts: TaskFacts,
): TaskStatusId | 'gone' | undefined => {
  const row = taskTransitions.find(
    ({ from, event: on, when }) => on === event && from.includes(status) && (!when || conditions[when](facts)),
  );
  return row?.to === 'close' ? closedStatus(facts.tally) : row?.to;
};

/** What an operator may do now. */
export const allowedActions = (status: TaskStatusId, facts: TaskFacts): TaskAction[] =>
  taskActions.filter((action) => nextTaskStatus(status, action, facts) !== undefined);
