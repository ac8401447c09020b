import {
  nodeTypeIds,
  nodeTypes,
  optionsOf,
  productClasses,
  productClassIds,
  protocolIds,
  protocols,
} from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { useCategoryChoices, useTenantFilter } from '../../api/choices.ts';
import { currentLanguage } from '../../i18n/language.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { FilterBar, SelectFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { ProductListSearch } from './product-search.ts';

export type ProductList = ReturnType<typeof useListSearch<ProductListSearch>>;

export const ProductFilters = ({ list: { search, filter, filtered, clear } }: { list: ProductList }) => {
  const { t } = useTranslation('product');
  const language = currentLanguage();
  const categories = useCategoryChoices(search.categoryId);
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{
        label: t('searchLabel'),
        value: search.searchValue,
        onChange: (searchValue) => filter({ searchValue }),
      }}
    >
      <ChoiceFilter
        label={t('category')}
        choices={categories}
        value={search.categoryId}
        onChange={(categoryId) => filter({ categoryId })}
      />
      <SelectFilter
        label={t('nodeType')}
        options={optionsOf(nodeTypes, nodeTypeIds, language)}
        value={search.nodeType}
        onChange={(nodeType) => filter({ nodeType })}
      />
      <SelectFilter
        label={t('protocol')}
        options={optionsOf(protocols, protocolIds, language)}
        value={search.protocolId}
        onChange={(protocolId) => filter({ protocolId })}
      />
      <SelectFilter
        label={t('class')}
        options={optionsOf(productClasses, productClassIds, language)}
        value={search.classId}
        onChange={(classId) => filter({ classId })}
      />
      {tenants && (
        <ChoiceFilter
          label={t('tenant')}
          choices={tenants}
          value={search.tenancyId}
          onChange={(tenancyId) => filter({ tenancyId })}
        />
      )}
    </FilterBar>
  );
};
