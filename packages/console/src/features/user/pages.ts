import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { userListPath, userPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { userFormSearch, userListSearch } from './user-search.ts';

export const userPages: readonly PageEntry[] = [
  {
    path: userListPath,
    menus: [Menu.userList],
    title: () => i18next.t('user:listTitle'),
    search: userListSearch,
    load: () => import('./user-list-page.tsx'),
    palette: 'page',
  },
  {
    path: userPath('$userId', '$status'),
    menus: [Menu.userList],
    title: () => i18next.t('user:addTitle'),
    search: userFormSearch,
    load: () => import('./user-form-page.tsx'),
    palette: { action: () => i18next.t('user:addTitle'), to: userPath('0', 0) },
  },
];
