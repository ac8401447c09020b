import { apiKeyScopes } from '@device-center/contract';
import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const apiKeyListSearch = listSearch({
  keyName: textParam(),
  scope: z.enum(apiKeyScopes).optional().catch(undefined),
  tenancyId: textParam(),
});
export type ApiKeyListSearch = z.output<typeof apiKeyListSearch>;
