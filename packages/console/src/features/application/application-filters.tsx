import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { useTenantFilter } from '../../api/choices.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { EnabledFilter, FilterBar } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { applicationListSearch } from './application-search.ts';

type ApplicationList = ReturnType<typeof useListSearch<z.output<typeof applicationListSearch>>>;

export const ApplicationFilters = ({ list: { search, filter, filtered, clear } }: { list: ApplicationList }) => {
  const { t } = useTranslation(['application', 'common']);
  const tenants = useTenantFilter(search.tenancyId);
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{
        label: t('application:nameOrId'),
        value: search.searchValue,
        onChange: (searchValue) => filter({ searchValue }),
      }}
    >
      {tenants && (
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
