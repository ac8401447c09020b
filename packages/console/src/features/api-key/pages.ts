import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { apiKeyListPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { apiKeyListSearch } from './api-key-search.ts';

export const apiKeyPages: readonly PageEntry[] = [
  {
    path: apiKeyListPath,
    menus: [Menu.apiKeyList],
    title: () => i18next.t('shell:apiKeyListTitle'),
    search: apiKeyListSearch,
    load: withTexts(() => import('./api-key-list-page.tsx'), 'apiKey'),
    palette: 'page',
  },
];
