import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { qrPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { qrSearch } from './qr-search.ts';

export const qrPages: readonly PageEntry[] = [
  {
    path: qrPath('$deviceId'),
    menus: [Menu.deviceList, Menu.mockList],
    title: () => i18next.t('shell:qrCodeTitle'),
    search: qrSearch,
    load: withTexts(() => import('./qr-page.tsx'), 'qrCode'),
  },
];
