import { z } from 'zod';
import { boundedJson, boundedList, readJson } from '../bounded.ts';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, flag, formInt, formOption, id, name, search } from '../fields.ts';
import { storedFunction } from '../model/function-definition.ts';
import { PROTOCOL_VERSION } from '../mqtt/message.ts';
import { signMethods } from '../mqtt/signature.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { deviceRow } from './device.ts';

const mock = '/iot-hub/admin/device/mock';

/** Spec §9: the constants of a mock device. */
export const MOCK_TENANT = '3';
export const MOCK_FIRST_DATA_ID = 10_000;
export const MOCK_CHILDREN_MAX = 10;
export const MOCK_STEPS_MAX = 500;
/** How many of a tenant run on in the hub. */
export const MOCK_RUNS_MAX = 50;
const MOCK_JSON_MAX = 256 * 1024;

/** What a gateway speaks for, as it is made. */
export const mockChild = z.strictObject({ deviceName: name(), productId: id() });

/** Spec §5: the product is searched by its id, and one must be chosen. */
const chosenProduct = () => z.pipe(z.string({ error: 'NO_MOCK_PRODUCT' }).min(1, { error: 'NO_MOCK_PRODUCT' }), id());

const children = (min: number) =>
  boundedList(mockChild, { min, max: MOCK_CHILDREN_MAX, tooMany: 'TOO_MANY_CHILDREN', read: readJson });

/** One message of a recorded sequence, so many milliseconds after the one before. */
export const mockStep = z.strictObject({
  after: z.int().min(0).max(3_600_000),
  /** Of the device itself, or of a child. */
  deviceId: id(),
  kind: z.enum(['property', 'event', 'log']),
  /** Sign code of an event; '' for properties; the level of a log line. */
  name: z.string().max(64),
  /** Properties by sign code, an event's output, or the text of a log line. */
  value: z.unknown(),
});
export type MockStep = z.output<typeof mockStep>;

/** What it sends when left to itself: 1 values that wander, 2 its recorded sequence, over and over. */
export const MockRunMode = { wander: 1, sequence: 2 } as const;

export const mockRun = z.object({
  /** 1: whenever no page speaks for it, the hub does. */
  runInHub: flag(),
  mode: z.literal([1, 2]),
  everySeconds: z.int(),
  sequence: z.array(mockStep),
});
export type MockRun = z.output<typeof mockRun>;

const mockRow = deviceRow.extend({
  runInHub: flag(),
  /** 1 while the hub is its body. */
  runningInHub: flag(),
});
export type MockRow = z.output<typeof mockRow>;

/** How a mock device fails when it is told to upgrade; '' when it does not. */
export const mockUpgradeFaults = [
  '',
  'refuse',
  'busy',
  'download',
  'verification',
  'install',
  'silent',
  'slow',
  'offline',
] as const;
export type MockUpgradeFault = (typeof mockUpgradeFaults)[number];

const mockBody = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  /** What it runs; '' when it has never said so. */
  versionNumber: z.string(),
  upgradeFault: z.enum(mockUpgradeFaults),
  productId: z.string(),
  productName: z.string(),
  online: z.literal([1, 2]),
  deviceSecret: z.string(),
  signMethod: z.enum(signMethods),
  functions: z.array(storedFunction),
  /** By sign code: a property's value, an event's or a service's output. */
  defaults: z.record(z.string(), z.unknown()),
});
/** All that somebody needs to be this device. */
export type MockProfile = z.output<typeof mockBody>;

export const mockDetails = mockRow.extend({
  ...mockBody.shape,
  tenantId: z.literal(MOCK_TENANT),
  version: z.literal(PROTOCOL_VERSION),
  firstDataId: z.literal(MOCK_FIRST_DATA_ID),
  children: z.array(mockBody),
  run: mockRun,
});
export type MockDetails = z.output<typeof mockDetails>;

const functionDefault = z.object({
  deviceId: z.string(),
  functionId: z.string(),
  functionName: z.string(),
  functionType: z.literal([1, 22, 32]),
  functionDefinition: z.unknown(),
  value: z.unknown(),
  /** 0 where it is what the model suggests. */
  saved: flag(),
});
export type FunctionDefault = z.output<typeof functionDefault>;

