import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { useCan } from '../../api/session.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { FilterBar, SegmentedFilter, TextFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { categoryListSearch } from './category-search.ts';

type CategoryList = ReturnType<typeof useListSearch<z.output<typeof categoryListSearch>>>;

export const CategoryFilters = ({ list: { search, filter, filtered, clear } }: { list: CategoryList }) => {
  const { t } = useTranslation('category');
  const mayTenants = useCan('tenancy:list');
  const operator = usePlatformOperator();
  const tenants = useTenantChoices(mayTenants ? search.tenancyId : undefined);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={
        <TextFilter
          label={t('searchLabel')}
          value={search.searchValue}
          onChange={(searchValue) => filter({ searchValue })}
        />
      }
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
      {operator && mayTenants && (
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
