import { z } from 'zod';
import { listSearch, textParam } from '../../../ui/list-search.ts';

export const rejectedListSearch = listSearch({
  deviceId: textParam(),
  productId: textParam(),
  tenancyId: textParam(),
  /** Grouped by device and cause by default. */
  view: z.literal('each').optional().catch(undefined),
});
export type RejectedListSearch = z.output<typeof rejectedListSearch>;
