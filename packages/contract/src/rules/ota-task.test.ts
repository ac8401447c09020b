import { describe, expect, it } from 'vitest';
import {
  activeTaskStatuses,
  allowedActions,
  closedStatus,
  completionPercent,
  countDevices,
  countFinished,
  countInProgress,
  doneStatuses,
  emptyTally,
  inProgressStatuses,
  isActiveTask,
  isInProgress,
  isUnfinished,
  nextTaskStatus,
  reservingTaskStatuses,
  type TaskContext,
  type TaskEvent,
  type TaskStatusId,
  taskActions,
  taskStatusIds,
  taskTriggers,
  type UpgradeTally,
  undoneStatuses,
  unfinishedStatuses,
  upgradeStatusIds,
} from './ota-task.ts';

const tally = (some: Partial<UpgradeTally> = {}): UpgradeTally => ({ ...emptyTally(), ...some });
const once: TaskContext = {
  polling: false,
  later: false,
  runOpen: true,
  nextTime: false,
  chosen: false,
  tally: tally(),
};
const polling: TaskContext = { ...once, polling: true, nextTime: true };
const mixed = tally({ 5: 1, 6: 1 });

type Case = [from: TaskStatusId, event: TaskEvent, facts: TaskContext, to: TaskStatusId | 'gone'];

/** The rows of the decision, each with the facts it names. */
const cases: Case[] = [
  [0, 'start', once, 1],
  [0, 'start', polling, 1],
  [0, 'startTime', once, 1],
  [0, 'startTime', polling, 8],
  [1, 'firstNotified', once, 2],
  ...([1, 2, 8] as const).map((from): Case => [from, 'suspend', once, 3]),
  ...([1, 2] as const).map((from): Case => [from, 'threshold', once, 3]),
  [3, 'start', { ...once, tally: tally({ 4: 1 }) }, 2],
  [3, 'start', once, 1],
  [3, 'start', polling, 1],
  [3, 'start', { ...polling, runOpen: false }, 8],
  ...([0, 1, 2, 3, 8] as const).map((from): Case => [from, 'cancel', once, 4]),
  ...([1, 2, 3] as const).map((from): Case => [from, 'allDone', { ...once, tally: tally({ 5: 3, 7: 1 }) }, 5]),
  ...([1, 2, 3] as const).map((from): Case => [from, 'allDone', { ...once, tally: tally({ 6: 3 }) }, 6]),
  ...([1, 2, 3] as const).map((from): Case => [from, 'allDone', { ...once, tally: mixed }, 7]),
  [2, 'allDone', { ...once, tally: tally({ 7: 2 }) }, 7],
  [2, 'allDone', { ...polling, nextTime: false, tally: mixed }, 7],
  [2, 'allDone', { ...polling, chosen: true, tally: tally({ 5: 2 }) }, 5],
  ...([1, 2] as const).map((from): Case => [from, 'runOver', { ...polling, tally: tally({ 0: 1 }) }, 8]),
  [8, 'nextTime', polling, 1],
  [8, 'start', polling, 1],
  ...([0, 1, 2, 3, 8] as const).map((from): Case => [from, 'endTime', { ...once, tally: mixed }, 7]),
  ...([4, 5, 6, 7] as const).map((from): Case => [from, 'restart', once, 1]),
  ...([6, 7] as const).map((from): Case => [from, 'retry', once, 1]),
  ...([6, 7] as const).map((from): Case => [from, 'retry', { ...once, later: true }, 0]),
  ...([0, 4, 5, 6, 7, 8] as const).map((from): Case => [from, 'delete', once, 'gone']),
  [3, 'delete', once, 'gone'],
];

