import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { BroughtTab } from '../../ui/page-entry.ts';

/** What the page of a product shows of its firmware. */
export const firmwareTab: BroughtTab = {
  key: 'firmware',
  menus: permissions['firmware:list'],
  title: () => i18next.t('shell:firmwareTab'),
  load: withTexts(() => import('./list/product-versions.tsx'), 'firmware'),
};
