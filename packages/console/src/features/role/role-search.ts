import { z } from 'zod';
import { dayParam, listSearch, textParam } from '../../ui/list-search.ts';

export const roleListSearch = listSearch({
  roleName: textParam(),
  from: dayParam(),
  to: dayParam(),
  tenancyId: textParam(),
});

/** A new role of this tenant. */
export const roleFormSearch = z.object({ tenancyId: textParam() });
