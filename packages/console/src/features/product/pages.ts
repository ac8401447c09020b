import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { productFormPath, productListPath, productPath } from '../../paths.ts';
import type { FeatureTab, PageEntry } from '../../ui/page-entry.ts';
import { productDetailSearch, productFormSearch, productListSearch } from './product-search.ts';

/** `tabs`: tabs that other features add to the product page. */
export const productPages = (tabs: readonly FeatureTab[]): readonly PageEntry[] => [
  {
    path: productListPath,
    menus: [Menu.productList],
    title: () => i18next.t('shell:productListTitle'),
    search: productListSearch,
    load: withTexts(() => import('./product-list-page.tsx'), 'product'),
    palette: 'page',
  },
  {
    path: productFormPath,
    menus: [Menu.productList],
    title: () => i18next.t('shell:addProductTitle'),
    search: productFormSearch,
    load: withTexts(() => import('./product-form-page.tsx'), 'product', 'model'),
    palette: { action: () => i18next.t('shell:addProductTitle'), to: productFormPath },
  },
  {
    path: productPath('$productId'),
    menus: [Menu.productList],
    title: () => i18next.t('product:detailTitle'),
    search: productDetailSearch,
    load: withTexts(() => import('./product-detail-page.tsx'), 'product', 'model'),
    tabs,
  },
];
