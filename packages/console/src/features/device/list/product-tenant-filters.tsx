import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { ProductFilter } from '../../../filters/product-filter.tsx';
import { TenantFilter } from '../../../filters/tenant-filter.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';

type Chosen = { productId?: string | undefined; tenancyId?: string | undefined };

type ProductTenantFiltersProps = {
  list: { search: Chosen; filter: (change: Chosen) => void; filtered: boolean; clear: () => void };
  /** The text search, which differs between lists. */
  textSearch: ComponentProps<typeof FilterBar>['search'];
};

export const ProductTenantFilters = ({ list, textSearch }: ProductTenantFiltersProps) => {
  const { t } = useTranslation('device');
  const { search, filter, filtered, clear } = list;
  return (
    <FilterBar filtered={filtered} onClear={clear} search={textSearch}>
      <ProductFilter
        label={t('product')}
        value={search.productId}
        tenancyId={search.tenancyId}
        onChange={(productId) => filter({ productId })}
      />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </FilterBar>
  );
};
