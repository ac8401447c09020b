import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import type { PageEntry } from '../../ui/page-entry.ts';
import { tenantListSearch } from './tenant-search.ts';

export const tenancyPages: readonly PageEntry[] = [
  {
    path: '/systemConfig/tenantList',
    menus: [Menu.tenantList],
    title: () => i18next.t('tenancy:listTitle'),
    search: tenantListSearch,
    load: () => import('./tenant-list-page.tsx'),
    palette: 'page',
  },
  {
    path: '/add/addTenant/$tenancyId/$status',
    menus: [Menu.tenantList],
    title: () => i18next.t('tenancy:addTitle'),
    load: () => import('./tenant-form-page.tsx'),
    palette: { action: () => i18next.t('tenancy:addTitle'), to: '/add/addTenant/0/0' },
  },
];
