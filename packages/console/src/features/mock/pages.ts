import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { mockFormPath, mockListPath, mockPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { addMockSearch } from './create/add-mock-search.ts';
import { mockListSearch } from './list/mock-search.ts';

export const mockPages: readonly PageEntry[] = [
  {
    path: mockListPath,
    menus: [Menu.mockList],
    title: () => i18next.t('shell:mockListTitle'),
    search: mockListSearch,
    load: withTexts(() => import('./list/mock-list-page.tsx'), 'mock'),
    palette: 'page',
  },
  {
    path: mockFormPath,
    menus: [Menu.mockList],
    title: () => i18next.t('shell:addMockTitle'),
    search: addMockSearch,
    load: withTexts(() => import('./create/add-mock-page.tsx'), 'mock'),
    palette: { action: () => i18next.t('shell:addMockTitle'), to: mockFormPath },
  },
  {
    path: mockPath('$deviceId'),
    menus: [Menu.mockList],
    title: () => i18next.t('shell:mockPanelTitle'),
    load: withTexts(
      () => import('./panel/mock-panel-page.tsx'),
      'mock',
      'mockPanel',
      'mockTabs',
      'deviceDetail',
      'model',
    ),
  },
];
