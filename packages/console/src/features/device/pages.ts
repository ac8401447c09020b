import { Menu, permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import {
  blackListPath,
  deviceListPath,
  devicePath,
  realTimeLogPath,
  refusedListPath,
  registerPath,
} from '../../paths.ts';
import type { BroughtTab, PageEntry } from '../../ui/page-entry.ts';
import { blackListSearch } from './black/black-search.ts';
import { deviceDetailSearch } from './detail/device-detail-search.ts';
import { deviceListSearch } from './list/device-search.ts';
import { registerSearch } from './register/register-search.ts';
import { refusedListSearch } from './rejected/rejected-search.ts';

/** `tabs`: what other slices show on the page of a device. */
export const devicePages = (tabs: readonly BroughtTab[]): readonly PageEntry[] => [
  {
    path: deviceListPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('shell:deviceListTitle'),
    search: deviceListSearch,
    load: withTexts(() => import('./list/device-list-page.tsx'), 'device'),
    palette: 'page',
  },
  {
    path: blackListPath,
    menus: [Menu.blackDeviceList],
    title: () => i18next.t('shell:blackListTitle'),
    search: blackListSearch,
    load: withTexts(() => import('./black/black-list-page.tsx'), 'device'),
    palette: 'page',
  },
  {
    path: refusedListPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('shell:refusedListTitle'),
    search: refusedListSearch,
    load: withTexts(() => import('./rejected/rejected-list-page.tsx'), 'device', 'refused', 'deviceDetail'),
    palette: 'page',
  },
  {
    path: registerPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('shell:registerTitle'),
    search: registerSearch,
    load: withTexts(() => import('./register/register-page.tsx'), 'device'),
    palette: { action: () => i18next.t('shell:registerTitle'), to: registerPath },
  },
  {
    path: devicePath('$deviceId'),
    // Whoever may read the list; what they may do there the page decides.
    menus: permissions['device:list'],
    title: () => i18next.t('device:detailTitle'),
    search: deviceDetailSearch,
    load: withTexts(() => import('./detail/device-detail-page.tsx'), 'device', 'deviceDetail', 'model'),
    tabs,
  },
  {
    path: realTimeLogPath('$deviceId'),
    menus: [Menu.deviceList],
    title: () => i18next.t('device:realTimeLog'),
    load: withTexts(() => import('./log/real-time-log-page.tsx'), 'device', 'deviceDetail'),
  },
];
