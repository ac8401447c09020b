import { z } from 'zod';
import { defineCalls } from '../define-call.ts';
import { blankable, flag, formOption, id, search } from '../fields.ts';
import { nodeTypeIds, protocolIds } from '../model/product-kinds.ts';
import { pageOf, paging, sorting } from '../paging.ts';

const device = '/iot-hub/admin/device/manage';

/** A device, wherever devices are listed. */
export const deviceRow = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  mac: z.string(),
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
  parentId: z.string(),
  mock: flag(),
  tenancyId: z.string(),
  tenancyName: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
});
export type DeviceRow = z.output<typeof deviceRow>;

export const deviceCalls = defineCalls({
  queryDeviceList: {
    method: 'GET',
    path: `${device}/queryDeviceList`,
    kind: 'query',
    access: 'device:list',
    summary: { zh_CN: '设备列表', en_US: 'Devices' },
    input: z.object({
      ...paging,
      ...sorting,
      applicationId: blankable(id()),
      categoryId: blankable(id()),
      deviceId: search(),
      deviceName: search(),
      nodeType: blankable(formOption(nodeTypeIds)),
      mac: search(),
      online: blankable(formOption([1, 2])),
      productId: blankable(id()),
      protocolId: blankable(formOption(protocolIds)),
      parentId: blankable(id()),
      tenancyId: blankable(id()),
    }),
    output: pageOf(deviceRow),
  },
});
