import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import type { PageEntry } from '../../ui/page-entry.ts';
import {
  productDetailSearch,
  productFormPath,
  productFormSearch,
  productListPath,
  productListSearch,
  productPath,
} from './product-search.ts';

export const productPages: readonly PageEntry[] = [
  {
    path: productListPath,
    menus: [Menu.productList],
    title: () => i18next.t('product:listTitle'),
    search: productListSearch,
    load: () => import('./product-list-page.tsx'),
    palette: 'page',
  },
  {
    path: productFormPath,
    menus: [Menu.productList],
    title: () => i18next.t('product:addTitle'),
    search: productFormSearch,
    load: () => import('./product-form-page.tsx'),
    palette: { action: () => i18next.t('product:addTitle'), to: productFormPath },
  },
  {
    path: productPath('$productId'),
    menus: [Menu.productList],
    title: () => i18next.t('product:detailTitle'),
    search: productDetailSearch,
    load: () => import('./product-detail-page.tsx'),
  },
];
