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

export const userListPath = '/systemConfig/userList';
export const userPath = (userId: string, status: 0 | 1 | 2): string => `/add/addUser/${userId}/${status}`;
/** Pages of other slices, by address: a slice imports no other. */
export const personCenterPath = '/person/personCenter';
export const newRolePath = '/add/addRole/0/0';
