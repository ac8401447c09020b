import { useTranslation } from 'react-i18next';
import { useTenantFilter } from '../../../api/choices.ts';
import { useProductChoices } from '../../../api/product-choices.ts';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { FilterBar } from '../../../ui/filter-bar.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { VersionListSearch } from '../firmware-paths.ts';

type VersionList = ReturnType<typeof useListSearch<VersionListSearch>>;

export const VersionFilters = ({ list: { search, filter, filtered, clear } }: { list: VersionList }) => {
  const { t } = useTranslation('firmware');
  const { tenancyId, productId } = search;
  const products = useProductChoices(productId, { tenancyId });
  const tenants = useTenantFilter(tenancyId);
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
        label={t('product')}
        choices={products}
        value={productId}
        onChange={(chosen) => filter({ productId: chosen })}
      />
      {tenants && (
        <ChoiceFilter
          label={t('tenant')}
          choices={tenants}
          value={tenancyId}
          // A product of another tenant would leave nothing in the list.
          onChange={(chosen) => filter({ tenancyId: chosen, productId: undefined })}
        />
      )}
    </FilterBar>
  );
};
