import type { z } from 'zod';
import { listSearch, textParam } from '../../../ui/list-search.ts';

export const refusedListSearch = listSearch({
  deviceId: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
});
export type RefusedListSearch = z.output<typeof refusedListSearch>;
