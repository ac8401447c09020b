import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { zoneFormPath, zoneListPath, zonePath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { zoneFormSearch, zoneListSearch } from './zone-search.ts';

export const zonePages: readonly PageEntry[] = [
  {
    path: zoneListPath,
    menus: [Menu.availableList],
    title: () => i18next.t('shell:zoneListTitle'),
    search: zoneListSearch,
    load: withTexts(() => import('./list/zone-list-page.tsx'), 'zone'),
    palette: 'page',
  },
  {
    path: zoneFormPath,
    menus: [Menu.availableList],
    title: () => i18next.t('shell:addZoneTitle'),
    search: zoneFormSearch,
    load: withTexts(() => import('./form/zone-form-page.tsx'), 'zone', 'zoneForm'),
    palette: { action: () => i18next.t('shell:addZoneTitle'), to: zoneFormPath },
  },
  {
    path: zonePath('$id'),
    menus: [Menu.availableList],
    title: () => i18next.t('zone:detailTitle'),
    load: withTexts(() => import('./detail/zone-detail-page.tsx'), 'zone'),
  },
];
