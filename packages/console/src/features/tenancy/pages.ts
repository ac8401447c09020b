import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { tenantListPath, tenantPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { tenantListSearch } from './tenant-search.ts';

export const tenancyPages: readonly PageEntry[] = [
  {
    path: tenantListPath,
    menus: [Menu.tenantList],
    title: () => i18next.t('tenancy:listTitle'),
    search: tenantListSearch,
    load: () => import('./tenant-list-page.tsx'),
    palette: 'page',
  },
  {
    path: tenantPath('$tenancyId', '$status'),
    menus: [Menu.tenantList],
    title: () => i18next.t('tenancy:addTitle'),
    load: withTexts(() => import('./tenant-form-page.tsx'), 'quota'),
    palette: { action: () => i18next.t('tenancy:addTitle'), to: tenantPath('0', 0) },
  },
];
