import type { SyncCountRow } from '@device-center/contract';
import { z } from 'zod';
import { syncZonePath } from '../../paths.ts';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const countListSearch = listSearch({ zoneName: textParam(), status: optionParam([0, 1]) });
export type CountListSearch = z.output<typeof countListSearch>;

export const recordListSearch = listSearch({
  /** The tab: 1 models, 2 data. */
  dataType: z.coerce
    .number<number>()
    .pipe(z.literal([1, 2]))
    .catch(1)
    .default(1),
  deviceId: textParam(),
  productId: textParam(),
  syncStatus: optionParam([0, 1, 2, 3]),
});
export type RecordListSearch = z.output<typeof recordListSearch>;

export const recordSearch = z.object({ syncId: textParam() });

export const syncZoneOf = ({ zoneId, zoneName, status }: Pick<SyncCountRow, 'zoneId' | 'zoneName' | 'status'>) =>
  syncZonePath(zoneId, encodeURIComponent(zoneName), status);
