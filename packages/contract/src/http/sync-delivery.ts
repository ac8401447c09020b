import { z } from 'zod';
import { boundedList } from '../bounded.ts';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, categoryName, description, flag, name } from '../fields.ts';
import { MODEL_MAX_BYTES, storedModelOfProduct } from '../model/function-definition.ts';
import { nodeTypeIds, productClassIds, protocolIds } from '../model/product-kinds.ts';
import { DEVICE_ID } from '../mqtt/payloads.ts';
import { forEachFact } from './device-facts.ts';
import { zoneId } from './zone-fields.ts';

/** How much one delivery may hold. */
export const SYNC_ITEMS_MAX = 100;
/** How many items one comparison may name. */
export const SYNC_COMPARE_MAX = 1_000;
/** A whole model, and what is around it. */
export const SYNC_MAX_BYTES = MODEL_MAX_BYTES + 1024 * 1024;
/** The latest values of one device. */
export const SYNC_VALUES_MAX = 500;
const FACT_MAX = 200;
/** Spoken by both sides; another number is another language. */
export const SYNC_PROTOCOL = 1;

const productId = z.string().regex(/^[A-Za-z0-9]{1,64}$/);
const epochMs = z.int().min(0).max(8.64e15);
const withoutNul = (value: string): boolean => !value.includes('\0');
const short = (max: number) => z.string().max(max).refine(withoutNul, { error: 'INVALID' });

/** A product with its functions. Its secret, its picture and its application stay where they are. */
export const syncedModel = z.object({
  productName: name(),
  description: description(),
  /** The category is found by this, and made where there is none. */
  categoryName: categoryName(),
  nodeType: z.literal(nodeTypeIds),
  protocolId: z.literal(protocolIds),
  classId: z.literal(productClassIds),
  allowMd5: flag(),
  modelVersion: z.int().min(1),
  functions: storedModelOfProduct(),
});
export type SyncedModel = z.output<typeof syncedModel>;

/** As they are kept, whoever told them; a hub of before a fact was known sends none. */
const factsSynced = forEachFact(() => short(FACT_MAX).default(''));

/** It was JSON before; looking at each part of it again would take seconds for the largest. */
const anyJson = z.custom<z.core.util.JSONType>((value) => value !== undefined);
const syncedValue = z.object({ signCode: short(50).min(1), time: epochMs, value: anyJson });

/** A device and the latest value of each of its properties. Its secret, application and zone stay where they are. */
export const syncedDevice = z.object({
  productId,
  /** As it is shown; a device that told no name has its id for one. */
  deviceName: short(64),
  ...factsSynced,
  versionNumber: short(64),
  /** The gateway it is behind; '' where there is none. */
  parentId: z.union([z.literal(''), z.string().regex(DEVICE_ID)]),
  values: boundedList(syncedValue, { max: SYNC_VALUES_MAX }),
});
export type SyncedDevice = z.output<typeof syncedDevice>;

export const syncKinds = ['model', 'device'] as const;
export type SyncKind = (typeof syncKinds)[number];

/** One thing that is sent. Its contents are judged apart, so that one bad item does not spoil the others. */
export const syncItem = z.object({
  kind: z.enum(syncKinds),
  id: z.string().regex(DEVICE_ID),
  /** The installation where it is managed. */
  origin: short(64).min(1),
  /** Rises with every change at the origin. */
  revision: epochMs,
  content: z.unknown(),
});
export type SyncItem = z.output<typeof syncItem>;

/** An item without its content. */
const syncItemKey = syncItem.omit({ content: true });
export type SyncItemKey = z.output<typeof syncItemKey>;

/** In a preview: what would become of it. */
export const syncResults = ['created', 'changed', 'same', 'older', 'refused'] as const;
export type SyncResult = (typeof syncResults)[number];

const itemAnswer = z.object({
  kind: z.enum(syncKinds),
  id: z.string(),
  result: z.enum(syncResults),
  /** Of a refusal: a key of `syncProblemTexts`, what its sentence names, and the sentence. */
  code: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.string(),
  /** Only in a preview: what is there now. */
  present: z.unknown().optional(),
});
export type SyncItemAnswer = z.output<typeof itemAnswer>;

const key = { zh_CN: 'Authorization 为 sync 范围的 API 密钥', en_US: 'an API key of scope sync in Authorization' };

/** The calls that another hub makes, with an API key of scope `sync`. */
export const syncDeliveryCalls = defineCalls({
  getSyncTarget: {
    method: 'GET',
    path: '/api/bucket/sync',
    kind: 'query',
    access: 'public',
    forDevices: true,
    summary: {
      zh_CN: `扩展：本平台是谁，密钥属于哪个租户和应用；${key.zh_CN}`,
      en_US: `Extension: which installation this is, and whose the key is; ${key.en_US}`,
    },
    input: z.object({ zoneId: blankable(zoneId()) }),
    output: z.object({
      protocol: z.literal(SYNC_PROTOCOL),
      installationId: z.string(),
      tenancyId: z.string(),
      tenancyName: z.string(),
      applicationId: z.string(),
      applicationName: z.string(),
      /** Whether there is a zone of the id that was asked for; 1 when none was. */
      zoneKnown: flag(),
      zoneName: z.string(),
      itemsMax: z.int(),
      bytesMax: z.int(),
      /** How many items `compareSync` takes; a hub that lacks the call does not answer this. */
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
      en_US: `Extension: compares by id and revision, and answers which items are missing or differ here; ${key.en_US}`,
    },
    input: z.object({ items: boundedList(syncItemKey, { min: 1, max: SYNC_COMPARE_MAX }) }),
    output: z.object({
      installationId: z.string(),
      /** What delivering each would do, of those that are not the same here. */
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
      en_US: `Extension: takes in models and device data of another hub; ${key.en_US}`,
    },
    input: z.object({
      zoneId: blankable(zoneId()),
      /** 1: says what would become of the items, and changes nothing. */
      preview: flag().default(0),
      /** The installation that delivers, which may pass on what another one manages; an older hub does not say. */
      sender: short(64).default(''),
      items: boundedList(syncItem, { min: 1, max: SYNC_ITEMS_MAX }),
    }),
    output: z.object({ installationId: z.string(), results: z.array(itemAnswer) }),
  },
});
