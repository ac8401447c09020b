import { z } from 'zod';
import { listSearch, textParam } from '../../ui/list-search.ts';

export const userListSearch = listSearch({
  name: textParam(),
  username: textParam(),
  phone: textParam(),
  roleId: textParam(),
  tenancyId: textParam(),
});

/** Tenant and role of the new user. */
export const userFormSearch = z.object({ tenancyId: textParam(), roleId: textParam() });
