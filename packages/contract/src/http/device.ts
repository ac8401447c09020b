import { z } from 'zod';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, chosenIds, deviceId, flag, formList, formOption, id, name, search, time } from '../fields.ts';
import { nodeTypeIds, protocolIds } from '../model/product-kinds.ts';
import { logLevelIds } from '../mqtt/payloads.ts';
import { deviceSorting, pageOf, paging } from '../paging.ts';
import { factsChanged, factsOfNewDevice, factsShown } from './device-facts.ts';
import { deviceWhy } from './device-why.ts';
import { zoneId } from './zone-fields.ts';

export const deviceManage = '/iot-hub/admin/device/manage';

/** A device, wherever devices are listed. */
export const deviceRow = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  ...factsShown,
  productId: z.string(),
  productName: z.string(),
  categoryName: z.string(),
  nodeType: z.literal(nodeTypeIds),
  nodeTypeName: z.string(),
  protocolId: z.literal(protocolIds),
  protocolName: z.string(),
  /** 1 online, 2 offline. */
  online: z.literal([1, 2]),
  onlineName: z.string(),
  versionNumber: z.string(),
  applicationId: z.string(),
  applicationName: z.string(),
  haZoneId: z.int(),
  parentId: z.string(),
  /** How many devices are behind this gateway. */
  childCount: z.int(),
  mock: flag(),
  /** 1: synchronised from another installation; only its application can be changed here. */
  received: flag(),
  blacklisted: flag(),
  /** Until when log-in is refused after a kick; '' when it is not. */
  kickedUntil: z.string(),
  /** When it came online or went offline last; '' when it never did. */
  presenceTime: z.string(),
  /** Extension: why it is offline, as far as its own row says: the first of `why`, without `refused`. Null while online. */
  offlineReason: deviceWhy.nullable(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type DeviceRow = z.output<typeof deviceRow>;

export const deviceDetails = deviceRow.extend({
  /** The product key. */
  productKey: z.string(),
  zoneName: z.string(),
  parentName: z.string(),
  loggerLevel: z.literal(logLevelIds),
  realTimePushSwitch: flag(),
  hardware: z.string(),
  sdk: z.string(),
  signMethod: z.string(),
  ip: z.string(),
  transport: z.string(),
  firstConnectTime: z.string(),
  /** Whether its own secret has signed a log-in or a message. */
  secretProven: flag(),
  /** Whether a log-in with the product's secret would give it a new one of its own. */
  productSecretAccepted: flag(),
  /** Until when an operator lets it do so once; '' when none does. */
  reregisterUntil: z.string(),
  modelVersion: z.int(),
  blackTime: z.string(),
  blackReason: z.string(),
  blackBy: z.string(),
  /** Names for downloadDeviceLogFile, the newest first. */
  logFiles: z.array(z.string()),
  /** Empty while it is online. */
  why: z.array(deviceWhy),
});
export type DeviceDetails = z.output<typeof deviceDetails>;

const deviceFilter = {
  applicationId: blankable(id()),
  categoryId: blankable(id()),
  deviceId: search(),
  deviceName: search(),
  /** Extension: id, name or mac. */
  searchValue: search(),
  nodeType: blankable(formOption(nodeTypeIds)),
  mac: search(),
  online: blankable(formOption([1, 2])),
  /** Extension: came online or went offline at or after this time. */
  presenceSince: blankable(time()),
  productId: blankable(id()),
  protocolId: blankable(formOption(protocolIds)),
  parentId: blankable(id()),
  /** Extension. */
  haZoneId: blankable(zoneId()),
  tenancyId: blankable(id()),
};

export const REGISTER_MAX = 200;
export const DEVICE_FILE_MAX_BYTES = 5 * 1024 * 1024;
export const DEVICE_FILE_MAX_ROWS = 20_000;

const newDevice = {
  deviceId: deviceId(),
  /** The id, when missing. */
  deviceName: blankable(name()),
  ...factsOfNewDevice,
  /** The product's own, when missing. */
  applicationId: blankable(id()),
};

/** How many characters each may have at most; a sheet says of longer ones how long they are. */
export const deviceLengths: Partial<Record<keyof typeof newDevice, number>> = { deviceId: 64, deviceName: 50, mac: 64 };

/** The columns of a sheet of devices, as they are offered and exported. */
export const sheetColumns = Object.keys(newDevice) as (keyof typeof newDevice)[];

export const refusedRow = z.object({
  /** Of the rows sent, from 0; of a file, its line, from 1. */
  index: z.int(),
  deviceId: z.string(),
  field: z.string(),
  message: z.string(),
});
export type RefusedRow = z.output<typeof refusedRow>;

const credentials = z.object({ deviceId: z.string(), deviceName: z.string(), deviceSecret: z.string() });

export const deviceCalls = defineCalls({
  queryDeviceList: {
    method: 'GET',
    path: `${deviceManage}/queryDeviceList`,
    kind: 'query',
    access: 'device:list',
    summary: {
      zh_CN: '设备列表；扩展：sortField 3 名称、4 状态时间、5 固件版本',
      en_US: 'Devices; extension: sortField 3 name, 4 status since, 5 firmware version',
    },
    input: z.object({ ...paging, ...deviceSorting, ...deviceFilter }),
    output: pageOf(deviceRow),
  },
  countDevices: {
    method: 'GET',
    path: `${deviceManage}/countDevices`,
    kind: 'query',
    access: 'device:list',
    summary: { zh_CN: '扩展：设备数量，按在线状态', en_US: 'Extension: how many devices, by presence' },
    input: z.object(deviceFilter),
    output: z.object({ total: z.int(), online: z.int(), offline: z.int() }),
  },
  exportDeviceList: {
    method: 'GET',
    path: `${deviceManage}/exportDeviceList`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '扩展：导出设备列表（CSV）', en_US: 'Extension: the device list as CSV' },
    input: z.object(deviceFilter),
    output: z.any(),
    answersFile: true,
  },
  getDeviceDetails: {
    method: 'GET',
    path: `${deviceManage}/getDeviceDetails`,
    kind: 'query',
    access: 'device:list',
    summary: { zh_CN: '设备详情', en_US: 'One device' },
    input: z.object({ deviceId: id() }),
    output: deviceDetails,
  },
  addDevice: {
    method: 'PUT',
    path: `${deviceManage}/addDevice`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：登记一台设备，密钥只返回这一次',
      en_US: 'Extension: registers one device; its secret is answered this once',
    },
    input: z.object({ productId: id(), ...newDevice }),
    output: credentials,
  },
  checkDeviceFile: {
    method: 'POST',
    path: `${deviceManage}/checkDeviceFile`,
    kind: 'query',
    access: 'device:write',
    summary: {
      zh_CN: `扩展：检查 CSV 设备表（${sheetColumns.join(', ')}），不写入`,
      en_US: `Extension: checks a CSV of devices (${sheetColumns.join(', ')}) and writes nothing`,
    },
    input: z.object({ productId: id(), applicationId: blankable(id()) }),
    output: z.object({
      total: z.int(),
      valid: z.int(),
      /** At most 1,000 of them. */
      refused: z.array(refusedRow),
      /** What can be registered, to be sent in pieces of 200. */
      devices: z.array(
        z.object({
          /** In the file, from 1. */
          line: z.int(),
          deviceId: z.string(),
          deviceName: z.string(),
          ...factsShown,
          applicationId: z.string(),
        }),
      ),
    }),
    file: { field: 'file', maxBytes: DEVICE_FILE_MAX_BYTES },
  },
  registerDevices: {
    method: 'PUT',
    path: `${deviceManage}/registerDevices`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：批量登记设备，逐行成败',
      en_US: 'Extension: registers many devices, each by itself; refused ones come with their reason',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      productId: id(),
      applicationId: blankable(id()),
      /** Chosen by the caller: pieces of one import within an hour are one entry of the audit log. */
      importKey: blankable(id()),
      devices: formList(z.record(z.string(), z.unknown()), REGISTER_MAX),
    }),
    output: z.object({ registered: z.array(credentials), refused: z.array(refusedRow) }),
  },
  updateDevice: {
    method: 'POST',
    path: `${deviceManage}/updateDevice`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '扩展：修改设备名称和资料', en_US: 'Extension: changes the name and the facts of a device' },
    input: z.object({ deviceId: id(), deviceName: name(), ...factsChanged }),
    output: z.null(),
  },
  deleteDevices: {
    method: 'DELETE',
    path: `${deviceManage}/deleteDevices`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：删除设备及其全部记录',
      en_US: 'Extension: deletes devices with all their records',
    },
    input: z.object({ deviceIds: chosenIds('NO_DEVICE', 'TOO_MANY_DEVICES') }),
    output: z.null(),
    success: 'deleted',
  },
  resetDeviceSecret: {
    method: 'POST',
    path: `${deviceManage}/resetDeviceSecret`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：重置设备密钥，结束其 token；新密钥只返回这一次',
      en_US: 'Extension: makes a new secret and ends the tokens; the secret is answered this once',
    },
    input: z.object({ deviceId: id() }),
    output: credentials,
  },
  allowReregistration: {
    method: 'POST',
    path: `${deviceManage}/allowReregistration`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：一小时内允许该设备用产品密钥重新注册一次',
      en_US: "Extension: lets the device register once more with its product's secret, within an hour",
    },
    input: z.object({ deviceId: id() }),
    output: z.object({ deviceId: z.string(), reregisterUntil: z.string() }),
  },
});

/** One row of a sheet of devices; each field says by itself what is wrong with it. */
export const deviceToRegister = z.strictObject(newDevice);
