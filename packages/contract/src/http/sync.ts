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
/** How many records a preview of "all that is not in step" looks at. */
export const SYNC_PREVIEW_MAX = 1_000;
/** How many tries of a record are kept. */
export const SYNC_TRIES_KEPT = 10;

const syncStatus = [0, 1, 2, 3] as const;
const dataType = () => formOption([1, 2]);

const recordRow = z.object({
  syncId: z.string(),
  zoneId: z.int(),
  dataType: z.literal([1, 2]),
  productId: z.string(),
  productName: z.string(),
  /** '' of a model. */
  deviceId: z.string(),
  deviceName: z.string(),
  tenancyName: z.string(),
  syncStatus: z.literal(syncStatus),
  /** Why it failed, or why it is no longer in sync, in the reader's language; '' without a reason. */
  reason: z.string(),
  /** The same as a word: of `syncProblemTexts`, `nodeProblemTexts` or the error catalogue. */
  reasonCode: z.string(),
  /** Failed tries in a row. */
  attempts: z.int(),
  /** When it is tried again; null when it is not waiting to be. */
  nextTime: z.string().nullable(),
  /** When it was last delivered; null when it never was. */
  syncTime: z.string().nullable(),
  /** The installation that it was received from; '' of what is managed here. */
  origin: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type SyncRecordRow = z.output<typeof recordRow>;

const counts = z.object({
  total: z.int(),
  success: z.int(),
  fail: z.int(),
  /** Extensions: not synchronized, and on their way. */
  waiting: z.int(),
  sending: z.int(),
  /** The last delivery; null when there was none. */
  syncTime: z.string().nullable(),
});
export type SyncCounts = z.output<typeof counts>;

const countRow = z.object({
  zoneId: z.int(),
  zoneName: z.string(),
  zoneType: z.literal([1, 2]),
  status: z.literal([0, 1]),
  isSyncModel: z.literal([0, 1]),
  /** Extension: how many tenants are synchronised; null is all of them. */
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

/** What sending would do on the other side. */
const effect = z.object({
  change: z.enum(syncResults),
  reason: z.string(),
  reasonCode: z.string(),
  /** Plain fields that differ; values of a device as `values.{signCode}`. Left out where a side has none. */
  fields: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
  /** Functions that differ, of a model. */
  functions: modelChanges,
});
export type SyncEffect = z.output<typeof effect>;

const previewRow = z.object({
  syncId: z.string(),
  productId: z.string(),
  deviceId: z.string(),
  /** Of the product, or of the device. */
  itemName: z.string(),
  ...effect.shape,
});
export type SyncPreviewRow = z.output<typeof previewRow>;

const details = recordRow.extend({
  zoneName: z.string(),
  /** What is sent, as it stands now. */
  sent: z.unknown(),
  /** What the other side has; null when it has nothing or is not known. */
  present: z.unknown(),
  /** 0: the other side could not be asked, for the reason in `presentProblem`, or cannot tell. */
  presentKnown: z.literal([0, 1]),
  presentProblem: z.string(),
  /** null when the other side is not known. */
  effect: effect.nullable(),
  /** The newest first. */
  tries: z.array(
    z.object({
      time: z.string(),
      ok: z.literal([0, 1]),
      /** Where it went. */
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
      en_US: 'How far each zone that is a target of synchronisation is in step',
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
    summary: { zh_CN: '可用区的同步记录', en_US: 'The sync records of a zone' },
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
      zh_CN: '扩展：一条同步记录：发送的内容、对方现有的内容、历次尝试及原因',
      en_US: 'Extension: one record: what is sent, what the other side has, the tries and their reasons',
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
      zh_CN: '扩展：询问对方，同步将新增、修改或被拒绝哪些内容；不作任何更改',
      en_US: 'Extension: asks the other side what sending would create, change or have refused; changes nothing',
    },
    input: z.object({
      ...paging,
      zoneId: zoneId(),
      dataType: dataType(),
      /** Without it: all that are not in step, to a limit. */
      syncIds: blankable(idList()),
      change: blankable(z.enum(syncResults)),
    }),
    output: pageOf(previewRow).extend({
      /** Of all records that were looked at; `looked` of `records`. */
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
    summary: { zh_CN: '同步选中的记录', en_US: 'Sends the chosen records' },
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
      en_US: 'Sends all of a zone and type that are not in step',
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
      zh_CN: '扩展：重新发送可用区内该类型的全部内容，包括已同步的；对方较新的内容会被替换',
      en_US:
        'Extension: sends everything of a zone and type again, also what is in sync; replaces later revisions there',
    },
    input: z.object({ zoneId: zoneId(), dataType: dataType() }),
    output: z.object({ requested: z.int() }),
  },
});
