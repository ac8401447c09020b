import { type DeviceRow, DeviceSortField, deviceAttributeNames } from '@device-center/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { usePlatformOperator } from '../../../api/platform-operator.ts';
import { useCan } from '../../../api/session.ts';
import { attributeLabel } from '../../../i18n/attribute-label.ts';
import { deviceListPath, devicePath, productPath } from '../../../paths.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { nameColumn, statusColumn, tenantColumns } from '../../../ui/list-columns.tsx';
import { NameCell } from '../../../ui/name-cell.tsx';
import { ReceivedTag } from '../../../ui/received-tag.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Link } from '../../../ui/routing.ts';
import { timeColumns } from '../../../ui/time-columns.tsx';
import { attributeValue } from '../device-attributes.tsx';
import { OfflineCause, Presence, RestrictionBadges } from './device-badges.tsx';

type NamedDevice = Pick<DeviceRow, 'deviceId' | 'deviceName' | 'mock' | 'childCount' | 'received'>;

/** Name and id; a gateway is linked to its child devices. */
export const DeviceName = ({ device }: { device: NamedDevice }) => {
  const { t } = useTranslation('device');
  const { deviceId, deviceName, mock, childCount } = device;
  return (
    <NameCell id={deviceId} name={deviceName}>
      <span className="dc-marked-name">
        <Link to={devicePath(deviceId)}>{deviceName}</Link>
        {mock === 1 && <span className="dc-tag">{t('mock')}</span>}
        <ReceivedTag of={device} />
        {childCount > 0 && (
          <Link
            className="dc-device-children"
            to={deviceListPath}
            search={{ parentId: deviceId }}
            aria-label={t('childrenOf', { name: deviceName, count: childCount })}
          >
            {t('children', { count: childCount })}
          </Link>
        )}
      </span>
    </NameCell>
  );
};

const ProductName = ({ device: { productId, productName } }: { device: DeviceRow }) => {
  const mayReadProducts = useCan('product:read');
  return mayReadProducts ? <Link to={productPath(productId)}>{productName}</Link> : productName;
};

export const useDeviceColumns = (): Column<DeviceRow>[] => {
  const { t } = useTranslation('device');
  const operator = usePlatformOperator();
  return useMemo(
    () => [
      {
        ...nameColumn<DeviceRow>({ title: t('nameAndId'), render: (device) => <DeviceName device={device} /> }),
        sortField: DeviceSortField.deviceName,
        ascendsFirst: true,
      },
      statusColumn({
        title: t('status'),
        width: 160,
        render: (device) => (
          <div className="dc-device-status">
            <Presence device={device} />
            <RestrictionBadges device={device} />
            <OfflineCause device={device} />
          </div>
        ),
      }),
      { key: 'product', title: t('product'), width: 160, render: (device) => <ProductName device={device} /> },
      { key: 'category', title: t('category'), width: 130, optional: true, render: ({ categoryName }) => categoryName },
      { key: 'nodeType', title: t('nodeType'), width: 110, optional: true, render: ({ nodeTypeName }) => nodeTypeName },
      { key: 'protocol', title: t('protocol'), width: 96, optional: true, render: ({ protocolName }) => protocolName },
      {
        key: 'firmware',
        title: t('firmware'),
        width: 110,
        sortField: DeviceSortField.versionNumber,
        render: ({ versionNumber }) => <span className="dc-mono">{versionNumber || '—'}</span>,
      },
      { key: 'application', title: t('application'), width: 140, render: ({ applicationName }) => applicationName },
      ...deviceAttributeNames.map((attribute) => ({
        key: attribute,
        title: attributeLabel(attribute),
        width: 150,
        optional: true,
        render: (device: DeviceRow) => attributeValue(attribute, device[attribute]),
      })),
      ...tenantColumns<DeviceRow>(operator, { title: t('tenant'), width: 120, optional: true }),
      {
        key: 'presence',
        title: t('presenceTime'),
        width: 130,
        sortField: DeviceSortField.presenceTime,
        render: ({ presenceTime }) => <RelativeTime value={presenceTime} />,
      },
      ...timeColumns<DeviceRow>(['updateTime']),
    ],
    [t, operator],
  );
};
