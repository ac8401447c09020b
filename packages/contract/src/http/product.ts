import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, chosenIds, description, flag, formOption, id, idOrNone, name, search } from '../fields.ts';
import { nodeTypeIds, productClassIds, protocolIds } from '../model/product-kinds.ts';
import { pageOf, paging, sorting } from '../paging.ts';
import { timeZone } from '../time-zone.ts';
import { deviceRow } from './device.ts';
import { PICTURE_MAX_BYTES } from './personal.ts';

const product = '/iot-hub/admin/device/product';

const productRow = z.object({
  /** The product key. */
  productId: z.string(),
  productName: z.string(),
  description: z.string(),
  /** URL of the picture, which requires the token; '' without one. */
  icon: z.string(),
  nodeType: z.literal(nodeTypeIds),
  nodeTypeName: z.string(),
  protocolId: z.literal(protocolIds),
  protocolName: z.string(),
  classId: z.literal(productClassIds),
  className: z.string(),
  categoryId: z.string(),
  categoryName: z.string(),
  categoryStandard: flag(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  /** Application of self-registered devices; '' without one. */
  applicationId: z.string(),
  applicationName: z.string(),
  /** Whether devices can register themselves by a login with the product's secret. */
  allowRegister: flag(),
  allowMd5: flag(),
  modelVersion: z.int(),
  functionCount: z.int(),
  deviceCount: z.int(),
  /** 1: synced from another platform; only its application can be changed here. */
  received: flag(),
  creator: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type ProductRow = z.output<typeof productRow>;

/** `icon` as returned in a response, or only the picture id; '' removes the picture. */
const icon = () =>
  z
    .string()
    .max(200)
    .transform((value) => value.replace(/^.*[?&]pictureId=/, ''))
    .pipe(z.string().regex(/^[A-Za-z0-9]{0,64}$/, { error: 'INVALID' }));

const productFields = {
  productName: name(),
  description: description().default(''),
  icon: icon().default(''),
  classId: formOption(productClassIds),
  applicationId: blankable(id()),
  allowRegister: flag().default(1),
  allowMd5: flag().default(1),
};

/** Number of firmware versions shown; the others are summed up. */
export const VERSIONS_SHOWN = 6;

/** Statistics of a product's devices. */
const productOverview = z.object({
  devices: z.int(),
  online: z.int(),
  /** Most common versions; '' for devices that have not reported one. */
  versions: z.array(z.object({ versionNumber: z.string(), devices: z.int() })),
  otherVersions: z.object({ versions: z.int(), devices: z.int() }),
  /** Number of devices at the end of each of the last 30 days, including today; deleted devices do not count. */
  days: z.array(z.object({ date: z.string(), devices: z.int() })),
});
export type ProductOverview = z.output<typeof productOverview>;

export const productCalls = defineCalls({
  queryDeviceProductList: {
    method: 'GET',
    path: `${product}/queryDeviceProductList`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '产品列表', en_US: 'List products' },
    input: z.object({
      ...paging,
      ...sorting,
      productId: search(),
      productName: search(),
      /** Extension: matches id or name. */
      searchValue: search(),
      categoryId: blankable(id()),
      nodeType: blankable(formOption(nodeTypeIds)),
      protocolId: blankable(formOption(protocolIds)),
      classId: blankable(formOption(productClassIds)),
      tenancyId: blankable(id()),
    }),
    output: pageOf(productRow),
  },
  getDeviceProductDetails: {
    method: 'GET',
    path: `${product}/getDeviceProductDetails`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '产品详情', en_US: 'Get a product' },
    input: z.object({ productId: id() }),
    output: productRow,
  },
  getProductDevices: {
    method: 'GET',
    path: `${product}/getProductDevices`,
    kind: 'query',
    access: 'product:read',
    summary: {
      zh_CN: '扩展：产品的设备，供产品页面使用',
      en_US: 'Extension: list the devices of a product, for the product page',
    },
    input: z.object({ ...paging, ...sorting, productId: id() }),
    output: pageOf(deviceRow),
  },
  getProductOverview: {
    method: 'GET',
    path: `${product}/getProductOverview`,
    kind: 'query',
    access: 'product:read',
    summary: {
      zh_CN: '扩展：产品的在线数、固件分布和近 30 天新增设备',
      en_US: 'Extension: statistics of a product: devices online, by firmware version, and added in the last 30 days',
    },
    input: z.object({ productId: id(), timezone: blankable(timeZone()) }),
    output: productOverview,
  },
  getDeviceProductClass: {
    method: 'GET',
    path: `${product}/getDeviceProductClass`,
    kind: 'query',
    access: 'product:list',
    summary: { zh_CN: '产品类型', en_US: 'List product types' },
    input: z.object({}),
    output: z.array(z.object({ classId: z.literal(productClassIds), className: z.string() })),
  },
  addDeviceProduct: {
    method: 'PUT',
    path: `${product}/addDeviceProduct`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '新建产品，密钥只返回一次；默认复制品类的全部功能（inheritFunctions）',
      en_US:
        'Create a product; its secret is returned only once. Copies the functions of its category by default (inheritFunctions)',
    },
    input: z.object({
      ...productFields,
      categoryId: id(),
      nodeType: formOption(nodeTypeIds),
      protocolId: formOption(protocolIds),
      inheritFunctions: flag().default(1),
      tenancyId: blankable(id()),
    }),
    output: z.object({ productId: z.string(), productSecret: z.string() }),
  },
  updateDeviceProduct: {
    method: 'POST',
    path: `${product}/updateDeviceProduct`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '修改产品；未给出的字段不变',
      en_US: 'Update a product; omitted fields stay unchanged',
    },
    input: z.object({
      productId: id(),
      productName: name(),
      description: description().optional(),
      icon: icon().optional(),
      classId: formOption(productClassIds).optional(),
      /** '' removes it. */
      applicationId: idOrNone().optional(),
      allowRegister: flag().optional(),
      allowMd5: flag().optional(),
    }),
    output: z.null(),
  },
  deleteDeviceProduct: {
    method: 'DELETE',
    path: `${product}/deleteDeviceProduct`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '删除没有设备的产品，全部成功或全部不变',
      en_US: 'Delete products without devices, all or none',
    },
    input: z.object({ productIds: chosenIds('NO_PRODUCT', 'TOO_MANY_PRODUCTS') }),
    output: z.object({ deleted: z.int() }),
    success: 'deleted',
  },
  resetProductSecret: {
    method: 'POST',
    path: `${product}/resetProductSecret`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：重置产品密钥，新密钥只返回一次',
      en_US: 'Extension: reset the product secret; the new secret is returned only once',
    },
    input: z.object({ productId: id() }),
    output: z.object({ productSecret: z.string() }),
  },
  uploadProductPicture: {
    method: 'POST',
    path: `${product}/uploadProductPicture`,
    kind: 'mutation',
    access: 'product:write',
    summary: {
      zh_CN: '扩展：上传产品图片（按内容判断的 jpg 或 png），返回值用作 icon',
      en_US: 'Extension: upload a picture, jpg or png detected by content; returns a value for icon',
    },
    input: z.object({}),
    file: { field: 'multipartFile', maxBytes: PICTURE_MAX_BYTES },
    output: z.object({ icon: z.string() }),
  },
  getProductPicture: {
    method: 'GET',
    path: `${product}/getProductPicture`,
    kind: 'query',
    access: 'product:list',
    summary: {
      zh_CN: '扩展：产品图片的内容，地址见 icon',
      en_US: 'Extension: download a product picture, addressed by icon',
    },
    input: z.object({ pictureId: id() }),
    answersFile: true,
    output: z.null(),
  },
});
