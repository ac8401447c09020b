import type { z } from 'zod';
import { listSearch, optionParam, textParam } from '../../ui/list-search.ts';

export const tenantListSearch = listSearch({
  tenancyName: textParam(),
  companyName: textParam(),
  enabled: optionParam([0, 1]),
});
export type TenantListSearch = z.output<typeof tenantListSearch>;

export const tenantListPath = '/systemConfig/tenantList';
export const tenantPath = (tenancyId: string, status: 0 | 1 | 2): string => `/add/addTenant/${tenancyId}/${status}`;
/** The lists of other slices, by address: a slice imports no other. */
export const applicationsOf = { to: '/systemConfig/applyList' } as const;
export const usersOf = { to: '/systemConfig/userList' } as const;
