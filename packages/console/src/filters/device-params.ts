import { deviceSortFields, nodeTypeIds, protocolIds, ZONE_ID_MAX } from '@device-center/contract';
import { z } from 'zod';
import { optionParam, textParam } from '../ui/list-search.ts';

/** What a list of devices can be narrowed by and sorted by, in the address: for every page that has one. */
export const deviceParams = {
  sortField: optionParam(deviceSortFields),
  searchValue: textParam(),
  online: optionParam([1, 2]),
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
};
