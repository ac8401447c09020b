import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, chosenIds, id, name, search, versionNumber } from '../fields.ts';
import { signedManifest } from '../mqtt/upgrade.ts';
import { pageOf, paging, sorting } from '../paging.ts';

export const deviceOta = '/iot-hub/admin/device/ota';

/** Endpoint of the tus protocol 1.0.0: POST creates an upload, PATCH continues it, HEAD returns its offset. */
export const FIRMWARE_UPLOAD_PATH = `${deviceOta}/upload`;
export const firmwareExtensions = ['bin', 'apk', 'hex', 'tar', 'img', 'zip'] as const;
export type FirmwareExtension = (typeof firmwareExtensions)[number];
const URI_BEGIN = 'fw/';
export const FIRMWARE_URI = new RegExp(`^${URI_BEGIN}[A-Za-z0-9_-]{1,64}$`);
/** Identifier of a file in calls, derived from the id of its upload. */
export const firmwareUriOf = (fileId: string): string => `${URI_BEGIN}${fileId}`;
export const firmwareFileIdOf = (firmwareUri: string): string => firmwareUri.slice(URI_BEGIN.length);
/** A file that no version uses is deleted after this time. */
export const FIRMWARE_UNUSED_MS = 86_400_000;

const firmwareUri = () => z.string({ error: 'FIRMWARE_MISSING' }).regex(FIRMWARE_URI, { error: 'FIRMWARE_MISSING' });

/** Returns undefined for a name without an allowed extension. */
export const firmwareExtensionOf = (fileName: string): FirmwareExtension | undefined => {
  const [, ending = ''] = /\.([^.]+)$/.exec(fileName) ?? [];
  return firmwareExtensions.find((known) => known === ending.toLowerCase());
};

export const FIRMWARE_NAME_MAX = 100;
/** Any valid file name. */
export const firmwareFileName = () =>
  z
    .string()
    .min(1, { error: 'REQUIRED', abort: true })
    .max(FIRMWARE_NAME_MAX, { abort: true })
    .regex(/^[^\p{C}/\\]*$/u, { error: 'INVALID', abort: true });

const isFirmwareName = (fileName: string): boolean => firmwareExtensionOf(fileName) !== undefined;
/** A file name with an allowed extension. */
const nickName = () => firmwareFileName().refine(isFirmwareName, { error: 'FIRMWARE_TYPE' });

const firmwareStates = ['uploading', 'checking', 'ready', 'failed'] as const;
/** Why a file was rejected: empty, content does not match the extension, too large, or missing in the file store. */
const firmwareFaults = ['', 'empty', 'format', 'size', 'lost'] as const;

const firmwareFile = z.object({
  firmwareUri: z.string(),
  nickName: z.string(),
  size: z.int(),
  /** Bytes received so far. */
  received: z.int(),
  state: z.enum(firmwareStates),
  fault: z.enum(firmwareFaults),
  /** Lower-case hex; '' until the file is checked. */
  md5: z.string(),
  sha256: z.string(),
  createTime: z.string(),
  /** When the file is deleted if no version uses it; '' if one does. */
  expireTime: z.string(),
});
export type FirmwareFile = z.output<typeof firmwareFile>;

