import { optionsOf, productClasses, productClassIds } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { CategoryFilter } from '../../filters/category-filter.tsx';
import { NodeTypeFilter, ProtocolFilter } from '../../filters/kind-filters.tsx';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { currentLanguage } from '../../i18n/language.ts';
import { ListFilterBar, SelectFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { ProductListSearch } from './product-search.ts';

export type ProductList = ReturnType<typeof useListSearch<ProductListSearch>>;

export const ProductFilters = ({ list }: { list: ProductList }) => {
  const { search, filter } = list;
  const { t } = useTranslation('product');
  const language = currentLanguage();
  return (
    <ListFilterBar label={t('searchLabel')} list={list}>
      <CategoryFilter
        label={t('category')}
        value={search.categoryId}
        onChange={(categoryId) => filter({ categoryId })}
      />
      <NodeTypeFilter label={t('nodeType')} value={search.nodeType} onChange={(nodeType) => filter({ nodeType })} />
      <ProtocolFilter
        label={t('protocol')}
        value={search.protocolId}
        onChange={(protocolId) => filter({ protocolId })}
      />
      <SelectFilter
        label={t('class')}
        options={optionsOf(productClasses, productClassIds, language)}
        value={search.classId}
        onChange={(classId) => filter({ classId })}
      />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </ListFilterBar>
  );
};
