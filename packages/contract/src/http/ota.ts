import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, chosenIds, formInt, formList, formOption, id, name, search, versionNumber } from '../fields.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { failReasonIds, taskStatusIds, upgradeStatusIds } from '../rules/ota-task.ts';
import { deviceOta } from './firmware.ts';
import {
  condition,
  preview,
  REHEARSAL_DEVICES_MAX,
  rollout,
  schedule,
  TASK_DEVICES_MAX,
  TASK_STAGES_MAX,
  taskDetails,
  taskLogRow,
  taskRow,
  upgradeRow,
} from './ota-task.ts';

const taskOnly = z.object({ taskId: id() });
const taskAction = (path: string, summary: { zh_CN: string; en_US: string }) =>
  ({
    method: 'POST',
    path: `${deviceOta}/${path}`,
    kind: 'mutation',
    access: 'ota:write',
    summary,
    input: taskOnly,
    output: z.null(),
  }) as const;

/** Faults of a rehearsal: number of mock devices that fail in each way. */
const faults = {
  download: formInt(0, REHEARSAL_DEVICES_MAX).default(0),
  verification: formInt(0, REHEARSAL_DEVICES_MAX).default(0),
  install: formInt(0, REHEARSAL_DEVICES_MAX).default(0),
  silent: formInt(0, REHEARSAL_DEVICES_MAX).default(0),
  offline: formInt(0, REHEARSAL_DEVICES_MAX).default(0),
};

