import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, formOption, id, idList, search } from '../fields.ts';
import { breakReasons } from '../model/difference.ts';
import { ownFunctionTypes } from '../model/function-definition.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { syncResults } from './sync-delivery.ts';
import { zoneId } from './zone-fields.ts';

const record = '/iot-hub/admin/sync/record';

export const SyncStatus = { notSynchronized: 0, synchronizing: 1, success: 2, failed: 3 } as const;
/** 1: products with their functions; 2: devices with their latest values. */
export const SyncDataType = { model: 1, data: 2 } as const;
/** Maximum number of records checked by a preview of all unsynced items. */
export const SYNC_PREVIEW_MAX = 1_000;
/** Number of attempts stored per record. */
export const SYNC_TRIES_KEPT = 10;

const syncStatus = [0, 1, 2, 3] as const;
const dataType = () => formOption([1, 2]);

const recordRow = z.object({
  syncId: z.string(),
  zoneId: z.int(),
  dataType: z.literal([1, 2]),
  productId: z.string(),
  productName: z.string(),
  /** '' for a model. */
  deviceId: z.string(),
  deviceName: z.string(),
  tenancyName: z.string(),
  syncStatus: z.literal(syncStatus),
  /** Why it failed, or why it is no longer in sync, in the reader's language; '' without a reason. */
  reason: z.string(),
  /** Key of the reason in `syncProblemTexts`, `nodeProblemTexts` or the error catalogue. */
  reasonCode: z.string(),
  /** Consecutive failed attempts. */
  attempts: z.int(),
  /** Time of the next retry; null if none is scheduled. */
  nextTime: z.string().nullable(),
  /** Time of the last delivery; null if never delivered. */
  syncTime: z.string().nullable(),
  /** The platform from which the item was received; '' if it is managed here. */
  origin: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type SyncRecordRow = z.output<typeof recordRow>;

const counts = z.object({
  total: z.int(),
  success: z.int(),
  fail: z.int(),
  /** Extensions: not synchronized, and being sent. */
  waiting: z.int(),
  sending: z.int(),
  /** Time of the last delivery; null without one. */
  syncTime: z.string().nullable(),
});
export type SyncCounts = z.output<typeof counts>;

const countRow = z.object({
  zoneId: z.int(),
  zoneName: z.string(),
  zoneType: z.literal([1, 2]),
  status: z.literal([0, 1]),
  isSyncModel: z.literal([0, 1]),
  /** Extension: number of synced tenants; null means all. */
  tenants: z.int().nullable(),
  model: counts,
  data: counts,
});
export type SyncCountRow = z.output<typeof countRow>;

const modelChanges = z.array(
  z.object({
    kind: z.enum(['added', 'removed', 'changed']),
    signCode: z.string(),
    functionName: z.string(),
    functionType: z.literal(ownFunctionTypes),
    breaking: z.boolean(),
    details: z.array(
      z.object({
        path: z.array(z.string()),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
        breaks: z.enum(breakReasons).nullable(),
      }),
    ),
  }),
);

/** Effect of sending an item on the other platform. */
const effect = z.object({
  change: z.enum(syncResults),
  reason: z.string(),
  reasonCode: z.string(),
  /** Fields that differ; device values as `values.{signCode}`. `before` or `after` is omitted if missing. */
  fields: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
  /** For a model: functions that differ. */
  functions: modelChanges,
});
export type SyncEffect = z.output<typeof effect>;

const previewRow = z.object({
  syncId: z.string(),
  productId: z.string(),
  deviceId: z.string(),
  /** Name of the product or device. */
  itemName: z.string(),
  ...effect.shape,
});
export type SyncPreviewRow = z.output<typeof previewRow>;

const details = recordRow.extend({
  zoneName: z.string(),
  /** Current content to send. */
  sent: z.unknown(),
  /** Content on the other platform; null if missing or unknown. */
  present: z.unknown(),
  /** 0: the other platform could not be queried, with the reason in `presentProblem`, or does not support it. */
  presentKnown: z.literal([0, 1]),
  presentProblem: z.string(),
  /** null if the content on the other platform is unknown. */
  effect: effect.nullable(),
  /** Attempts, newest first. */
  tries: z.array(
    z.object({
      time: z.string(),
      ok: z.literal([0, 1]),
      /** The node that was used. */
      node: z.string(),
      reason: z.string(),
      reasonCode: z.string(),
    }),
  ),
});
export type SyncRecordDetails = z.output<typeof details>;

export const syncCalls = defineCalls({
  querySyncRecordCount: {
    method: 'GET',
    path: `${record}/querySyncRecordCount`,
    kind: 'query',
    access: 'sync:read',
    platformOnly: true,
    summary: {
      zh_CN: '各可用区的同步统计',
      en_US: 'List sync statistics of each target zone',
    },
    input: z.object({ ...paging, ...sorting, zoneName: search(), status: blankable(formOption([0, 1])) }),
    output: pageOf(countRow),
  },
  querySyncRecordList: {
    method: 'GET',
    path: `${record}/querySyncRecordList`,
    kind: 'query',
    access: 'sync:read',
    platformOnly: true,
    summary: { zh_CN: '可用区的同步记录', en_US: 'List the sync records of a zone' },
    input: z.object({
      ...paging,
      ...sorting,
      zoneId: zoneId(),
      dataType: blankable(dataType()),
      syncStatus: blankable(formOption(syncStatus)),
      deviceId: search(),
      productId: search(),
    }),
    output: pageOf(recordRow),
  },
  getSyncRecord: {
    method: 'GET',
    path: `${record}/getSyncRecord`,
    kind: 'query',
    access: 'sync:read',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：同步记录详情：发送的内容、对方平台现有的内容、历次尝试及原因',
      en_US: 'Extension: get a sync record: content to send, content on the other platform, attempts and their reasons',
    },
    input: z.object({ syncId: id() }),
    output: details,
  },
  previewSync: {
    method: 'GET',
    path: `${record}/previewSync`,
    kind: 'query',
    access: 'sync:read',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：预览同步：查询对方平台将新增、修改或拒绝哪些内容，不作任何更改',
      en_US:
        'Extension: preview a sync: query what the other platform would create, change or reject, without changing anything',
    },
    input: z.object({
      ...paging,
      zoneId: zoneId(),
      dataType: dataType(),
      /** Default: all unsynced records, up to a limit. */
      syncIds: blankable(idList()),
      change: blankable(z.enum(syncResults)),
    }),
    output: pageOf(previewRow).extend({
      /** Totals of all checked records; `looked` of `records` were checked. */
      counts: z.record(z.enum(syncResults), z.int()),
      looked: z.int(),
      records: z.int(),
    }),
  },
  request: {
    method: 'POST',
    path: `${record}/request`,
    kind: 'mutation',
    access: 'sync:write',
    platformOnly: true,
    summary: { zh_CN: '同步选中的记录', en_US: 'Sync the selected records' },
    input: z.object({ syncIds: idList(), zoneId: zoneId() }),
    output: z.object({ requested: z.int() }),
  },
  oneKey: {
    method: 'POST',
    path: `${record}/oneKey`,
    kind: 'mutation',
    access: 'sync:write',
    platformOnly: true,
    summary: {
      zh_CN: '同步可用区内该类型的全部未同步内容',
      en_US: 'Sync all unsynced items of a zone and type',
    },
    input: z.object({ zoneId: zoneId(), dataType: dataType() }),
    output: z.object({ requested: z.int() }),
  },
  resend: {
    method: 'POST',
    path: `${record}/resend`,
    kind: 'mutation',
    access: 'sync:write',
    platformOnly: true,
    summary: {
      zh_CN: '扩展：重新发送可用区内该类型的全部内容，包括已同步的；对方平台较新的内容会被替换',
      en_US:
        'Extension: send all items of a zone and type again, including synced ones; replaces newer revisions there',
    },
    input: z.object({ zoneId: zoneId(), dataType: dataType() }),
    output: z.object({ requested: z.int() }),
  },
});