describe('the life of a task', () => {
  // Spec 4.28-4.36
  it.each(cases)('from %i by %s', (from, event, facts, to) => {
    expect(nextTaskStatus(from, event, facts)).toBe(to);
  });

  // Spec 4.37-4.42
  it('knows no other move', () => {
    const known = new Set(cases.map(([from, event]) => `${from} ${event}`));
    const others = taskStatusIds.flatMap((from) =>
      [...taskActions, ...taskTriggers]
        .filter((event) => !known.has(`${from} ${event}`))
        .map((event) => ({ from, event })),
    );
    for (const { from, event } of others)
      for (const facts of [once, polling, { ...once, later: true }, { ...polling, runOpen: false, nextTime: false }])
        expect([from, event, nextTaskStatus(from, event, facts)]).toEqual([from, event, undefined]);
  });

  it.each([
    ['somebody waits', { ...once, tally: tally({ 0: 1, 5: 1 }) }],
    ['somebody is under way', { ...once, tally: tally({ 2: 1 }) }],
    ['one waits and one is under way', { ...once, tally: tally({ 0: 1, 2: 1 }) }],
    ['a polling task has a next time', { ...polling, tally: mixed }],
    ['some of a chosen list failed and there is a next time', { ...polling, chosen: true, tally: mixed }],
  ])('does not end while %s', (_what, facts) => {
    expect(nextTaskStatus(2, 'allDone', facts)).toBeUndefined();
  });

  it('ends no run while somebody is under way, and none of a task that runs once', () => {
    expect(nextTaskStatus(2, 'runOver', { ...polling, tally: tally({ 1: 1 }) })).toBeUndefined();
    expect(nextTaskStatus(2, 'runOver', once)).toBeUndefined();
  });

  it('is not deleted while somebody is under way', () => {
    expect(allowedActions(3, { ...once, tally: tally({ 1: 1 }) })).toEqual(['start', 'cancel']);
    expect(allowedActions(3, once)).toEqual(['start', 'cancel', 'delete']);
  });

  it.each([
    [tally({ 5: 2 }), 5],
    [tally({ 6: 2 }), 6],
    [mixed, 7],
    [tally(), 7],
    [tally({ 7: 1 }), 7],
    [tally({ 5: 1, 7: 1 }), 5],
    [tally({ 6: 1, 7: 1 }), 6],
  ])('closes %j as %i', (devices, status) => {
    expect(closedStatus(devices)).toBe(status);
  });
});

describe('the states', () => {
  it('of a device: four are under way, one more is not the end, and three are', () => {
    expect(inProgressStatuses).toEqual([1, 2, 3, 4]);
    expect(upgradeStatusIds.filter(isInProgress)).toEqual([1, 2, 3, 4]);
    expect(undoneStatuses).toEqual([0, 1, 2, 3, 4]);
    expect(doneStatuses).toEqual([5, 6, 7]);
  });

  it('of a task: three have a run, four hold their devices, and one more is not the end', () => {
    expect(activeTaskStatuses).toEqual([1, 2, 3]);
    expect(taskStatusIds.filter(isActiveTask)).toEqual([1, 2, 3]);
    expect(reservingTaskStatuses).toEqual([0, 1, 2, 3]);
    expect(unfinishedStatuses).toEqual([0, 1, 2, 3, 8]);
    expect(taskStatusIds.filter(isUnfinished)).toEqual([0, 1, 2, 3, 8]);
  });

  it('are counted each by itself', () => {
    const each = tally({ 0: 1, 1: 2, 2: 4, 3: 8, 4: 16, 5: 32, 6: 64, 7: 128 });
    expect(countDevices(each)).toBe(255);
    expect(countInProgress(each)).toBe(30);
    expect(countFinished(each)).toBe(224);
    expect(countDevices(emptyTally())).toBe(0);
  });

  it.each([
    ['nobody is meant', tally(), 0],
    ['nobody is done', tally({ 0: 2, 4: 1 }), 0],
    ['each end counts', tally({ 2: 1, 5: 1, 6: 1, 7: 1 }), 75],
    ['one is left of many', tally({ 1: 1, 5: 999 }), 99],
    ['all are done', tally({ 5: 1, 6: 2 }), 100],
  ])('are a share in percent where %s', (_what, devices, percent) => {
    expect(completionPercent(devices)).toBe(percent);
  });
});

describe('a task that', () => {
  const busy = tally({ 3: 1 });
  it.each<[string, Case[0], TaskEvent, TaskContext, Case[3] | undefined]>([
    ['polls and has an open run is not set to wait for the next', 3, 'start', polling, 1],
    ['runs once and is busy goes on upgrading', 3, 'start', { ...once, tally: busy }, 2],
    ['polls without a run and is busy goes on upgrading', 3, 'start', { ...polling, runOpen: false, tally: busy }, 2],
    ['polls and has nobody left to ask goes on to its next time', 1, 'runOver', polling, 8],
    ['polls and has no next time ends no run', 2, 'runOver', { ...polling, nextTime: false }, undefined],
    ['polls over a chosen list, all of which succeeded, ends', 1, 'allDone', { ...polling, chosen: true }, 7],
    ['polls over a rule with a next time does not', 1, 'allDone', { ...polling, tally: tally({ 5: 1 }) }, undefined],
    [
      'polls over a chosen list of which some wait does not',
      2,
      'allDone',
      { ...polling, chosen: true, tally: tally({ 0: 1, 5: 1 }) },
      undefined,
    ],
    ['waits for its next time is not told first', 8, 'firstNotified', polling, undefined],
  ])('%s', (_what, from, event, facts, to) => {
    expect(nextTaskStatus(from, event, facts)).toBe(to);
  });
});
