import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { versionListPath, versionPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { versionFormSearch, versionListSearch } from './firmware-search.ts';

export const firmwarePages: readonly PageEntry[] = [
  {
    path: versionListPath,
    menus: [Menu.softwareVersion],
    title: () => i18next.t('shell:versionListTitle'),
    search: versionListSearch,
    load: withTexts(() => import('./list/version-list-page.tsx'), 'firmware'),
    palette: 'page',
  },
  {
    path: versionPath('$versionId', '$status'),
    menus: [Menu.softwareVersion],
    title: () => i18next.t('shell:addVersionTitle'),
    search: versionFormSearch,
    load: withTexts(() => import('./form/version-form-page.tsx'), 'firmware'),
    palette: { action: () => i18next.t('shell:addVersionTitle'), to: versionPath('0', 0) },
  },
];
