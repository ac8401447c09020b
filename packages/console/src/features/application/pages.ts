import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { applicationListPath, applicationPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { applicationFormSearch, applicationListSearch } from './application-search.ts';

export const applicationPages: readonly PageEntry[] = [
  {
    path: applicationListPath,
    menus: [Menu.applyList],
    title: () => i18next.t('application:listTitle'),
    search: applicationListSearch,
    load: () => import('./application-list-page.tsx'),
    palette: 'page',
  },
  {
    path: applicationPath('$applicationId', '$status'),
    menus: [Menu.applyList],
    title: () => i18next.t('application:addTitle'),
    search: applicationFormSearch,
    load: () => import('./application-form-page.tsx'),
    palette: { action: () => i18next.t('application:addTitle'), to: applicationPath('0', 0) },
  },
];
