import { z } from 'zod';
import { textParam } from '../../../ui/list-search.ts';

/** One device unless said otherwise, of this product and application. */
export const registerSearch = z.object({
  from: z.literal('file').optional().catch(undefined),
  productId: textParam(),
  applicationId: textParam(),
});
export type RegisterSearch = z.output<typeof registerSearch>;
