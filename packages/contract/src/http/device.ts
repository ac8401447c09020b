import { z } from 'zod';
import { defineCalls, LARGE_INPUT_BYTES } from '../define-call.ts';
import { blankable, chosenIds, deviceId, flag, formList, formOption, id, name, search, time } from '../fields.ts';
import { nodeTypeIds, protocolIds } from '../model/product-kinds.ts';
import { logLevelIds } from '../mqtt/payloads.ts';
import { deviceSorting, pageOf, paging } from '../paging.ts';
import { attributeOutputs, changedAttributes, newDeviceAttributes } from './device-attributes.ts';
import { offlineReasonSchema } from './offline-reason.ts';
import { zoneId } from './zone-fields.ts';

export const deviceManage = '/iot-hub/admin/device/manage';

/** A row of a device list. */
export const deviceRow = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  ...attributeOutputs,
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
  /** Number of child devices of a gateway. */
  childCount: z.int(),
  mock: flag(),
  /** 1: synced from another platform; only its application can be changed here. */
  received: flag(),
  blacklisted: flag(),
  /** End of the login restriction after a kick; '' without one. */
  kickedUntil: z.string(),
  /** Time of the last presence change; '' if the device was never online. */
  presenceTime: z.string(),
  /** Extension: the first offline reason, except `refused`, which is only in the details. Null while online. */
  offlineReason: offlineReasonSchema.nullable(),
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
  /** Whether the device has signed a login or message with its own secret. */
  secretProven: flag(),
  /** Whether a login with the product's secret is accepted and returns a new device secret. */
  productSecretAccepted: flag(),
  /** End of the period in which an operator allows one such login; '' without one. */
  reregisterUntil: z.string(),
  modelVersion: z.int(),
  blackTime: z.string(),
  blackReason: z.string(),
  blackBy: z.string(),
  /** Names for downloadDeviceLogFile, newest first. */
  logFiles: z.array(z.string()),
  /** Offline reasons; empty while online. */
  why: z.array(offlineReasonSchema),
});
export type DeviceDetails = z.output<typeof deviceDetails>;

const deviceFilter = {
  applicationId: blankable(id()),
  categoryId: blankable(id()),
  deviceId: search(),
  deviceName: search(),
  /** Extension: matches id, name or MAC. */
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
  /** Default: the device id. */
  deviceName: blankable(name()),
  ...newDeviceAttributes,
  /** Default: the product's application. */
  applicationId: blankable(id()),
};

/** Maximum lengths in characters; file import reports the actual length of longer values. */
export const deviceLengths: Partial<Record<keyof typeof newDevice, number>> = { deviceId: 64, deviceName: 50, mac: 64 };

/** Columns of a device file, for import and export. */
export const sheetColumns = Object.keys(newDevice) as (keyof typeof newDevice)[];

export const rejectedRow = z.object({
  /** Index of the row in the request, from 0; or line of the file, from 1. */
  index: z.int(),
  deviceId: z.string(),
  field: z.string(),
  message: z.string(),
});
export type RejectedRow = z.output<typeof rejectedRow>;

const credentials = z.object({ deviceId: z.string(), deviceName: z.string(), deviceSecret: z.string() });

export const deviceCalls = defineCalls({
  queryDeviceList: {
    method: 'GET',
    path: `${deviceManage}/queryDeviceList`,
    kind: 'query',
    access: 'device:list',
    summary: {
      zh_CN: '设备列表；扩展：sortField 3 名称、4 状态时间、5 固件版本',
      en_US: 'List devices; extension: sortField 3 name, 4 time of presence change, 5 firmware version',
    },
    input: z.object({ ...paging, ...deviceSorting, ...deviceFilter }),
    output: pageOf(deviceRow),
  },
  countDevices: {
    method: 'GET',
    path: `${deviceManage}/countDevices`,
    kind: 'query',
    access: 'device:list',
    summary: { zh_CN: '扩展：设备数量，按在线状态', en_US: 'Extension: count devices by presence' },
    input: z.object(deviceFilter),
    output: z.object({ total: z.int(), online: z.int(), offline: z.int() }),
  },
  exportDeviceList: {
    method: 'GET',
    path: `${deviceManage}/exportDeviceList`,
    kind: 'query',
    access: 'device:read',
    summary: { zh_CN: '扩展：导出设备列表（CSV）', en_US: 'Extension: export the device list as CSV' },
    input: z.object(deviceFilter),
    output: z.any(),
    answersFile: true,
  },
  getDeviceDetails: {
    method: 'GET',
    path: `${deviceManage}/getDeviceDetails`,
    kind: 'query',
    access: 'device:list',
    summary: { zh_CN: '设备详情', en_US: 'Get a device' },
    input: z.object({ deviceId: id() }),
    output: deviceDetails,
  },
  addDevice: {
    method: 'PUT',
    path: `${deviceManage}/addDevice`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：添加一台设备，密钥只返回一次',
      en_US: 'Extension: add a device; its secret is returned only once',
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
      en_US: `Extension: check a CSV file of devices (${sheetColumns.join(', ')}) without writing`,
    },
    input: z.object({ productId: id(), applicationId: blankable(id()) }),
    output: z.object({
      total: z.int(),
      valid: z.int(),
      /** At most 1,000 of them. */
      refused: z.array(rejectedRow),
      /** Valid devices, to be registered in batches of 200. */
      devices: z.array(
        z.object({
          /** Line of the file, from 1. */
          line: z.int(),
          deviceId: z.string(),
          deviceName: z.string(),
          ...attributeOutputs,
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
      zh_CN: '扩展：批量添加设备，逐行处理',
      en_US: 'Extension: add devices, each independently; rejected rows are returned with the reason',
    },
    maxBytes: LARGE_INPUT_BYTES,
    input: z.object({
      productId: id(),
      applicationId: blankable(id()),
      /** Chosen by the caller: batches with the same key within an hour form one entry of the audit log. */
      importKey: blankable(id()),
      devices: formList(z.record(z.string(), z.unknown()), REGISTER_MAX),
    }),
    output: z.object({ registered: z.array(credentials), refused: z.array(rejectedRow) }),
  },
  updateDevice: {
    method: 'POST',
    path: `${deviceManage}/updateDevice`,
    kind: 'mutation',
    access: 'device:write',
    summary: { zh_CN: '扩展：修改设备名称和资料', en_US: 'Extension: update the name and attributes of a device' },
    input: z.object({ deviceId: id(), deviceName: name(), ...changedAttributes }),
    output: z.null(),
  },
  deleteDevices: {
    method: 'DELETE',
    path: `${deviceManage}/deleteDevices`,
    kind: 'mutation',
    access: 'device:write',
    summary: {
      zh_CN: '扩展：删除设备及其全部记录',
      en_US: 'Extension: delete devices with all their records',
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
      zh_CN: '扩展：重置设备密钥并吊销其 token；新密钥只返回一次',
      en_US: 'Extension: reset the device secret and revoke its tokens; the new secret is returned only once',
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
      en_US: "Extension: allow the device to register again with its product's secret, once within an hour",
    },
    input: z.object({ deviceId: id() }),
    output: z.object({ deviceId: z.string(), reregisterUntil: z.string() }),
  },
});

/** One row of a device file; errors are reported per field. */
export const deviceToRegister = z.strictObject(newDevice);