const versionRow = z.object({
  versionId: z.string(),
  versionName: z.string(),
  versionNumber: z.string(),
  productId: z.string(),
  productName: z.string(),
  firmwareUri: z.string(),
  nickName: z.string(),
  size: z.int(),
  md5: z.string(),
  sha256: z.string(),
  /** Devices of the product that report this version. */
  deviceCount: z.int(),
  /** All devices of the product. */
  productDeviceCount: z.int(),
  taskCount: z.int(),
  /** Number of unfinished tasks; the version cannot change while there is one. */
  unfinishedTaskCount: z.int(),
  creator: z.string(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type VersionRow = z.output<typeof versionRow>;

const versionDetails = versionRow.extend({
  manifest: signedManifest,
  /** Versions that the product's devices run, most devices first. */
  running: z.array(z.object({ versionNumber: z.string(), devices: z.int() })),
});
export type VersionDetails = z.output<typeof versionDetails>;

/** A version that an upgrade can start from: uploaded, or only reported by devices. */
const productVersion = z.object({
  versionNumber: z.string(),
  /** '' if no file was uploaded for this version. */
  versionId: z.string(),
  versionName: z.string(),
  deviceCount: z.int(),
});
export type ProductVersion = z.output<typeof productVersion>;

const versionFields = {
  versionName: name(),
  versionNumber: versionNumber(),
  productId: id(),
  firmwareUri: firmwareUri(),
  nickName: nickName(),
};

/** Calls for firmware files and versions. */
export const firmwareCalls = defineCalls({
  queryDeviceOtaVersionList: {
    method: 'GET',
    path: `${deviceOta}/queryDeviceOtaVersionList`,
    kind: 'query',
    access: 'firmware:list',
    summary: { zh_CN: '固件版本列表', en_US: 'List firmware versions' },
    input: z.object({
      ...paging,
      ...sorting,
      productId: blankable(id()),
      versionName: search(),
      versionNumber: search(),
      /** Extension: matches name or number. */
      searchValue: search(),
      tenancyId: blankable(id()),
    }),
    output: pageOf(versionRow),
  },
  getDeviceOtaVersionDetails: {
    method: 'GET',
    path: `${deviceOta}/getDeviceOtaVersionDetails`,
    kind: 'query',
    access: 'firmware:list',
    summary: { zh_CN: '固件版本详情，含签名清单', en_US: 'Get a firmware version with its signed manifest' },
    input: z.object({ versionId: id() }),
    output: versionDetails,
  },
  addDeviceOtaVersion: {
    method: 'PUT',
    path: `${deviceOta}/addDeviceOtaVersion`,
    kind: 'mutation',
    access: 'firmware:write',
    summary: {
      zh_CN: '新建固件版本；文件须已上传并通过检查',
      en_US: 'Create a firmware version; its file must be uploaded and checked',
    },
    input: z.object(versionFields),
    output: z.object({ versionId: z.string() }),
  },
  updateDeviceOtaVersion: {
    method: 'PUT',
    path: `${deviceOta}/updateDeviceOtaVersion`,
    kind: 'mutation',
    access: 'firmware:write',
    summary: {
      zh_CN: '修改固件版本；未结束的任务所用的版本不可修改',
      en_US: 'Update a firmware version that no unfinished task uses',
    },
    input: z.object({ versionId: id(), ...versionFields }),
    output: z.null(),
  },
  deleteDeviceOtaVersion: {
    method: 'DELETE',
    path: `${deviceOta}/deleteDeviceOtaVersion`,
    kind: 'mutation',
    access: 'firmware:write',
    summary: { zh_CN: '删除固件版本，全部成功或全部不变', en_US: 'Delete firmware versions, all or none' },
    input: z.object({ versionIds: chosenIds('NO_VERSION', 'TOO_MANY_VERSIONS') }),
    output: z.null(),
    success: 'deleted',
  },
  getProductVersionNumbers: {
    method: 'GET',
    path: `${deviceOta}/getProductVersionNumbers`,
    kind: 'query',
    access: 'firmware:list',
    summary: {
      zh_CN: '产品的版本号：已上传的与设备上报的',
      en_US: 'List the version numbers of a product: uploaded ones, and ones reported by devices',
    },
    input: z.object({ productId: id() }),
    output: z.array(productVersion),
  },
  getFirmwareFile: {
    method: 'GET',
    path: `${deviceOta}/getFirmwareFile`,
    kind: 'query',
    access: 'firmware:write',
    summary: {
      zh_CN: '扩展：已上传文件的检查结果',
      en_US: 'Extension: get the check result of an uploaded file',
    },
    input: z.object({ firmwareUri: firmwareUri() }),
    output: firmwareFile,
  },
  deleteDeviceOtaFile: {
    method: 'PUT',
    path: `${deviceOta}/deleteDeviceOtaFile`,
    kind: 'mutation',
    access: 'firmware:write',
    summary: {
      zh_CN: '删除未被版本使用的文件（name 即 firmwareUri）',
      en_US: 'Delete a file that no version uses (name is its firmwareUri)',
    },
    input: z.object({ name: firmwareUri() }),
    output: z.null(),
    success: 'deleted',
  },
});
