import { z } from 'zod';
import { listSearch, textParam } from '../../../ui/list-search.ts';

export const refusedListSearch = listSearch({
  deviceId: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
  /** By device and cause unless said otherwise. */
  view: z.literal('each').optional().catch(undefined),
});
export type RefusedListSearch = z.output<typeof refusedListSearch>;
