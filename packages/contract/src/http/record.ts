import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, formInt, formList, formOption, id, search, time } from '../fields.ts';
import type { eventTypes } from '../model/function-definition.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import type { TaskStatusId, UpgradeTally } from '../rules/ota-task.ts';
import { timeZone } from '../time-zone.ts';
import { connectRow } from './connection.ts';
import { deviceManage } from './device.ts';
import type { FleetCounts } from './home.ts';
import { rejectedLoginCalls } from './rejected-login.ts';

/** The specification shows the latest 1000 logs and connection events. */
export const LATEST_SHOWN = 1_000;
const HISTORY_MAX = 1_000;

const messageRow = z.object({
  id: z.string(),
  deviceId: z.string(),
  messageTime: z.string(),
  /** Type of the envelope, 1-10. */
  type: z.int(),
  /** 1, 21, 22, 31, 32; 0 for messages without a function. */
  functionType: z.int(),
  functionId: z.string(),
  code: z.int(),
  messageId: z.string(),
  sessionId: z.string(),
  value: z.string(),
  /** 1 up, 2 down. */
  dataFlow: z.literal([1, 2]),
  /** 0 request, 1 response. */
  response: z.literal([0, 1]),
  deviceTime: z.string(),
  /** The complete message without token and signature. */
  envelope: z.string(),
});
export type MessageRow = z.output<typeof messageRow>;

const logRow = z.object({
  id: z.string(),
  deviceId: z.string(),
  createTime: z.string(),
  level: z.int(),
  levelName: z.string(),
  log: z.string(),
});
export type LogRow = z.output<typeof logRow>;

const latestValue = z.object({ signCode: z.string(), value: z.unknown(), time: z.string() });
export type LatestValue = z.output<typeof latestValue>;

const range = { startTime: blankable(time()), endTime: blankable(time()) };

const messageFilter = {
  deviceId: id(),
  /** 0 all, 1 config, 2 event, 3 service. */
  functionType: formOption([0, 1, 2, 3]).default(0),
  /** 0 all, 1 up, 2 down. */
  dataFlow: formOption([0, 1, 2]).default(0),
  functionId: search(),
  messageId: search(),
  type: blankable(formInt(1, 10)),
  ...range,
};

/** `event`, `count` and `upgrade` cover all devices visible to the caller; `message`, `log` and `value` one device. */
export const recordKinds = ['presence', 'message', 'log', 'value', 'event'] as const;
export const streamKinds = [...recordKinds, 'count', 'upgrade'] as const;
export type RecordKind = (typeof recordKinds)[number];
export type StreamKind = (typeof streamKinds)[number];

export const STREAM_LATEST_MAX = 100;

/** Calls for the records of devices. */
export const recordCalls = defineCalls({
  queryDeviceLogList: {
    method: 'GET',
    path: `${deviceManage}/queryDeviceLogList`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '设备日志，最新 1000 条', en_US: 'List the log of a device, latest 1000 lines' },
    input: z.object({
      ...paging,
      ...sorting,
      deviceId: id(),
      ...range,
      /** Extension: this level and above. */
      level: blankable(formInt(2, 7)),
      searchValue: search(),
    }),
    output: pageOf(logRow),
  },
  downloadDeviceLogFile: {
    method: 'GET',
    path: `${deviceManage}/downloadDeviceLogFile`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '下载设备某日（UTC）的日志文件，文件名见 getDeviceDetails 的 logFiles',
      en_US: 'Download the log of a device for one day (UTC); logFiles of getDeviceDetails lists the file names',
    },
    input: z.object({ logFileName: z.string().min(1).max(100) }),
    output: z.any(),
    answersFile: true,
  },
  deviceConnectRecord: {
    method: 'GET',
    path: `${deviceManage}/deviceConnectRecord`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '上下线记录与被拒绝的登录，最新 1000 条',
      en_US: 'List connection events and rejected logins, latest 1000',
    },
    input: z.object({
      ...paging,
      deviceId: id(),
      sortMode: sorting.sortMode,
      status: blankable(formOption([1, 2, 3])),
    }),
    output: pageOf(connectRow),
  },
  ...rejectedLoginCalls,
  deviceMessageRecord: {
    method: 'GET',
    path: `${deviceManage}/deviceMessageRecord`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '设备消息记录', en_US: 'List the messages of a device' },
    input: z.object({ ...paging, sortMode: sorting.sortMode, ...messageFilter }),
    output: pageOf(messageRow),
  },
  exportDeviceMessages: {
    method: 'GET',
    path: `${deviceManage}/exportDeviceMessages`,
    kind: 'query',
    access: 'device:read',
    summary: {
      zh_CN: '扩展：导出消息记录（CSV，最多 10 万条）',
      en_US: 'Extension: export message records as CSV, at most 100,000',
    },
    input: z.object(messageFilter),
    output: z.any(),
    answersFile: true,
  },
  getLatestValues: {
    method: 'GET',
    path: `${deviceManage}/getLatestValues`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '扩展：各属性的最新值', en_US: 'Extension: list the latest value of each property' },
    input: z.object({ deviceId: id() }),
    output: z.array(latestValue),
  },
  getPropertyHistory: {
    method: 'GET',
    path: `${deviceManage}/getPropertyHistory`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '扩展：一个属性的历史值', en_US: 'Extension: list the history of a property, newest first' },
    input: z.object({
      deviceId: id(),
      signCode: id(),
      ...range,
      limit: formInt(1, HISTORY_MAX).default(200),
    }),
    output: z.array(z.object({ time: z.string(), value: z.unknown() })),
  },
  streamDevices: {
    method: 'GET',
    path: `${deviceManage}/stream`,
    kind: 'query',
    access: 'device:watch',
    summary: {
      zh_CN: '扩展：实时推送（server-sent events）：在线状态、消息、日志、属性值、事件、总数',
      en_US: 'Extension: live updates (server-sent events): presence, messages, logs, values, events, counts',
    },
    input: z.object({
      /** Default: all devices visible to the caller, with presence, events and counts only. */
      deviceId: blankable(id()),
      /** Restricts a platform user's stream to one tenant. */
      tenancyId: blankable(id()),
      /** Time zone of the day for counts. */
      timezone: blankable(timeZone()),
      kinds: formList(z.enum(streamKinds), streamKinds.length).default(['presence']),
      /** Id of the last received event; the stream continues after it. */
      cursor: z.string().max(200).optional(),
      /** Without a cursor: number of recent presence changes and events to send first. */
      latest: formInt(0, STREAM_LATEST_MAX).default(0),
    }),
    output: z.any(),
    answersStream: true,
  },
});

/** Tasks whose state has changed. */
export type TaskUpdates = { taskId: string; taskStatus: TaskStatusId; stage: number; tally: UpgradeTally }[];

/** Data of the stream's events, by event name. */
export type StreamEvents = {
  presence: {
    deviceId: string;
    /** '' if a rejected id belongs to no device. */
    deviceName: string;
    productName: string;
    online: 1 | 2;
    time: string;
    reason: string;
    status: 1 | 2 | 3;
  };
  message: MessageRow;
  log: LogRow;
  value: LatestValue & { deviceId: string };
  event: {
    deviceId: string;
    deviceName: string;
    productName: string;
    /** Sign code of the event, and its name in the model. */
    event: string;
    eventName: string;
    eventType: (typeof eventTypes)[number];
    time: string;
    value: string;
  };
  count: FleetCounts;
  upgrade: TaskUpdates;
};
