import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { roleListPath, rolePath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { roleFormSearch, roleListSearch } from './role-search.ts';

export const rolePages: readonly PageEntry[] = [
  {
    path: roleListPath,
    menus: [Menu.roleList],
    title: () => i18next.t('role:listTitle'),
    search: roleListSearch,
    load: () => import('./role-list-page.tsx'),
    palette: 'page',
  },
  {
    path: rolePath('$roleId', '$status'),
    menus: [Menu.roleList],
    title: () => i18next.t('role:addTitle'),
    search: roleFormSearch,
    load: () => import('./role-form-page.tsx'),
    palette: { action: () => i18next.t('role:addTitle'), to: rolePath('0', 0) },
  },
];
