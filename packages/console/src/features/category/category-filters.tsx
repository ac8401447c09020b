import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { TenantFilter } from '../../filters/tenant-filter.tsx';
import { ListFilterBar, SegmentedFilter } from '../../ui/filter-bar.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import type { categoryListSearch } from './category-search.ts';

type CategoryList = ReturnType<typeof useListSearch<z.output<typeof categoryListSearch>>>;

export const CategoryFilters = ({ list }: { list: CategoryList }) => {
  const { search, filter } = list;
  const { t } = useTranslation('category');
  return (
    <ListFilterBar label={t('searchLabel')} list={list}>
      <SegmentedFilter<0 | 1>
        label={t('kind')}
        options={[
          { value: 1, label: t('standard') },
          { value: 0, label: t('custom') },
        ]}
        value={search.standard}
        onChange={(standard) => filter({ standard })}
      />
      <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
    </ListFilterBar>
  );
};
