import { z } from 'zod';
import { boundedList } from '../bounded.ts';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, categoryName, description, flag, name } from '../fields.ts';
import { MODEL_MAX_BYTES, storedModelOfProduct } from '../model/function-definition.ts';
import { nodeTypeIds, productClassIds, protocolIds } from '../model/product-kinds.ts';
import { DEVICE_ID } from '../mqtt/payloads.ts';
import { mapAttributes } from './device-attributes.ts';
import { zoneId } from './zone-fields.ts';

/** Maximum number of items in a delivery. */
export const SYNC_ITEMS_MAX = 100;
/** Maximum number of items in a comparison. */
export const SYNC_COMPARE_MAX = 1_000;
/** Size limit of a delivery: a complete model plus the other fields. */
export const SYNC_MAX_BYTES = MODEL_MAX_BYTES + 1024 * 1024;
/** Maximum number of latest values per device. */
export const SYNC_VALUES_MAX = 500;
const FACT_MAX = 200;
/** Protocol version; both platforms must use the same one. */
export const SYNC_PROTOCOL = 1;

const productId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
const epochMs = z.int().min(0).max(8.64e15);
const withoutNul = (value: string): boolean => !value.includes('\0');
const short = (max: number) => z.string().max(max).refine(withoutNul, { error: 'INVALID' });

/** A product with its functions. Its secret, picture and application are not synced. */
export const syncedModel = z.object({
  productName: name(),
  description: description(),
  /** Identifies the category; the receiver creates it if it does not exist. */
  categoryName: categoryName(),
  nodeType: z.literal(nodeTypeIds),
  protocolId: z.literal(protocolIds),
  classId: z.literal(productClassIds),
  allowMd5: flag(),
  modelVersion: z.int().min(1),
  functions: storedModelOfProduct(),
});
export type SyncedModel = z.output<typeof syncedModel>;

/** Device attributes; an older hub omits attributes that it does not know. */
const syncedAttributes = mapAttributes(() => short(FACT_MAX).default(''));

/** The value was parsed as JSON: validating it recursively again would take seconds for large values. */
const anyJson = z.custom<z.core.util.JSONType>((value) => value !== undefined);
const syncedValue = z.object({ signCode: short(50).min(1), time: epochMs, value: anyJson });

/** A device and the latest value of each property. Its secret, application and zone are not synced. */
export const syncedDevice = z.object({
  productId,
  /** Display name; the device id if the device has no name. */
  deviceName: short(64),
  ...syncedAttributes,
  versionNumber: short(64),
  /** Id of the gateway; '' without one. */
  parentId: z.union([z.literal(''), z.string().regex(DEVICE_ID)]),
  values: boundedList(syncedValue, { max: SYNC_VALUES_MAX }),
});
export type SyncedDevice = z.output<typeof syncedDevice>;

export const syncKinds = ['model', 'device'] as const;
export type SyncKind = (typeof syncKinds)[number];

/** One synced item. The content is validated separately, so that an invalid item does not affect the others. */
export const syncItem = z.object({
  kind: z.enum(syncKinds),
  id: z.string().regex(DEVICE_ID),
  /** The platform that manages the item. */
  origin: short(64).min(1),
  /** Increases with every change at the origin. */
  revision: epochMs,
  content: z.unknown(),
});
export type SyncItem = z.output<typeof syncItem>;

/** An item without its content. */
const syncItemKey = syncItem.omit({ content: true });
export type SyncItemKey = z.output<typeof syncItemKey>;

/** Result of an item; in a preview, the expected result. */
export const syncResults = ['created', 'changed', 'same', 'older', 'refused'] as const;
export type SyncResult = (typeof syncResults)[number];

const itemAnswer = z.object({
  kind: z.enum(syncKinds),
  id: z.string(),
  result: z.enum(syncResults),
  /** Of a rejected item: a key of `syncProblemTexts`, its parameters, and the message. */
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.string(),
  /** Only in a preview: the current content at the receiver. */
  present: z.unknown().optional(),
});
export type SyncItemResult = z.output<typeof itemAnswer>;

const key = { zh_CN: 'Authorization 为 sync 范围的 API 密钥', en_US: 'an API key of scope sync in Authorization' };

/** Calls of another platform, with an API key of scope `sync`. */
export const syncDeliveryCalls = defineCalls({
  getSyncTarget: {
    method: 'GET',
    path: '/api/bucket/sync',
    kind: 'query',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: `扩展：查询本平台的标识，以及密钥所属的租户和应用；${key.zh_CN}`,
      en_US: `Extension: get the platform's identity and the key's tenant and application; ${key.en_US}`,
    },
    input: z.object({ zoneId: blankable(zoneId()) }),
    output: z.object({
      protocol: z.literal(SYNC_PROTOCOL),
      installationId: z.string(),
      tenancyId: z.string(),
      tenancyName: z.string(),
      applicationId: z.string(),
      applicationName: z.string(),
      /** Whether the requested zone exists; 1 if none was requested. */
      zoneKnown: flag(),
      zoneName: z.string(),
      itemsMax: z.int(),
      bytesMax: z.int(),
      /** Maximum number of items for `compareSync`; missing on a hub without that call. */
      compareMax: z.int(),
    }),
  },
  compareSync: {
    method: 'POST',
    path: '/api/bucket/sync/compare',
    kind: 'query',
    access: 'public',
    forDevices: true,
    maxBytes: LARGE_INPUT_BYTES,
    summary: {
      zh_CN: `扩展：按 ID 和修订号比对，返回本平台缺少或不一致的内容；${key.zh_CN}`,
      en_US: `Extension: compare by id and revision; returns the items that are missing or differ here; ${key.en_US}`,
    },
    input: z.object({ items: boundedList(syncItemKey, { min: 1, max: SYNC_COMPARE_MAX }) }),
    output: z.object({
      installationId: z.string(),
      /** Expected result of each item that differs here. */
      differing: z.array(itemAnswer),
    }),
  },
  deliverSync: {
    method: 'POST',
    path: '/api/bucket/sync',
    kind: 'mutation',
    access: 'public',
    forDevices: true,
    maxBytes: SYNC_MAX_BYTES,
    summary: {
      zh_CN: `扩展：接收另一平台的物模型和设备数据；${key.zh_CN}`,
      en_US: `Extension: receive function models and device data of another platform; ${key.en_US}`,
    },
    input: z.object({
      zoneId: blankable(zoneId()),
      /** 1: returns the expected results without changing anything. */
      preview: flag().default(0),
      /** The delivering platform, which may pass on items of another origin; an older hub omits it. */
      sender: short(64).default(''),
      items: boundedList(syncItem, { min: 1, max: SYNC_ITEMS_MAX }),
    }),
    output: z.object({ installationId: z.string(), results: z.array(itemAnswer) }),
  },
});
