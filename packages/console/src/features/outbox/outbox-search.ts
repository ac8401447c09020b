import { outboxStates } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const outboxChannels = ['mail', 'sms'] as const;

export const outboxListSearch = listSearch({
  recipient: textParam(),
  state: z.enum(outboxStates).optional().catch(undefined),
  channel: z.enum(outboxChannels).optional().catch(undefined),
});
