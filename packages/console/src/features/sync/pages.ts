import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { syncListPath, syncRecordPath, syncZonePath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { countListSearch, recordListSearch, recordSearch } from './sync-search.ts';

const menus = [Menu.dataShow];

export const syncPages: readonly PageEntry[] = [
  {
    path: syncListPath,
    menus,
    title: () => i18next.t('shell:syncTitle'),
    search: countListSearch,
    load: withTexts(() => import('./list/count-list-page.tsx'), 'sync', 'model'),
    palette: 'page',
  },
  {
    path: syncZonePath('$zoneId', '$zoneName', '$status'),
    menus,
    title: () => i18next.t('sync:detailTitle'),
    search: recordListSearch,
    load: withTexts(() => import('./zone/sync-zone-page.tsx'), 'sync', 'model'),
  },
  {
    path: syncRecordPath,
    menus,
    title: () => i18next.t('sync:recordTitle'),
    search: recordSearch,
    load: withTexts(() => import('./record/record-page.tsx'), 'sync', 'model'),
  },
];
