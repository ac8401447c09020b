import { z } from 'zod';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, chosenIds, flag, formInt, formOption, id, search } from '../fields.ts';
import { logLevelIds } from '../mqtt/payloads.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { deviceManage, deviceRow } from './device.ts';

export const ZONE_ID_MAX = 2147483647;
const zoneId = () => formInt(1, ZONE_ID_MAX);

const commandStates = ['created', 'sent', 'answered', 'failed', 'timedOut'] as const;
export type CommandState = (typeof commandStates)[number];

export const COMMAND_TIMEOUT_MS = 10_000;
const COMMAND_TIMEOUT_MAX_MS = 60_000;
export const COMMANDS_PENDING_MAX = 100;

const commandResult = z.object({
  messageId: z.string(),
  status: z.enum(commandStates),
  /** 200, or the error code: of the protocol or the device's own; 0 while there is no response. */
  code: z.int(),
  message: z.string(),
  /** The device's response as JSON; null without a response. */
  output: z.unknown(),
  costMs: z.int(),
});
export type CommandResult = z.output<typeof commandResult>;

/** Whether the device succeeded: a response with a code other than 200 is `failed`. */
export const isCommandDone = ({ status }: Pick<CommandResult, 'status'>): boolean => status === 'answered';

const commandRow = commandResult.extend({
  functionId: z.string(),
  functionType: z.int(),
  /** JSON text of the sent value. */
  value: z.string(),
  creator: z.string(),
  createTime: z.string(),
});
export type CommandRow = z.output<typeof commandRow>;

const blackRow = deviceRow.extend({ blackTime: z.string(), blackReason: z.string(), blackBy: z.string() });
export type BlackRow = z.output<typeof blackRow>;

const configuration = z.object({
  deviceId: z.string(),
  online: z.literal([1, 2]),
  applicationId: z.string(),
  haZoneId: z.int(),
  loggerLevel: z.literal(logLevelIds),
  realTimePushSwitch: flag(),
});
export type DeviceConfiguration = z.output<typeof configuration>;

const reason = () => search().default('');

/** Calls that control a device. */
export const controlCalls = defineCalls({
  reboot: {
    method: 'POST',
    path: `${deviceManage}/reboot`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '重启设备：type 1 重启，2 重启并清除本地设置',
      en_US: 'Restart a device: type 1 restart, 2 restart and reset local settings',
    },
    input: z.object({ deviceId: id(), type: formOption([1, 2]).default(1) }),
    output: commandResult,
    failureData: commandResult,
  },
  commandDeviceFunction: {
    method: 'POST',
    path: `${deviceManage}/commandDeviceFunction`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '下发命令：属性的值或服务的输入（JSON 文本），等待响应',
      en_US: "Send a command, a property's value or a service's input as JSON text, and wait for the response",
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      deviceId: id(),
      functionId: id(),
      /** JSON text; a JSON request may contain the value itself. Not used when reading. */
      functionValue: z.unknown().optional(),
      /** Extension: 1 reads the property instead of setting it. */
      read: flag().default(0),
      /** Extension: timeout in milliseconds. */
      timeout: formInt(1_000, COMMAND_TIMEOUT_MAX_MS).default(COMMAND_TIMEOUT_MS),
    }),
    output: commandResult,
    failureData: commandResult,
  },
  getDeviceCommands: {
    method: 'GET',
    path: `${deviceManage}/getDeviceCommands`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '扩展：命令历史', en_US: 'Extension: list the commands of a device' },
    input: z.object({ ...paging, deviceId: id(), sortMode: sorting.sortMode }),
    output: pageOf(commandRow),
  },
  markBlack: {
    method: 'POST',
    path: `${deviceManage}/markBlack`,
    kind: 'mutation',
    access: 'device:blacklist',
    summary: {
      zh_CN: '加入（op 1）或移出（op 0）黑名单',
      en_US: 'Add devices to the blacklist (op 1) or remove them (op 0)',
    },
    input: z.object({
      idList: chosenIds('NO_DEVICE', 'TOO_MANY_DEVICES'),
      op: flag(),
      /** Extension. */
      reason: reason(),
    }),
    output: z.null(),
  },
  blackList: {
    method: 'POST',
    path: `${deviceManage}/blackList`,
    kind: 'query',
    access: 'device:blacklist',
    summary: { zh_CN: '黑名单', en_US: 'List blacklisted devices' },
    input: z.object({
      ...paging,
      ...sorting,
      deviceId: search(),
      deviceName: search(),
      searchValue: search(),
      productId: blankable(id()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(blackRow),
  },
  kickOut: {
    method: 'POST',
    path: `${deviceManage}/kickOut`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '强制下线（op 1，until 天内不得登录）或解除限制（op 0）',
      en_US: 'Kick a device offline (op 1, login restricted for `until` days) or lift the restriction (op 0)',
    },
    input: z.object({ deviceId: id(), op: flag(), until: blankable(formInt(0, 3650)), reason: reason() }),
    output: z.null(),
  },
  getDeviceConfiguration: {
    method: 'GET',
    path: `${deviceManage}/getDeviceConfiguration`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '设备配置', en_US: 'Get the configuration of a device' },
    input: z.object({ deviceId: id() }),
    output: configuration,
  },
  updateDeviceConfiguration: {
    method: 'POST',
    path: `${deviceManage}/updateDeviceConfiguration`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '修改设备配置；data 为设备对最后一条命令的响应，未下发命令时为 null',
      en_US:
        "Update the configuration of a device; `data` is the device's response to the last command, or null if none",
    },
    input: z.object({
      deviceId: id(),
      applicationId: id(),
      haZoneId: zoneId(),
      loggerLevel: formOption(logLevelIds),
      realTimePushSwitch: flag(),
    }),
    output: commandResult.nullable(),
    failureData: commandResult,
  },
  configLogLevel: {
    method: 'POST',
    path: `${deviceManage}/configLogLevel`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '设置日志级别', en_US: 'Set the log level' },
    input: z.object({ deviceId: id(), logLevel: formOption(logLevelIds) }),
    output: commandResult,
    failureData: commandResult,
  },
  configLogSwitch: {
    method: 'POST',
    path: `${deviceManage}/configLogSwitch`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '设置日志实时推送开关', en_US: 'Turn real-time log push on or off' },
    input: z.object({ deviceId: id(), logSwitch: flag() }),
    output: commandResult,
    failureData: commandResult,
  },
  configHaArea: {
    method: 'POST',
    path: `${deviceManage}/configHaArea`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '设置可用区', en_US: 'Assign a device to a zone' },
    input: z.object({ deviceId: id(), haZoneId: zoneId() }),
    output: z.null(),
  },
  configApplication: {
    method: 'POST',
    path: `${deviceManage}/configApplication`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '设置所属应用', en_US: 'Move a device to another application' },
    input: z.object({ deviceId: id(), applicationId: id() }),
    output: z.null(),
  },
});
