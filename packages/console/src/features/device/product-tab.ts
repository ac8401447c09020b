import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { BroughtTab } from '../../ui/page-entry.ts';

/** The devices of a product on its page, for those who may see the list of devices: with its filters and columns. */
export const devicesTab: BroughtTab = {
  key: 'devices',
  menus: permissions['device:list'],
  title: () => i18next.t('product:tabDevices'),
  load: withTexts(() => import('./list/product-devices.tsx'), 'device'),
};
