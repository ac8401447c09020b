import { DEVICE_ID, failReasonIds, TASK_STAGES_MAX, taskStatusIds, upgradeStatusIds } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

/** A list of allowed numbers, such as `6,7`; any other value is ignored. */
const optionsParam = <const Values extends readonly number[]>(values: Values) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.split(',').map(Number) : value),
      z.array(z.literal([...values] as Values[number][])).min(1),
    )
    .optional()
    .catch(undefined);

const idsParam = () =>
  z
    .preprocess((value) => (typeof value === 'string' ? value.split(',') : value), z.array(z.string().regex(DEVICE_ID)))
    .optional()
    .catch(undefined);

export const taskListSearch = listSearch({
  searchValue: textParam(),
  taskStatus: optionsParam(taskStatusIds),
  productId: textParam(),
  versionId: textParam(),
  tenancyId: textParam(),
});
export type TaskListSearch = z.output<typeof taskListSearch>;

export const taskFormSearch = z.object({
  /** Preselected target version. */
  versionId: textParam(),
  /** With a version: preselects all devices on older versions. */
  rollOut: optionParam([1]),
  /** Preselected devices; in a retry, the failed devices to retry. */
  deviceIds: idsParam(),
  /** Retry the failed devices of this task. */
  taskId: textParam(),
  /** Create the real task of this rehearsal. */
  rehearsalId: textParam(),
});

const stageNumbers = Array.from({ length: TASK_STAGES_MAX }, (_, place) => place + 1);

export const taskTabs = ['devices', 'log', 'settings'] as const;
export type TaskTab = (typeof taskTabs)[number];

export const taskDetailSearch = listSearch({
  tab: z.enum(taskTabs).catch('devices').default('devices'),
  status: optionsParam(upgradeStatusIds),
  reason: optionParam(failReasonIds),
  stage: optionParam(stageNumbers),
  /** Part of a device's name or id. */
  deviceId: textParam(),
});
export type TaskDetailSearch = z.output<typeof taskDetailSearch>;
