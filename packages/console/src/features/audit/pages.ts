import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { auditLogPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { auditListSearch } from './audit-search.ts';

export const auditPages: readonly PageEntry[] = [
  {
    path: auditLogPath,
    menus: [Menu.auditLog],
    title: () => i18next.t('audit:listTitle'),
    search: auditListSearch,
    load: withTexts(() => import('./audit-list-page.tsx'), 'auditActions', 'auditFields'),
    palette: 'page',
  },
];
