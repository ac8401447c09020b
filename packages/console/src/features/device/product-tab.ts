import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { FeatureTab } from '../../ui/page-entry.ts';

/** The device tab of the product page, with the filters and columns of the device list. */
export const devicesTab: FeatureTab = {
  key: 'devices',
  menus: permissions['device:list'],
  title: () => i18next.t('product:tabDevices'),
  load: withTexts(() => import('./list/product-devices.tsx'), 'device'),
};
