import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTenantChoices } from '../../api/choices.ts';
import { ChoiceFilter } from '../../ui/choice-select.tsx';
import { DayRangeFilter } from '../../ui/day-range-filter.tsx';
import { FilterBar, SelectFilter, TextFilter } from '../../ui/filter-bar.tsx';
import type { AuditList } from './audit-search.ts';
import { actionOptions } from './audit-texts.ts';

type AuditFiltersProps = { list: AuditList; byTenant: boolean };

export const AuditFilters = ({ list, byTenant }: AuditFiltersProps) => {
  const { t } = useTranslation('audit');
  const { search, filter } = list;
  const { from, to } = search;
  const actions = useMemo(actionOptions, []);
  const tenants = useTenantChoices(byTenant ? search.tenancyId : undefined);
  return (
    <FilterBar
      filtered={list.filtered}
      onClear={list.clear}
      search={{
        label: t('target'),
        value: search.target,
        onChange: useCallback((target: string) => filter({ target }), [filter]),
      }}
    >
      <TextFilter
        label={t('who')}
        value={search.username}
        onChange={useCallback((username: string) => filter({ username }), [filter])}
      />
      <SelectFilter
        label={t('action')}
        options={actions}
        value={search.action}
        onChange={(action) => filter({ action })}
      />
      {byTenant && (
        <ChoiceFilter
          label={t('tenant')}
          choices={tenants}
          value={search.tenancyId}
          onChange={(tenancyId) => filter({ tenancyId })}
        />
      )}
      <DayRangeFilter label={t('timeRange')} range={{ from, to }} onChange={(range) => filter(range)} />
    </FilterBar>
  );
};
