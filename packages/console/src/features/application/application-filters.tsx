import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useTenantChoices } from '../../api/choices.ts';
import { usePlatformOperator } from '../../api/platform-operator.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { EnabledFilter, FilterBar, TextFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { applicationListSearch } from './application-search.ts';

type ApplicationList = ReturnType<typeof useListSearch<z.output<typeof applicationListSearch>>>;

export const ApplicationFilters = ({ list: { search, filter, filtered, clear } }: { list: ApplicationList }) => {
  const { t } = useTranslation(['application', 'common']);
  const operator = usePlatformOperator();
  const tenants = useTenantChoices(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={
        <TextFilter
          label={t('application:nameOrId')}
          value={search.searchValue}
          onChange={(searchValue) => filter({ searchValue })}
        />
      }
    >
      {operator && (
        <ChoiceFilter
          label={t('application:tenant')}
          choices={tenants}
          value={search.tenancyId}
          onChange={(tenancyId) => filter({ tenancyId })}
        />
      )}
      <EnabledFilter
        label={t('application:status')}
        value={search.enabled}
        onChange={(enabled) => filter({ enabled })}
      />
    </FilterBar>
  );
};
