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

/** Constants of a mock device (specification §9). */
export const MOCK_TENANT = '3';
export const MOCK_FIRST_DATA_ID = 10_000;
export const MOCK_CHILDREN_MAX = 10;
export const MOCK_STEPS_MAX = 500;
/** Maximum number of a tenant's mock devices that run in the hub. */
export const MOCK_RUNS_MAX = 50;
const MOCK_JSON_MAX = 256 * 1024;

/** A child device in a create request. */
export const mockChild = z.strictObject({ deviceName: name(), productId: id() });

/** The product is required, with the specification's message (§5). */
const chosenProduct = () => z.pipe(z.string({ error: 'NO_MOCK_PRODUCT' }).min(1, { error: 'NO_MOCK_PRODUCT' }), id());

const children = (min: number) =>
  boundedList(mockChild, { min, max: MOCK_CHILDREN_MAX, tooMany: 'TOO_MANY_CHILDREN', read: readJson });

/** One message of a recorded sequence; `after`: delay after the previous one, in milliseconds. */
export const mockStep = z.strictObject({
  after: z.int().min(0).max(3_600_000),
  /** The mock device or one of its children. */
  deviceId: id(),
  kind: z.enum(['property', 'event', 'log']),
  /** Sign code of an event; '' for properties; the level of a log line. */
  name: z.string().max(64),
  /** Properties by sign code, an event's output, or the text of a log line. */
  value: z.unknown(),
});
export type MockStep = z.output<typeof mockStep>;

/** What the mock device sends automatically: 1 drifting values, 2 its recorded sequence in a loop. */
export const MockRunMode = { wander: 1, sequence: 2 } as const;

export const mockRun = z.object({
  /** 1: the hub runs the mock device while no control panel does. */
  runInHub: flag(),
  mode: z.literal([1, 2]),
  everySeconds: z.int(),
  sequence: z.array(mockStep),
});
export type MockRun = z.output<typeof mockRun>;

const mockRow = deviceRow.extend({
  runInHub: flag(),
  /** 1 while the hub runs it. */
  runningInHub: flag(),
});
export type MockRow = z.output<typeof mockRow>;

/** How an upgrade of a mock device fails; '' if it succeeds. */
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

const mockProfile = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  /** Running firmware version; '' if never reported. */
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
/** Everything needed to simulate this device. */
export type MockProfile = z.output<typeof mockProfile>;

export const mockDetails = mockRow.extend({
  ...mockProfile.shape,
  tenantId: z.literal(MOCK_TENANT),
  version: z.literal(PROTOCOL_VERSION),
  firstDataId: z.literal(MOCK_FIRST_DATA_ID),
  children: z.array(mockProfile),
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
  /** 0 if it is the default of the model. */
  saved: flag(),
});
export type FunctionDefault = z.output<typeof functionDefault>;

export const mockCalls = defineCalls({
  queryMockDeviceList: {
    method: 'GET',
    path: `${mock}/queryMockDeviceList`,
    kind: 'query',
    access: 'mock:use',
    summary: { zh_CN: '模拟设备列表', en_US: 'List mock devices' },
    input: z.object({
      ...paging,
      ...sorting,
      deviceId: search(),
      deviceName: search(),
      /** Extension: matches id or name. */
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
      en_US: 'Get a mock device with its secret, functions and children',
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
      en_US: 'Create a mock device of a monomer or gateway product, with up to 10 children for a gateway',
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
    summary: { zh_CN: '扩展：为模拟网关增加子设备', en_US: 'Extension: add children to a mock gateway' },
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
      en_US: 'Delete a mock device with its records; a gateway with its mock children',
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
    summary: { zh_CN: '模拟设备各功能的默认值', en_US: 'List the default value of each function of a mock device' },
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
      en_US: 'Save default values; omitted ones stay, null restores the default of the model',
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
      zh_CN: '扩展：设置页面关闭后是否由平台继续运行，以及发送方式',
      en_US: 'Extension: set whether the platform runs the mock device while no page does, and what it sends',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      deviceId: id(),
      runInHub: flag(),
      mode: formOption([1, 2]).default(MockRunMode.wander),
      everySeconds: formInt(1, 3_600).default(5),
      /** Without it, the sequence stays unchanged. */
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
      en_US: 'Extension: expire the tokens of a mock device now',
    },
    input: z.object({ deviceId: id() }),
    output: z.null(),
  },
});
