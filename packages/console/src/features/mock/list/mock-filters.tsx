import { onlineNames, optionsOf } from '@device-center/contract';
import { Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { NodeTypeFilter } from '../../../filters/kind-filters.tsx';
import { TenantFilter } from '../../../filters/tenant-filter.tsx';
import { currentLanguage } from '../../../i18n/language.ts';
import { ListFilterBar, SegmentedFilter } from '../../../ui/filter-bar.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { MockListSearch } from './mock-search.ts';

export type MockList = ReturnType<typeof useListSearch<MockListSearch>>;

/** Cards have no column headers to sort by. */
const SortSelect = ({ list: { search, turn } }: { list: MockList }) => {
  const { t } = useTranslation('mock');
  return (
    <Select<1 | 2>
      className="dc-filter-select"
      aria-label={t('sort')}
      value={search.sortMode ?? 2}
      options={[
        { value: 2, label: t('newestFirst') },
        { value: 1, label: t('oldestFirst') },
      ]}
      onChange={(sortMode) => turn({ sortField: 1, sortMode, pageIndex: 1 })}
    />
  );
};

export const MockFilters = ({ list }: { list: MockList }) => {
  const { t } = useTranslation('mock');
  const { search, filter } = list;
  const language = currentLanguage();
  return (
    <ListFilterBar label={t('searchLabel')} list={list}>
      <SegmentedFilter
        label={t('status')}
        options={optionsOf(onlineNames, [1, 2] as const, language)}
        value={search.online}
        onChange={(online) => filter({ online })}
      />
      <NodeTypeFilter label={t('nodeType')} value={search.nodeType} onChange={(nodeType) => filter({ nodeType })} />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
      {search.view === undefined && <SortSelect list={list} />}
    </ListFilterBar>
  );
};
