import type { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const tenantListSearch = listSearch({
  tenancyName: textParam(),
  companyName: textParam(),
  enabled: optionParam([0, 1]),
});
export type TenantListSearch = z.output<typeof tenantListSearch>;
