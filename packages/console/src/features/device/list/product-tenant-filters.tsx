import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';

type Chosen = { productId?: string | undefined; tenancyId?: string | undefined };

type ProductTenantFiltersProps = {
  list: { search: Chosen; filter: (change: Chosen) => void; filtered: boolean; clear: () => void };
  /** What is typed: each list searches in its own way. */
  typed: ComponentProps<typeof FilterBar>['search'];
};

export const ProductTenantFilters = ({ list, typed }: ProductTenantFiltersProps) => {
  const { t } = useTranslation('device');
  const { search, filter, filtered, clear } = list;
  const products = useProductChoices(search.productId, { tenancyId: search.tenancyId });
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar filtered={filtered} onClear={clear} search={typed}>
      <ChoiceFilter
        label={t('product')}
        choices={products}
        value={search.productId}
        onChange={(productId) => filter({ productId })}
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
