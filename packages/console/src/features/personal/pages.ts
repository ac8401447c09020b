import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { paths } from './paths.ts';

/** For every signed-in user; none of them is a first page after log-in, so only actions of the palette lead here. */
export const personalPages: readonly PageEntry[] = [
  {
    path: paths.center,
    menus: [],
    title: () => i18next.t('shell:personCenter'),
    load: withTexts(() => import('./person-center-page.tsx'), 'personal'),
    palette: { action: () => i18next.t('shell:personCenter'), to: paths.center },
  },
  {
    path: paths.password,
    menus: [],
    title: () => i18next.t('shell:passwordTitle'),
    load: withTexts(() => import('./update-password-page.tsx'), 'personal'),
    palette: { action: () => i18next.t('shell:passwordTitle'), to: paths.password },
  },
  {
    path: paths.email,
    menus: [],
    title: () => i18next.t('personal:emailChangeTitle'),
    load: withTexts(() => import('./update-email-page.tsx'), 'personal'),
  },
  {
    path: paths.phone,
    menus: [],
    title: () => i18next.t('personal:phoneChangeTitle'),
    load: withTexts(() => import('./update-phone-page.tsx'), 'personal'),
  },
  {
    path: paths.bindPhone,
    menus: [],
    title: () => i18next.t('personal:phoneBindTitle'),
    load: withTexts(() => import('./bind-phone-page.tsx'), 'personal'),
  },
  {
    path: paths.destroy,
    menus: [],
    title: () => i18next.t('personal:destroyTitle'),
    load: withTexts(() => import('./destroy-account-page.tsx'), 'personal'),
  },
];
