import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { BroughtTab } from '../../ui/page-entry.ts';

/** The upgrades tab of the device page. */
export const upgradesTab: BroughtTab = {
  key: 'upgrades',
  menus: permissions['ota:records'],
  title: () => i18next.t('shell:upgradesTab'),
  load: withTexts(() => import('./records/device-upgrades.tsx'), 'ota'),
};
