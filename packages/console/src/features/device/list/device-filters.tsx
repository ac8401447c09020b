import { deviceCalls, zoneCalls } from '@device-center/contract';
import { ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { CategoryFilter } from '../../../filters/category-filter.tsx';
import { NodeTypeFilter, ProtocolFilter } from '../../../filters/kind-filters.tsx';
import { ProductFilter } from '../../../filters/product-filter.tsx';
import { TenantFilter } from '../../../filters/tenant-filter.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceFilter } from '../../../ui/choice-select.tsx';
import { ListFilterBar, SelectFilter, TextFilter } from '../../../ui/filter-bar.tsx';
import { useFilterChip } from '../../../ui/filter-chips.tsx';
import type { useListSearch } from '../../../ui/list-search.ts';
import { useMobile } from '../../../ui/media.ts';
import { absoluteText } from '../../../ui/relative-time.tsx';
import type { DeviceListSearch } from './device-search.ts';
import { StatusFilter } from './status-filter.tsx';
import { useApplicationFilter } from './use-application-filter.ts';

export type DeviceList = ReturnType<typeof useListSearch<DeviceListSearch>>;
type FilterProps = { list: DeviceList };
type OfProduct = {
  /** On a product page: hides filters by what all its devices share. */
  ofProduct?: boolean;
};

/** The gateway filter is set by a link. It has no input, so a chip shows and removes it. */
const ParentChip = ({ list: { search, filter } }: FilterProps) => {
  const { t } = useTranslation('device');
  const { parentId = '' } = search;
  const { data } = useCall(deviceCalls.getDeviceDetails, { deviceId: parentId }, { enabled: parentId !== '' });
  useFilterChip(t('gateway'), data?.deviceName ?? parentId, () => filter({ parentId: undefined }));
  return null;
};

/** Also set by a link, of the home page. It has no input, so a button shows and removes it. */
const PresenceSince = ({ list: { search, filter } }: FilterProps) => {
  const { t } = useTranslation(['device', 'common']);
  const { presenceSince } = search;
  const label = t('device:presenceSince');
  const time = presenceSince === undefined ? undefined : absoluteText(presenceSince);
  const clear = () => filter({ presenceSince: undefined });
  useFilterChip(label, time, clear);
  if (time === undefined) return null;
  return (
    <div className="dc-filter-chips">
      <Button
        size="small"
        icon={<X size={13} aria-hidden />}
        aria-label={t('common:removeFilter', { filter: `${label}: ${time}` })}
        onClick={clear}
      >
        {label} {time}
      </Button>
    </div>
  );
};

const BasicFilters = ({ list: { search, filter }, ofProduct }: FilterProps & OfProduct) => {
  const { t } = useTranslation('device');
  const { tenancyId } = search;
  const applications = useApplicationFilter(search.applicationId, tenancyId);
  return (
    <>
      {!ofProduct && (
        <ProductFilter
          label={t('product')}
          value={search.productId}
          tenancyId={tenancyId}
          onChange={(productId) => filter({ productId })}
        />
      )}
      <ChoiceFilter
        label={t('application')}
        choices={applications}
        value={search.applicationId}
        onChange={(applicationId) => filter({ applicationId })}
      />
      {!ofProduct && (
        <CategoryFilter
          label={t('category')}
          value={search.categoryId}
          onChange={(categoryId) => filter({ categoryId })}
        />
      )}
    </>
  );
};

const ZONES_SHOWN = 200;

const ZoneFilter = ({ list: { search, filter } }: FilterProps) => {
  const { t } = useTranslation('device');
  const { data } = useCall(zoneCalls.queryZoneList, { zoneType: 1, pageSize: ZONES_SHOWN }, { staleTime: 60_000 });
  return (
    <SelectFilter<number>
      label={t('zone')}
      options={(data?.list ?? []).map(({ id, zoneName }) => ({ value: id, label: zoneName }))}
      value={search.haZoneId}
      onChange={(haZoneId) => filter({ haZoneId })}
    />
  );
};

const MoreFilters = ({ list, ofProduct }: FilterProps & OfProduct) => {
  const { t } = useTranslation('device');
  const { search, filter } = list;
  return (
    <>
      {!ofProduct && (
        <>
          <NodeTypeFilter label={t('nodeType')} value={search.nodeType} onChange={(nodeType) => filter({ nodeType })} />
          <ProtocolFilter
            label={t('protocol')}
            value={search.protocolId}
            onChange={(protocolId) => filter({ protocolId })}
          />
        </>
      )}
      <TextFilter label={t('deviceId')} value={search.deviceId} onChange={(deviceId) => filter({ deviceId })} />
      <TextFilter label={t('deviceName')} value={search.deviceName} onChange={(deviceName) => filter({ deviceName })} />
      <TextFilter label="MAC" value={search.mac} onChange={(mac) => filter({ mac })} />
      <ZoneFilter list={list} />
      {!ofProduct && (
        <TenantFilter label={t('tenant')} value={search.tenancyId} onChange={(tenancyId) => filter({ tenancyId })} />
      )}
    </>
  );
};

const advancedKeys = ['nodeType', 'protocolId', 'deviceId', 'deviceName', 'mac', 'haZoneId', 'tenancyId'] as const;

export const DeviceFilters = ({ list, ofProduct = false }: FilterProps & OfProduct) => {
  const { t } = useTranslation('device');
  const mobile = useMobile();
  const advancedActive = advancedKeys.some((key) => list.search[key] !== undefined);
  const [expanded, setExpanded] = useState(false);
  const more = mobile || expanded || advancedActive;
  return (
    <div className="dc-device-filters">
      <StatusFilter list={list} />
      <ListFilterBar label={t('searchLabel')} list={list}>
        <BasicFilters list={list} ofProduct={ofProduct} />
        {!mobile && !advancedActive && (
          <Button
            type="text"
            aria-expanded={expanded}
            icon={<ChevronDown className="dc-more-filters" data-open={expanded} size={15} aria-hidden />}
            iconPlacement="end"
            onClick={() => setExpanded(!expanded)}
          >
            {t('moreFilters')}
          </Button>
        )}
        {more && <MoreFilters list={list} ofProduct={ofProduct} />}
        <ParentChip list={list} />
      </ListFilterBar>
      <PresenceSince list={list} />
    </div>
  );
};
