import { ZONE_ID_MAX } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const zoneListSearch = listSearch({
  zoneName: textParam(),
  status: optionParam([0, 1]),
  zoneType: optionParam([1, 2]),
});
export type ZoneListSearch = z.output<typeof zoneListSearch>;

/** `id`: the zone to edit. */
export const zoneFormSearch = z.object({
  id: z.coerce.number<number>().int().min(1).max(ZONE_ID_MAX).optional().catch(undefined),
});