/** Calls for upgrade tasks. */
export const otaCalls = defineCalls({
  queryDeviceOtaTaskList: {
    method: 'GET',
    path: `${deviceOta}/queryDeviceOtaTaskList`,
    kind: 'query',
    access: 'ota:read',
    summary: { zh_CN: '升级任务列表', en_US: 'List upgrade tasks' },
    input: z.object({
      ...paging,
      ...sorting,
      taskId: search(),
      taskName: search(),
      versionId: blankable(id()),
      /** Extensions. */
      taskStatus: blankable(formList(formOption(taskStatusIds), 9)),
      productId: blankable(id()),
      searchValue: search(),
      tenancyId: blankable(id()),
    }),
    output: pageOf(taskRow),
  },
  getDeviceOtaTaskDetails: {
    method: 'GET',
    path: `${deviceOta}/getDeviceOtaTaskDetails`,
    kind: 'query',
    access: 'ota:read',
    summary: { zh_CN: '扩展：升级任务详情', en_US: 'Extension: get an upgrade task' },
    input: taskOnly,
    output: taskDetails,
  },
  deviceOtaList: {
    method: 'GET',
    path: `${deviceOta}/deviceOtaList`,
    kind: 'query',
    access: 'ota:records',
    summary: {
      zh_CN: '任务中的设备，或一台设备的升级记录',
      en_US: 'List the devices of a task, or the upgrades of a device',
    },
    input: z.object({
      ...paging,
      ...sorting,
      taskId: blankable(id()),
      deviceId: search(),
      /** Current version of the device. */
      versionNumber: search(),
      productId: blankable(id()),
      status: blankable(formList(formOption(upgradeStatusIds), 8)),
      /** Extensions. */
      reason: blankable(formOption(failReasonIds)),
      stage: blankable(formInt(1, TASK_STAGES_MAX)),
    }),
    output: pageOf(upgradeRow),
  },
  previewDeviceOtaTask: {
    method: 'POST',
    path: `${deviceOta}/previewDeviceOtaTask`,
    kind: 'query',
    access: 'ota:write',
    maxBytes: 2 * 1024 * 1024,
    summary: { zh_CN: '扩展：预览任务的目标设备', en_US: 'Extension: preview the target devices of a task' },
    input: z.object({ ...paging, ...condition, ...schedule }),
    output: preview,
  },
  addDeviceOtaTask: {
    method: 'PUT',
    path: `${deviceOta}/addDeviceOtaTask`,
    kind: 'mutation',
    access: 'ota:write',
    maxBytes: 2 * 1024 * 1024,
    summary: { zh_CN: '新建升级任务', en_US: 'Create an upgrade task' },
    input: z.object({ taskName: name(), ...condition, ...schedule, ...rollout }),
    output: z.object({ taskId: z.string(), deviceCount: z.int() }),
  },
  rehearseDeviceOtaTask: {
    method: 'POST',
    path: `${deviceOta}/rehearseDeviceOtaTask`,
    kind: 'mutation',
    access: 'ota:write',
    summary: {
      zh_CN: '扩展：在模拟设备上演练同样的任务',
      en_US: 'Extension: rehearse a task on mock devices created for it, some of which can fail',
    },
    input: z.object({
      taskName: name(),
      deviceVersionId: id(),
      ...rollout,
      devices: formInt(1, REHEARSAL_DEVICES_MAX).default(10),
      fromVersion: versionNumber().default('0.0.1'),
      ...faults,
    }),
    output: z.object({ taskId: z.string(), deviceCount: z.int() }),
  },
  updateDeviceOtaTaskStatus: {
    method: 'POST',
    path: `${deviceOta}/updateDeviceOtaTaskStatus`,
    kind: 'mutation',
    access: 'ota:write',
    summary: {
      zh_CN: '任务状态：1 启动，3 暂停，4 取消',
      en_US: 'Change the status of a task: 1 start, 3 suspend, 4 cancel',
    },
    input: z.object({ taskId: id(), taskStatus: formOption([1, 3, 4]) }),
    output: z.null(),
  },
  startOtaTaskStatus: taskAction('startOtaTaskStatus', { zh_CN: '启动任务', en_US: 'Start a task' }),
  suspendOtaTaskStatus: taskAction('suspendOtaTaskStatus', {
    zh_CN: '暂停任务；升级中的设备不受影响',
    en_US: 'Pause a task; upgrades in progress continue',
  }),
  cancelOtaTask: taskAction('cancelOtaTask', { zh_CN: '取消任务', en_US: 'Cancel a task' }),
  restartDeviceOtaTask: taskAction('restartDeviceOtaTask', {
    zh_CN: '重新开始：全部设备再升级一次',
    en_US: 'Restart a task: upgrade all its devices again',
  }),
  retryOtaForFailed: {
    method: 'POST',
    path: `${deviceOta}/retryOtaForFailed`,
    kind: 'mutation',
    access: 'ota:write',
    maxBytes: 2 * 1024 * 1024,
    summary: {
      zh_CN: '重试失败的设备（全部，或 deviceListId 中的）',
      en_US: 'Retry failed devices (all, or those in deviceListId)',
    },
    input: z.object({
      taskId: id(),
      ...schedule,
      /** Without it, the task keeps its rank. */
      taskRank: blankable(schedule.taskRank.unwrap()),
      deviceListId: blankable(formList(id(), TASK_DEVICES_MAX)),
    }),
    output: z.null(),
  },
  deviceOtaFirst: {
    method: 'POST',
    path: `${deviceOta}/deviceOtaFirst`,
    kind: 'mutation',
    access: 'ota:write',
    summary: { zh_CN: '优先升级一台等待中的设备', en_US: 'Prioritize a waiting device' },
    input: z.object({ deviceOtaTaskId: id() }),
    output: z.null(),
  },
  deleteDeviceOtaTask: {
    method: 'DELETE',
    path: `${deviceOta}/deleteDeviceOtaTask`,
    kind: 'mutation',
    access: 'ota:write',
    summary: { zh_CN: '删除任务，全部成功或全部不变', en_US: 'Delete tasks, all or none' },
    input: z.object({ taskIds: chosenIds('NO_TASK', 'TOO_MANY_TASKS') }),
    output: z.null(),
    success: 'deleted',
  },
  getDeviceOtaTaskLog: {
    method: 'GET',
    path: `${deviceOta}/getDeviceOtaTaskLog`,
    kind: 'query',
    access: 'ota:read',
    summary: { zh_CN: '扩展：任务日志', en_US: 'Extension: log of a task' },
    input: z.object({ ...paging, taskId: id() }),
    output: pageOf(taskLogRow),
  },
});
