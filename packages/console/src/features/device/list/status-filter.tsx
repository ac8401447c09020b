import { deviceCalls } from '@device-center/contract';
import { Segmented } from 'antd';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { countText } from '../../../i18n/numbers.ts';
import { useFilterChip } from '../../../ui/filter-chips.tsx';
import type { DeviceList } from './device-filters.tsx';

type Choice = 'all' | 1 | 2;

/** Filters by presence, with the number of devices of each under the other active filters. */
export const StatusFilter = ({ list: { search, filter } }: { list: DeviceList }) => {
  const { t } = useTranslation(['device', 'common']);
  const { online, pageIndex: _page, pageSize: _size, sortField: _field, sortMode: _mode, ...rest } = search;
  const { data: counts } = useCall(deviceCalls.countDevices, rest, { keepPrevious: true });
  const label = online === undefined ? undefined : t(online === 1 ? 'device:online' : 'device:offline');
  useFilterChip(t('device:status'), label, () => filter({ online: undefined }));
  const option = (value: Choice, text: string, count: number | undefined) => ({
    value,
    label: (
      <span className="dc-segment">
        {text}
        {count !== undefined && <b>{countText(count)}</b>}
      </span>
    ),
  });
  return (
    <Segmented<Choice>
      aria-label={t('device:status')}
      value={online ?? 'all'}
      options={[
        option('all', t('common:all'), counts?.total),
        option(1, t('device:online'), counts?.online),
        option(2, t('device:offline'), counts?.offline),
      ]}
      onChange={(chosen) => filter({ online: chosen === 'all' ? undefined : chosen })}
    />
  );
};
