import { is, loop, row } from './rows.mjs';

const tasks = (title) => `server/ota-tasks › ${title}`;
const moves = 'contract/rules/ota-task › from %i by %s';
const noOther = 'contract/rules/ota-task › knows no other move';
const inWords = 'contract/rules/ota-diagram › the docs show the table that hub and console go by';
const taskStatus = (value, name, ...tests) =>
  row(
    `OTA task status ${value}: ${name}`,
    is(name, ({ contract }) => contract.taskStatusTexts[value].en_US),
    moves,
    ...tests,
  );
const taskStates = [
  taskStatus(
    0,
    'not started',
    'console/features/ota/list/task-list › shows whom a task means, when it runs and how far it is',
    inWords,
  ),
  taskStatus(1, 'waiting', tasks('waits for a device that is away, and tells it when it comes')),
  taskStatus(2, 'upgrading', tasks('is paused and goes on: those under way are left alone')),
  taskStatus(
    3,
    'paused',
    tasks('is paused and goes on: those under way are left alone'),
    tasks('goes stage by stage, and stops where too many fail, within one stage'),
  ),
  taskStatus(4, 'cancelled', tasks('lets go of a device that is deleted or leaves its application')),
  taskStatus(
    5,
    'updated successfully',
    tasks('ends with what became of each device, and retries the failed ones alone'),
  ),
  taskStatus(6, 'failed', tasks('of a higher rank takes devices over; one of the same or a lower rank is refused')),
  taskStatus(7, 'finished', tasks('ends with what became of each device, and retries the failed ones alone')),
  taskStatus(8, 'wait for next execution', tasks('that polls opens a run at its time, and waits for the next')),
];

const model =
  'server/ota-model › {RUNS} sequences of operators, devices, time and restarts: no illegal state, nobody told twice, everybody ends';
const taskAction = (name, ...tests) =>
  row(
    `OTA task action: ${name}`,
    is(true, ({ contract }) => Object.values(contract.taskActionTexts).some((text) => text.en_US === name)),
    ...tests,
    noOther,
  );
const offered = 'console/features/ota/list/task-list › offers what the state allows, and does it';
const taskActions = [
  taskAction('start', tasks('goes stage by stage, and stops where too many fail, within one stage'), offered),
  taskAction('suspend', tasks('is paused and goes on: those under way are left alone'), offered),
  taskAction(
    'cancel',
    tasks('lets go of a device that is deleted or leaves its application'),
    'console/features/ota/list/task-list › cancels only after a question',
  ),
  taskAction(
    'restart',
    loop(
      'server/audit › is written down with who, when, from where, what, before and after',
      "'ota.restartDeviceOtaTask'",
    ),
    model,
  ),
  taskAction(
    'retry failed',
    tasks('ends with what became of each device, and retries the failed ones alone'),
    'console/features/ota/form/task-form › retries chosen failed devices of a task, and leaves the others as they are',
  ),
  taskAction(
    'delete',
    tasks('lets go of a device that is deleted or leaves its application'),
    'console/features/ota/list/task-list › deletes the chosen ones, and none that is under way',
  ),
];

const outcome = tasks('ends with what became of each device, and retries the failed ones alone');
const reason = (name, value, ...tests) =>
  row(
    `OTA failure: ${name}`,
    is(value, ({ contract }) => Object.values(contract.FailReason)[value]),
    ...tests,
  );
const taskResults = [
  row(
    'OTA result: success',
    is('Success', ({ words }) => words.en_US.ota.upgrade_5),
    outcome,
    'server/sdk-upgrade › downloads, verifies, installs, and logs in again as the new version',
  ),
  row(
    'OTA result: failure',
    is('Failed', ({ words }) => words.en_US.ota.upgrade_6),
    outcome,
  ),
  reason('timeout', 1, outcome),
  reason(
    'a higher-priority task ran',
    2,
    tasks('of a higher rank takes devices over; one of the same or a lower rank is refused'),
    'e2e/ota › a task of a higher priority takes devices over, one of a lower is refused',
  ),
  reason(
    'download failed',
    3,
    outcome,
    'server/sdk-upgrade-download › for good fails with reason 3, after so many tries without a byte and not before',
  ),
  reason('verification failed', 4, outcome, 'server/sdk-upgrade-verify › with bit %d turned over are refused'),
  reason(
    'install failed',
    5,
    outcome,
    'server/sdk-upgrade › that fails is told with reason 5 and the words, and the old version runs on',
  ),
  row(
    'Batch re-upgrade is for failed devices alone',
    outcome,
    'console/features/ota/detail/task-detail › upgrades chosen failed devices again, and offers that for failed ones alone',
  ),
  row(
    'No new task while one is in progress',
    tasks('of a higher rank takes devices over; one of the same or a lower rank is refused'),
    'console/features/ota/form/task-form › shows the refusal of the hub, and keeps what was typed',
  ),
];

/** The life of upgrade tasks, and what becomes of their devices. */
export const upgrades = [...taskStates, ...taskActions, ...taskResults];
