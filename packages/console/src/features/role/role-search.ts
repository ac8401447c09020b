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

export const roleListPath = '/systemConfig/roleList';
/** Creating "from" a role's id copies that role. */
export const rolePath = (roleId: string, status: 0 | 1 | 2): string => `/add/addRole/${roleId}/${status}`;
/** Pages of another slice, by address: a slice imports no other. */
export const userListPath = '/systemConfig/userList';
export const newUserPath = '/add/addUser/0/0';
