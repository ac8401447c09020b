import { fieldTexts } from './field-texts.ts';
import type { Text } from './language.ts';

/** Errors of firmware and upgrade tasks. */
export const otaErrors = {
  VERSION_NOT_FOUND: { status: 404, zh_CN: '固件版本不存在', en_US: 'Firmware version does not exist' },
  FIRMWARE_NOT_FOUND: { status: 404, zh_CN: '固件文件不存在', en_US: 'Firmware file does not exist' },
  TASK_NOT_FOUND: { status: 404, zh_CN: '升级任务不存在', en_US: 'Upgrade task does not exist' },
  UPGRADE_NOT_FOUND: { status: 404, zh_CN: '升级记录不存在', en_US: 'Upgrade record does not exist' },
  LINK_INVALID: {
    status: 403,
    zh_CN: '下载链接无效或已过期',
    en_US: 'The download link is invalid or has expired',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    zh_CN: '请求的范围超出文件大小',
    en_US: 'The requested range is beyond the end of the file',
  },
  UPLOAD_PROTOCOL: {
    status: 400,
    zh_CN: '上传请求不符合 tus 协议 1.0.0',
    en_US: 'The upload request does not conform to the tus protocol 1.0.0',
  },
  UPLOAD_VERSION: {
    status: 412,
    zh_CN: '上传须使用 tus 协议 1.0.0（Tus-Resumable）',
    en_US: 'Uploads require tus 1.0.0 (Tus-Resumable)',
  },
  UPLOAD_OFFSET_MISMATCH: {
    status: 409,
    zh_CN: '上传偏移量与已收到的字节数不符，请先查询已收到的字节数',
    en_US: 'The upload offset does not match the received bytes; query the current offset first',
  },
  FIRMWARE_NOT_READY: { status: 409, zh_CN: '固件尚未上传', en_US: 'Firmware not yet uploaded' },
  FIRMWARE_FAILED: { status: 409, zh_CN: '固件上传失败', en_US: 'Firmware upload failed' },
  FIRMWARE_TYPE: { status: 400, ...fieldTexts.FIRMWARE_TYPE },
  FIRMWARE_TOO_LARGE: {
    status: 413,
    zh_CN: '固件文件超过上限（{max} 字节）',
    en_US: 'The firmware file exceeds the limit of {max} bytes',
  },
  FIRMWARE_IN_USE: { status: 409, zh_CN: '该文件已被版本使用', en_US: 'A firmware version uses this file' },
  VERSION_NUMBER_TAKEN: {
    status: 409,
    zh_CN: '该产品已有此版本号',
    en_US: 'The product already has this version number',
  },
  VERSION_PRODUCT_FIXED: {
    status: 409,
    zh_CN: '固件版本所属的产品不能修改',
    en_US: 'The product of a version cannot be changed',
  },
  VERSION_IN_USE: {
    status: 409,
    zh_CN: '版本 {versionNumber} 正被未结束的升级任务使用',
    en_US: 'Version {versionNumber} is used by an unfinished upgrade task',
  },
  NO_TARGET_DEVICES: {
    status: 400,
    zh_CN: '请先添加设备再提交',
    en_US: 'Please add devices before submitting',
  },
  CONDITION_AMBIGUOUS: {
    status: 400,
    zh_CN: '当前版本与指定设备只能选择一种',
    en_US: 'Select by current version or by device, not both',
  },
  TASK_IN_PROGRESS: {
    status: 409,
    zh_CN: '创建失败，存在进行中的任务，不能创建',
    en_US: 'Create failed, a task in progress cannot be created',
  },
  TASK_ACTION_REFUSED: {
    status: 409,
    zh_CN: '任务{status}，当前可用操作：{allowed}',
    en_US: 'The task is {status}; allowed actions: {allowed}',
  },
  TASK_TIMES: {
    status: 400,
    zh_CN: '结束时间须晚于开始时间和当前时间',
    en_US: 'End time must be after the start time and the current time',
  },
  TASK_START_MISSING: {
    status: 400,
    zh_CN: '不立即执行时须填写开始时间',
    en_US: 'Start time is required unless the task starts immediately',
  },
  TASK_VERSION_DELETED: {
    status: 409,
    zh_CN: '固件版本 {versionNumber} 已删除，不能再次升级',
    en_US: 'Firmware version {versionNumber} was deleted, the task cannot run again',
  },
  CRON_INVALID: {
    status: 400,
    zh_CN: 'Cron 表达式有误，须为 5 段：分 时 日 月 周',
    en_US: 'Invalid cron expression: 5 fields are required, minute hour day month weekday',
  },
  CRON_NEVER: {
    status: 400,
    zh_CN: '该 Cron 表达式在任务时间范围内没有执行时间',
    en_US: "The cron expression has no run within the task's time range",
  },
  UPGRADE_NOT_FAILED: {
    status: 409,
    zh_CN: '设备 {deviceId} 没有升级失败',
    en_US: 'The upgrade of device {deviceId} did not fail',
  },
  UPGRADE_NOT_WAITING: {
    status: 409,
    zh_CN: '只有进行中任务的等待设备可以优先升级',
    en_US: 'Only a waiting device of a task in progress can be prioritized',
  },
} as const satisfies Record<string, Text & { status: number }>;
