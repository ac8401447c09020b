import type { Text } from '../language.ts';
import type { TaskAction, TaskCondition, TaskStatusId } from './ota-task.ts';

export const taskStatusTexts: Record<TaskStatusId, Text> = {
  0: { zh_CN: '未开始', en_US: 'not started' },
  1: { zh_CN: '等待中', en_US: 'waiting' },
  2: { zh_CN: '升级中', en_US: 'upgrading' },
  3: { zh_CN: '已暂停', en_US: 'paused' },
  4: { zh_CN: '已取消', en_US: 'cancelled' },
  5: { zh_CN: '更新成功', en_US: 'updated successfully' },
  6: { zh_CN: '更新失败', en_US: 'failed' },
  7: { zh_CN: '已结束', en_US: 'finished' },
  8: { zh_CN: '等待下次执行', en_US: 'wait for next execution' },
};

export const taskActionTexts: Record<TaskAction, Text> = {
  start: { zh_CN: '启动', en_US: 'start' },
  suspend: { zh_CN: '暂停', en_US: 'suspend' },
  cancel: { zh_CN: '取消', en_US: 'cancel' },
  restart: { zh_CN: '重新开始', en_US: 'restart' },
  retry: { zh_CN: '重试失败设备', en_US: 'retry failed' },
  delete: { zh_CN: '删除', en_US: 'delete' },
};

export const conditionTexts: Record<TaskCondition, Text> = {
  once: { zh_CN: '单次', en_US: 'once' },
  polling: { zh_CN: '轮询', en_US: 'polling' },
  anyInProgress: { zh_CN: '有设备升级中', en_US: 'upgrades in progress' },
  noneInProgress: { zh_CN: '无设备升级中', en_US: 'no upgrade in progress' },
  noneInProgressRunOpen: { zh_CN: '无设备升级中，轮次未结束', en_US: 'no upgrade in progress, run open' },
  noneInProgressNoRun: { zh_CN: '无设备升级中，轮次已结束', en_US: 'no upgrade in progress, no run open' },
  allFinished: { zh_CN: '全部设备已结束', en_US: 'all devices finished' },
  pollingContinues: { zh_CN: '轮询还有下一次', en_US: 'polling, with a next time' },
  now: { zh_CN: '立即', en_US: 'now' },
  later: { zh_CN: '稍后', en_US: 'later' },
};
