import { nodeTypeIds, protocolIds } from '@device-center/contract';
import type { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../../ui/list-search.ts';

export const deviceListSearch = listSearch({
  searchValue: textParam(),
  online: optionParam([1, 2]),
  productId: textParam(),
  categoryId: textParam(),
  applicationId: textParam(),
  nodeType: optionParam(nodeTypeIds),
  protocolId: optionParam(protocolIds),
  deviceId: textParam(),
  deviceName: textParam(),
  mac: textParam(),
  /** Devices behind this gateway. */
  parentId: textParam(),
  tenancyId: textParam(),
});
export type DeviceListSearch = z.output<typeof deviceListSearch>;

export const deviceListPath = '/productConfig/deviceList';
export const devicePath = (deviceId: string): string => `/detail/detailDevice/${deviceId}`;

/** Pages of other slices, by address: a slice imports no other. */
export const productPath = (productId: string): string => `/detail/detailProduct/${productId}`;
