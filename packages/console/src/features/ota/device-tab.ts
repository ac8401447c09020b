import { permissions } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { FeatureTab } from '../../ui/page-entry.ts';

/** The upgrades tab of the device page. */
export const upgradesTab: FeatureTab = {
  key: 'upgrades',
  menus: permissions['ota:records'],
  title: () => i18next.t('shell:upgradesTab'),
  load: withTexts(() => import('./records/device-upgrades.tsx'), 'ota'),
};
