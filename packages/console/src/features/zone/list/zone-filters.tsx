import { useTranslation } from 'react-i18next';
import { EnabledFilter, FilterBar, SegmentedFilter } from '../../../ui/filter-bar.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import type { ZoneListSearch } from '../zone-search.ts';

type ZoneList = ReturnType<typeof useListSearch<ZoneListSearch>>;

export const ZoneFilters = ({ list: { search, filter, filtered, clear } }: { list: ZoneList }) => {
  const { t } = useTranslation('zone');
  return (
    <FilterBar
      filtered={filtered}
      onClear={clear}
      search={{ label: t('zoneName'), value: search.zoneName, onChange: (zoneName) => filter({ zoneName }) }}
    >
      <EnabledFilter label={t('status')} value={search.status} onChange={(status) => filter({ status })} />
      <SegmentedFilter
        label={t('zoneType')}
        options={([1, 2] as const).map((value) => ({ value, label: t(`type_${value}`) }))}
        value={search.zoneType}
        onChange={(zoneType) => filter({ zoneType })}
      />
    </FilterBar>
  );
};
