import { z } from 'zod';
import { textParam } from '../../../ui/list-search.ts';

/** `from: 'file'` registers many devices. Product and application are preselected. */
export const registerSearch = z.object({
  from: z.literal('file').optional().catch(undefined),
  productId: textParam(),
  applicationId: textParam(),
});
export type RegisterSearch = z.output<typeof registerSearch>;
