import { Menu } from '@device-center/contract';
import i18next from 'i18next';
import { withTexts } from '../../i18n/lazy.ts';
import { categoryFormPath, categoryListPath, categoryPath } from '../../paths.ts';
import type { PageEntry } from '../../ui/page-entry.ts';
import { categoryFormSearch, categoryListSearch } from './category-search.ts';

export const categoryPages: readonly PageEntry[] = [
  {
    path: categoryListPath,
    menus: [Menu.categoryList],
    title: () => i18next.t('category:listTitle'),
    search: categoryListSearch,
    load: () => import('./category-list-page.tsx'),
    palette: 'page',
  },
  {
    path: categoryFormPath,
    menus: [Menu.categoryList],
    title: () => i18next.t('category:addTitle'),
    search: categoryFormSearch,
    load: () => import('./category-form-page.tsx'),
    palette: { action: () => i18next.t('category:addTitle'), to: categoryFormPath },
  },
  {
    path: categoryPath('$categoryId', '$categoryName'),
    // Users who create products need to see the functions of a category.
    menus: [Menu.categoryList, Menu.productList],
    title: () => i18next.t('category:detailTitle'),
    load: withTexts(() => import('./category-detail-page.tsx'), 'model'),
  },
];
