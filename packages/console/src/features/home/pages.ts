import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { homePath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { homeSearch } from './home-search.ts';

export const homePages: readonly PageEntry[] = [
  {
    path: homePath,
    menus: [Menu.messageChart],
    title: () => i18next.t('shell:homeTitle'),
    search: homeSearch,
    load: withTexts(() => import('./home-page.tsx'), 'home', 'guide', 'model'),
    palette: 'page',
  },
];
