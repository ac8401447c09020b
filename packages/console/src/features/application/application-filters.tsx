import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { EnabledFilter, ListFilterBar } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { applicationListSearch } from './application-search.ts';

type ApplicationList = ReturnType<typeof useListSearch<z.output<typeof applicationListSearch>>>;

export const ApplicationFilters = ({ list }: { list: ApplicationList }) => {
  const { search, filter } = list;
  const { t } = useTranslation(['application', 'common']);
  return (
    <ListFilterBar label={t('application:nameOrId')} list={list}>
      <TenantFilter
        label={t('application:tenant')}
        value={search.tenancyId}
        onChange={(tenancyId) => filter({ tenancyId })}
      />
      <EnabledFilter
        label={t('application:status')}
        value={search.enabled}
        onChange={(enabled) => filter({ enabled })}
      />
    </ListFilterBar>
  );
};
