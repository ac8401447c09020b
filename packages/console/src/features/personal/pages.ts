import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { personPaths } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';

/** For every logged-in user. None can be the landing page after login, so the palette lists them as actions. */
export const personalPages: readonly PageEntry[] = [
  {
    path: personPaths.center,
    menus: [],
    title: () => i18next.t('shell:personCenter'),
    load: withTexts(() => import('./person-center-page.tsx'), 'personal', 'quota'),
    palette: { action: () => i18next.t('shell:personCenter'), to: personPaths.center },
  },
  {
    path: personPaths.password,
    menus: [],
    title: () => i18next.t('shell:passwordTitle'),
    load: withTexts(() => import('./update-password-page.tsx'), 'personal'),
    palette: { action: () => i18next.t('shell:passwordTitle'), to: personPaths.password },
  },
  {
    path: personPaths.email,
    menus: [],
    title: () => i18next.t('personal:emailChangeTitle'),
    load: withTexts(() => import('./update-email-page.tsx'), 'personal'),
  },
  {
    path: personPaths.phone,
    menus: [],
    title: () => i18next.t('personal:phoneChangeTitle'),
    load: withTexts(() => import('./update-phone-page.tsx'), 'personal'),
  },
  {
    path: personPaths.bindPhone,
    menus: [],
    title: () => i18next.t('personal:phoneBindTitle'),
    load: withTexts(() => import('./bind-phone-page.tsx'), 'personal'),
  },
  {
    path: personPaths.destroy,
    menus: [],
    title: () => i18next.t('personal:destroyTitle'),
    load: withTexts(() => import('./destroy-account-page.tsx'), 'personal'),
  },
];
