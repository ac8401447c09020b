import { type DeviceRow, type ProductRow, productCalls } from '@device-center/contract';
import { Cpu } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useCan } from '../../api/session.ts';
import { useCall } from '../../api/use-call.ts';
import { devicePath } from '../../paths.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { nameColumn } from '../../ui/list-columns.tsx';
import type { useListSearch } from '../../ui/list-search.ts';
import { NameCell } from '../../ui/name-cell.tsx';
import { PresenceDot } from '../../ui/presence-dot.tsx';
import { Link } from '../../ui/routing.ts';
import { EmptyState } from '../../ui/states.tsx';
import { timeColumns } from '../../ui/time-columns.tsx';
import type { ProductDetailSearch } from './product-search.ts';

const useDeviceColumns = (): Column<DeviceRow>[] => {
  const { t } = useTranslation(['product', 'common']);
  const mayDevices = useCan('device:list');
  return useMemo(
    () => [
      nameColumn({
        title: t('product:deviceName'),
        render: ({ deviceId, deviceName, mock }) => (
          <NameCell id={deviceId} name={deviceName}>
            <span>
              {mayDevices ? <Link to={devicePath(deviceId)}>{deviceName}</Link> : deviceName}{' '}
              {mock === 1 && <span className="dc-tag">{t('product:mock')}</span>}
            </span>
          </NameCell>
        ),
      }),
      {
        key: 'online',
        title: t('product:deviceOnline'),
        width: 110,
        mobile: true,
        render: ({ online, onlineName }) => <PresenceDot online={online === 1}>{onlineName}</PresenceDot>,
      },
      {
        key: 'version',
        title: t('product:deviceVersion'),
        width: 130,
        render: ({ versionNumber }) => <span className="dc-mono">{versionNumber || '—'}</span>,
      },
      {
        key: 'application',
        title: t('product:deviceApplication'),
        width: 160,
        render: ({ applicationName }) => applicationName,
      },
      ...timeColumns<DeviceRow>(),
    ],
    [t, mayDevices],
  );
};

type DevicesTabProps = { product: ProductRow; list: ReturnType<typeof useListSearch<ProductDetailSearch>> };

export const DevicesTab = ({ product, list }: DevicesTabProps) => {
  const { t } = useTranslation('product');
  const { pageIndex, pageSize, sortField, sortMode } = list.search;
  const { productId } = product;
  const query = useCall(
    productCalls.getProductDevices,
    // This call supports fewer sort fields than the device list.
    { productId, pageIndex, pageSize, sortField: sortField === 2 ? 2 : 1, sortMode },
    { keepPrevious: true },
  );
  return (
    <DataTable<DeviceRow>
      id="productDevice"
      rowKey="deviceId"
      rowName={({ deviceName }) => deviceName}
      columns={useDeviceColumns()}
      query={query}
      // The other search parameters of the page are not filters of this list.
      list={{ ...list, filtered: false }}
      empty={
        <EmptyState
          icon={<Cpu size={22} />}
          title={t('devicesEmptyTitle')}
          text={t(product.allowRegister === 1 ? 'devicesEmptyRegister' : 'devicesEmpty')}
        />
      }
    />
  );
};
