import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const userListSearch = listSearch({
  name: textParam(),
  username: textParam(),
  phone: textParam(),
  roleId: textParam(),
  tenancyId: textParam(),
});

/** A new user of this tenant, with this role of it. */
export const userFormSearch = z.object({ tenancyId: textParam(), roleId: textParam() });
