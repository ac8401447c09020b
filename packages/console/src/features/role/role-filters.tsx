import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { DayRangeFilter } from '../../ui/day-range-filter.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { roleListSearch } from './role-search.ts';

type RoleList = ReturnType<typeof useListSearch<z.output<typeof roleListSearch>>>;

export const RoleFilters = ({ list: { search, filter, filtered, clear } }: { list: RoleList }) => {
  const { t } = useTranslation(['role', 'common']);
  const { from, to } = search;
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{ label: t('role:roleName'), value: search.roleName, onChange: (roleName) => filter({ roleName }) }}
    >
      <DayRangeFilter label={t('common:createTime')} range={{ from, to }} onChange={filter} />
      <TenantFilter label={t('role:tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </FilterBar>
  );
};
