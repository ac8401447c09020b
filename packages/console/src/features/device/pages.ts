import { Menu, permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { blackListPath, blackListSearch } from './black/black-search.ts';
import { deviceDetailSearch, realTimeLogPath } from './detail/device-detail-search.ts';
import { deviceListPath, deviceListSearch, devicePath } from './list/device-search.ts';
import { refusedListPath, refusedListSearch } from './refused/refused-search.ts';
import { registerPath, registerSearch } from './register/register-search.ts';

export const devicePages: readonly PageEntry[] = [
  {
    path: deviceListPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('device:listTitle'),
    search: deviceListSearch,
    load: () => import('./list/device-list-page.tsx'),
    palette: 'page',
  },
  {
    path: blackListPath,
    menus: [Menu.blackDeviceList],
    title: () => i18next.t('device:blackTitle'),
    search: blackListSearch,
    load: () => import('./black/black-list-page.tsx'),
    palette: 'page',
  },
  {
    path: refusedListPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('device:refusedLogins'),
    search: refusedListSearch,
    load: withTexts(() => import('./refused/refused-list-page.tsx'), 'refused'),
    palette: 'page',
  },
  {
    path: registerPath,
    menus: [Menu.deviceList],
    title: () => i18next.t('device:registerTitle'),
    search: registerSearch,
    load: () => import('./register/register-page.tsx'),
    palette: { action: () => i18next.t('device:registerTitle'), to: registerPath },
  },
  {
    path: devicePath('$deviceId'),
    // Whoever may read the list; what they may do there the page decides.
    menus: permissions['device:list'],
    title: () => i18next.t('device:detailTitle'),
    search: deviceDetailSearch,
    load: withTexts(() => import('./detail/device-detail-page.tsx'), 'deviceDetail'),
  },
  {
    path: realTimeLogPath('$deviceId'),
    menus: [Menu.deviceList],
    title: () => i18next.t('device:realTimeLog'),
    load: withTexts(() => import('./log/real-time-log-page.tsx'), 'deviceDetail'),
  },
];
