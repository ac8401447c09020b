import { z } from 'zod';

export const homePath = '/message/messageChart';

/** What the chart shows, in the address. */
export const homeSearch = z.object({
  scope: z.enum(['7', '30', '12']).catch('7').default('7'),
  what: z.enum(['messages', 'accesses']).catch('messages').default('messages'),
  view: z.enum(['chart', 'table']).catch('chart').default('chart'),
  /** 1 opens the first steps. */
  guide: z.literal([0, 1]).catch(0).default(0),
});
