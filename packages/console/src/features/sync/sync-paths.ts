import type { SyncCountRow } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const countListSearch = listSearch({ zoneName: textParam(), status: optionParam([0, 1]) });
export type CountListSearch = z.output<typeof countListSearch>;

export const recordListSearch = listSearch({
  /** Which tab: 1 models, 2 data. */
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

export const syncListPath = '/dataSynch/dataShow';
export const syncZoneRoute = '/detail/detailSync/$zoneId/$zoneName/$status';
export const recordPath = '/detail/dataDetail';

export const syncZonePath = ({ zoneId, zoneName, status }: Pick<SyncCountRow, 'zoneId' | 'zoneName' | 'status'>) =>
  `/detail/detailSync/${zoneId}/${encodeURIComponent(zoneName)}/${status}`;

/** Pages of other slices, by address: a slice imports no other. */
export const zoneListPath = '/avaConfig/availableList';
export const devicePath = (deviceId: string): string => `/detail/detailDevice/${encodeURIComponent(deviceId)}`;
export const productPath = (productId: string): string => `/detail/detailProduct/${productId}`;
