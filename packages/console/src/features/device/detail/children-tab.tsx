import { type DeviceDetails, type DeviceRow, deviceCalls } from '@device-center/contract';
import { Cpu } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { useDeviceColumns } from '../list/device-columns.tsx';
import '../list/device-list.css';
import { type DetailList, tabList } from './tab-list.ts';

type ChildrenTabProps = { device: DeviceDetails; list: DetailList };

const ChildrenTab = ({ device: { deviceId }, list }: ChildrenTabProps) => {
  const { t } = useTranslation('deviceDetail');
  const { pageIndex, pageSize, sortField, sortMode } = list.search;
  const query = useCall(
    deviceCalls.queryDeviceList,
    { parentId: deviceId, pageIndex, pageSize, sortField, sortMode },
    { keepPrevious: true },
  );
  return (
    <DataTable<DeviceRow>
      id="deviceChildren"
      rowKey="deviceId"
      rowName={({ deviceName }) => deviceName}
      columns={useDeviceColumns()}
      query={query}
      list={tabList(list, [])}
      empty={<EmptyState icon={<Cpu size={22} />} title={t('childrenEmpty')} text={t('childrenEmptyText')} />}
    />
  );
};

export default ChildrenTab;
