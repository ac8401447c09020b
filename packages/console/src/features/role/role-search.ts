import { z } from 'zod';
import { dayParam, listSearch, textParam } from '../../ui/list-search.ts';

export const roleListSearch = listSearch({
  roleName: textParam(),
  from: dayParam(),
  to: dayParam(),
  tenancyId: textParam(),
});

/** Tenant of the new role. */
export const roleFormSearch = z.object({ tenancyId: textParam() });
