import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { outboxPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { outboxListSearch } from './outbox-search.ts';

export const outboxPages: readonly PageEntry[] = [
  {
    path: outboxPath,
    menus: [Menu.outbox],
    title: () => i18next.t('outbox:listTitle'),
    search: outboxListSearch,
    load: () => import('./outbox-list-page.tsx'),
    palette: 'page',
  },
];
