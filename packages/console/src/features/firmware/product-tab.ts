import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { FeatureTab } from '../../ui/page-entry.ts';

/** The firmware tab of the product page. */
export const firmwareTab: FeatureTab = {
  key: 'firmware',
  menus: permissions['firmware:list'],
  title: () => i18next.t('shell:firmwareTab'),
  load: withTexts(() => import('./list/product-versions.tsx'), 'firmware'),
};
