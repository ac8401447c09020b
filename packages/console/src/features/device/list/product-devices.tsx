import { type DeviceRow, deviceCalls } from '@device-center/contract';
import { useCall } from '../../../api/use-call.ts';
import { deviceParams } from '../../../filters/device-params.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { useListSearch } from '../../../ui/list-search.ts';
import { useDeviceColumns } from './device-columns.tsx';
import { DeviceFilters, type DeviceList } from './device-filters.tsx';
import { productDevicesSearch } from './device-search.ts';
import { useLivePresence } from './live-presence.ts';
import { NoDevices } from './no-devices.tsx';
import './device-list.css';

const { sortField: _sort, ...filters } = deviceParams;
const filterKeys = Object.keys(filters) as (keyof typeof filters)[];

/** Columns with the same value for every device of a product. */
const SHARED = new Set(['product', 'category', 'nodeType', 'protocol', 'tenant']);

const ProductDevices = ({ id: productId }: { id: string }) => {
  const page = useListSearch(productDevicesSearch);
  const { tab: _tab, ...own } = page.search;
  const search = { ...own, productId };
  const query = useCall(deviceCalls.queryDeviceList, search, { keepPrevious: true });
  useLivePresence();
  const list: DeviceList = {
    ...page,
    search,
    // Clearing stays on the tab.
    clear: () => page.filter(Object.fromEntries(filterKeys.map((key) => [key, undefined]))),
    filtered: filterKeys.some((key) => own[key] !== undefined),
  };
  return (
    <div className="dc-device-list">
      <DataTable<DeviceRow>
        id="productDevice"
        rowKey="deviceId"
        rowName={({ deviceName }) => deviceName}
        columns={useDeviceColumns().filter(({ key }) => !SHARED.has(key))}
        query={query}
        list={list}
        filters={<DeviceFilters list={list} ofProduct />}
        empty={<NoDevices register={false} />}
      />
    </div>
  );
};

export default ProductDevices;
