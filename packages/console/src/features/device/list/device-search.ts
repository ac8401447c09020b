import { Menu, nodeTypeIds, protocolIds, ZONE_ID_MAX } from '@device-center/contract';
import { z } from 'zod';
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
  /** Devices placed in this availability zone. */
  haZoneId: z.coerce.number<number>().int().min(1).max(ZONE_ID_MAX).optional().catch(undefined),
  /** Came online or went offline at or after this time. */
  presenceSince: z.iso.datetime({ offset: true }).optional().catch(undefined),
});
export type DeviceListSearch = z.output<typeof deviceListSearch>;

export const qrMenus: readonly number[] = [Menu.deviceList, Menu.mockList];