export const mockCalls = defineCalls({
  queryMockDeviceList: {
    method: 'GET',
    path: `${mock}/queryMockDeviceList`,
    kind: 'query',
    access: 'mock:use',
    summary: { zh_CN: '模拟设备列表', en_US: 'Mock devices' },
    input: z.object({
      ...paging,
      ...sorting,
      deviceId: search(),
      deviceName: search(),
      /** Extension: id or name. */
      searchValue: search(),
      productId: blankable(id()),
      nodeType: blankable(formOption([1, 2, 3])),
      online: blankable(formOption([1, 2])),
      tenancyId: blankable(id()),
    }),
    output: pageOf(mockRow),
  },
  getMockDeviceDetails: {
    method: 'GET',
    path: `${mock}/getDeviceDetails`,
    kind: 'query',
    access: 'mock:use',
    summary: {
      zh_CN: '模拟设备详情，含密钥、功能与子设备',
      en_US: 'One mock device with its secret, functions and children',
    },
    input: z.object({ deviceId: id() }),
    output: mockDetails,
  },
  createMockDevice: {
    method: 'POST',
    path: `${mock}/create`,
    kind: 'mutation',
    access: 'mock:use',
    summary: {
      zh_CN: '创建模拟设备；产品须为单品或网关，网关最多挂载 10 个子设备',
      en_US: 'Makes a mock device of a monomer or gateway product, with up to 10 children for a gateway',
    },
    input: z.object({
      deviceName: name(),
      productId: chosenProduct(),
      applicationId: blankable(id()),
      children: children(0).default([]),
    }),
    output: z.object({ deviceId: z.string(), children: z.array(z.string()) }),
  },
  addMockChildren: {
    method: 'POST',
    path: `${mock}/children/add`,
    kind: 'mutation',
    access: 'mock:use',
    summary: { zh_CN: '扩展：为模拟网关增加子设备', en_US: 'Extension: more children for a mock gateway' },
    input: z.object({ deviceId: id(), children: children(1) }),
    output: z.object({ children: z.array(z.string()) }),
  },
  deleteMockDevice: {
    method: 'DELETE',
    path: `${mock}/delete`,
    kind: 'mutation',
    access: 'mock:use',
    summary: {
      zh_CN: '删除模拟设备及其记录；网关连同其模拟子设备',
      en_US: 'Deletes a mock device with its records; a gateway with its mock children',
    },
    input: z.object({ deviceId: id() }),
    output: z.null(),
    success: 'deleted',
  },
  queryFunctionDefaults: {
    method: 'GET',
    path: `${mock}/function/default/list`,
    kind: 'query',
    access: 'mock:use',
    summary: { zh_CN: '模拟设备各功能的默认值', en_US: 'The default value of each function of a mock device' },
    input: z.object({ deviceId: id() }),
    output: z.array(functionDefault),
  },
  saveFunctionDefaults: {
    method: 'POST',
    path: `${mock}/function/default/save`,
    kind: 'mutation',
    access: 'mock:use',
    summary: {
      zh_CN: '保存默认值；未给出的不变，null 恢复为模型建议值',
      en_US: 'Saves default values; those not given stay, null goes back to what the model suggests',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      deviceId: id(),
      values: boundedJson(z.record(z.string().max(64), z.unknown()), MOCK_JSON_MAX, 'VALUES_TOO_LARGE'),
    }),
    output: z.null(),
  },
  saveMockRun: {
    method: 'POST',
    path: `${mock}/run/save`,
    kind: 'mutation',
    access: 'mock:use',
    summary: {
      zh_CN: '扩展：页面关闭后是否由中心继续运行，及其发送方式',
      en_US: 'Extension: whether the hub goes on when the page is closed, and what it then sends',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      deviceId: id(),
      runInHub: flag(),
      mode: formOption([1, 2]).default(MockRunMode.wander),
      everySeconds: formInt(1, 3_600).default(5),
      /** As it was, when missing. */
      sequence: boundedList(mockStep, { max: MOCK_STEPS_MAX, read: readJson })
        .refine((steps) => JSON.stringify(steps).length <= MOCK_JSON_MAX, { error: 'VALUES_TOO_LARGE' })
        .optional(),
    }),
    output: z.null(),
  },
  expireMockToken: {
    method: 'POST',
    path: `${mock}/token/expire`,
    kind: 'mutation',
    access: 'mock:use',
    summary: {
      zh_CN: '扩展：让模拟设备的 token 立即过期',
      en_US: 'Extension: the tokens of a mock device end now, as if their time had come',
    },
    input: z.object({ deviceId: id() }),
    output: z.null(),
  },
});
