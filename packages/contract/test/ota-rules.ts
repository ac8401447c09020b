import * as fields from '../src/fields.ts';
import { otaCalls } from '../src/http/ota.ts';
import { REHEARSAL_DEVICES_MAX, TASK_RANK_MAX, TASK_STAGES_MAX } from '../src/http/ota-task.ts';
import { at, emptyOr, type Place, type Rule, refuse } from './rule-fixtures.ts';

const { addDeviceOtaTask, rehearseDeviceOtaTask } = otaCalls;
/** Responses to an accepted value: the version or task does not exist. */
const NO_VERSION = 'VERSION_NOT_FOUND';
const NO_TASK = 'TASK_NOT_FOUND';

const adding = (field: string): Place => at('ota.addDeviceOtaTask', field, NO_VERSION);
const rehearsing = (field: string): Place => at('ota.rehearseDeviceOtaTask', field, NO_VERSION);
const retrying = (field: string): Place => at('ota.retryOtaForFailed', field, NO_TASK);
const making = (field: string): Place[] => [adding(field), rehearsing(field)];
const scheduling = (field: string): Place[] => [adding(field), retrying(field)];

const wholeBetween = (
  rule: string,
  schema: Rule['schema'],
  places: Place[],
  minimum: number,
  maximum: number,
): Rule => ({
  rule,
  schema,
  places,
  accepted: [String(minimum), String(maximum)],
  refused: [
    ...emptyOr('NOT_A_NUMBER', 'x', '1.5'),
    { value: String(minimum - 1), says: 'TOO_SMALL', limit: { minimum } },
    { value: String(maximum + 1), says: 'TOO_BIG', limit: { maximum } },
  ],
});

const { shape } = addDeviceOtaTask.input;
const rehearsal = rehearseDeviceOtaTask.input.shape;
const faults = ['download', 'verification', 'install', 'silent', 'offline'] as const;

/** Field rules of upgrade tasks. */
export const otaRules: Rule[] = [
  {
    rule: 'name of a task',
    schema: fields.name(),
    places: making('taskName'),
    accepted: ['任务', 'Task-1_(a)@b', 'x'.repeat(50)],
    refused: [...refuse('REQUIRED', ''), ...refuse('NAME', 'a b', 'x'.repeat(51), 'a/b')],
  },
  {
    rule: 'time of a task',
    schema: shape.taskStart,
    places: [...scheduling('taskStart'), ...scheduling('taskEnd')],
    accepted: ['', '2041-05-06T07:08:09Z', '2251000000000'],
    refused: refuse('TIME', 'tomorrow', '2041-05-06T07:08:09'),
  },
  {
    rule: 'now or later',
    schema: shape.executeNow,
    places: scheduling('executeNow'),
    accepted: ['0', '1'],
    refused: emptyOr('NOT_AN_OPTION', '2', 'now'),
  },
  {
    rule: 'once or polling',
    schema: shape.taskType,
    places: scheduling('taskType'),
    accepted: ['1', '2'],
    refused: emptyOr('NOT_AN_OPTION', '0', '3'),
  },
  {
    rule: 'cron expression',
    schema: shape.cron,
    places: scheduling('cron'),
    accepted: ['', '0 4 * * *', '*/15 * * * 1-5'],
    refused: [{ value: '1,'.repeat(51), says: 'TOO_LONG', limit: { maximum: 100 } }],
  },
  {
    rule: 'time zone of a task',
    schema: shape.timezone,
    places: scheduling('timezone'),
    accepted: ['', 'UTC', 'Asia/Shanghai'],
    refused: refuse('TIME_ZONE', 'Mars/Olympus', '8'),
  },
  wholeBetween('rank of a task', shape.taskRank, scheduling('taskRank'), 1, TASK_RANK_MAX),
  {
    rule: 'versions that a task means',
    schema: shape.versionNumber,
    places: [adding('versionNumber')],
    accepted: ['', '1.0.0', '1.0.0,1.0.1-rc1', '["2"]'],
    refused: refuse('TOO_FEW', '[]'),
  },
  {
    rule: 'stages',
    schema: shape.stages,
    places: making('stages'),
    accepted: ['100', '5,25,100', '[1,100]', Array.from({ length: TASK_STAGES_MAX }, (_, i) => (i + 1) * 10).join()],
    refused: [...refuse('STAGES', '50', '25,5,100', '5,5,100', '100,100'), ...refuse('TOO_FEW', '')],
  },
  wholeBetween('minutes between stages', shape.stageWait, making('stageWait'), 0, 10_080),
  wholeBetween('devices a minute', shape.perMinute, making('perMinute'), 0, 100_000),
  wholeBetween('minutes until a silent device has failed', shape.timeout, making('timeout'), 1, 1_440),
  wholeBetween('retries', shape.retries, making('retries'), 0, 10),
  wholeBetween('percent of failures that stop a task', shape.stopPercent, making('stopPercent'), 0, 99),
  wholeBetween('devices before it may stop', shape.stopAfter, making('stopAfter'), 1, 100_000),
  {
    rule: 'whether older versions are allowed',
    schema: shape.allowOlder,
    places: making('allowOlder'),
    accepted: ['0', '1'],
    refused: emptyOr('NOT_AN_OPTION', '2'),
  },
  wholeBetween('devices of a rehearsal', rehearsal.devices, [rehearsing('devices')], 1, REHEARSAL_DEVICES_MAX),
  {
    rule: 'version that a rehearsal starts from',
    schema: rehearsal.fromVersion,
    places: [rehearsing('fromVersion')],
    accepted: ['0.0.1', '1.0-rc1', 'v2'],
    refused: [...refuse('REQUIRED', ''), ...refuse('VERSION_NUMBER', '1..0', '-1', 'a b', '版本', 'x'.repeat(33))],
  },
  ...faults.map((fault) =>
    wholeBetween(`rehearsed fault ${fault}`, rehearsal[fault], [rehearsing(fault)], 0, REHEARSAL_DEVICES_MAX),
  ),
  {
    rule: 'status that a task is given',
    schema: otaCalls.updateDeviceOtaTaskStatus.input.shape.taskStatus,
    places: [at('ota.updateDeviceOtaTaskStatus', 'taskStatus', NO_TASK)],
    accepted: ['1', '3', '4'],
    refused: emptyOr('NOT_AN_OPTION', '0', '2', '5', '8'),
  },
  {
    rule: 'tasks to delete',
    schema: otaCalls.deleteDeviceOtaTask.input.shape.taskIds,
    places: [at('ota.deleteDeviceOtaTask', 'taskIds', NO_TASK)],
    accepted: ['nobody', 'a,b', '["a"]'],
    refused: [
      ...refuse('NO_TASK', '', '[]'),
      ...refuse('TOO_MANY_TASKS', Array.from({ length: 101 }, (_, place) => `t${place}`).join()),
    ],
  },
];
