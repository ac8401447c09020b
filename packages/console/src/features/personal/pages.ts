import i18next from 'i18next';
import type { PageEntry } from '../../ui/page-entry.ts';
import { paths } from './paths.ts';

/** For every signed-in user; none of them is a first page after log-in, so only actions of the palette lead here. */
export const personalPages: readonly PageEntry[] = [
  {
    path: paths.center,
    menus: [],
    title: () => i18next.t('personal:centerTitle'),
    load: () => import('./person-center-page.tsx'),
    palette: { action: () => i18next.t('personal:centerTitle'), to: paths.center },
  },
  {
    path: paths.password,
    menus: [],
    title: () => i18next.t('personal:passwordTitle'),
    load: () => import('./update-password-page.tsx'),
    palette: { action: () => i18next.t('personal:passwordTitle'), to: paths.password },
  },
  {
    path: paths.email,
    menus: [],
    title: () => i18next.t('personal:emailChangeTitle'),
    load: () => import('./update-email-page.tsx'),
  },
  {
    path: paths.phone,
    menus: [],
    title: () => i18next.t('personal:phoneChangeTitle'),
    load: () => import('./update-phone-page.tsx'),
  },
  {
    path: paths.bindPhone,
    menus: [],
    title: () => i18next.t('personal:phoneBindTitle'),
    load: () => import('./bind-phone-page.tsx'),
  },
  {
    path: paths.destroy,
    menus: [],
    title: () => i18next.t('personal:destroyTitle'),
    load: () => import('./destroy-account-page.tsx'),
  },
];
