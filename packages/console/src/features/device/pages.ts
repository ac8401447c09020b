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
import type { FeatureTab, PageEntry } from '../../ui/page-entry.ts';
import { blackListSearch } from './black/black-search.ts';
import { deviceDetailSearch } from './detail/device-detail-search.ts';
import { deviceListSearch } from './list/device-search.ts';
import { registerSearch } from './register/register-search.ts';
import { rejectedListSearch } from './rejected/rejected-search.ts';

/** `tabs`: tabs that other features add to the device page. */
export const devicePages = (tabs: readonly FeatureTab[]): readonly PageEntry[] => [
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
    title: () => i18next.t('shell:rejectedListTitle'),
    search: rejectedListSearch,
    load: withTexts(() => import('./rejected/rejected-list-page.tsx'), 'device', 'rejected', 'deviceDetail'),
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
    // Every user who may list devices; the page checks further permissions itself.
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
