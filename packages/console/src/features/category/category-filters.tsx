import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useTenantFilter } from '../../api/choices.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { FilterBar, SegmentedFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { categoryListSearch } from './category-search.ts';

type CategoryList = ReturnType<typeof useListSearch<z.output<typeof categoryListSearch>>>;

export const CategoryFilters = ({ list: { search, filter, filtered, clear } }: { list: CategoryList }) => {
  const { t } = useTranslation('category');
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
      <SegmentedFilter<0 | 1>
        label={t('kind')}
        options={[
          { value: 1, label: t('standard') },
          { value: 0, label: t('custom') },
        ]}
        value={search.standard}
        onChange={(standard) => filter({ standard })}
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
