import { Menu, type ZoneRow } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../../api/session.ts';
import { countText } from '../../i18n/numbers.ts';
import { deviceListPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';

type DeviceCountProps = { zone: Pick<ZoneRow, 'id' | 'zoneName' | 'deviceCount' | 'status'> };

/** Number of devices, linked to them. Warns if the zone is disabled, because its devices then connect elsewhere. */
export const DeviceCount = ({ zone: { id, zoneName, deviceCount = 0, status } }: DeviceCountProps) => {
  const { t } = useTranslation('zone');
  const mayDevices = mayOpen([Menu.deviceList], useSession());
  const elsewhere = status === 0 && deviceCount > 0 ? t('disabledWithDevices', { count: deviceCount }) : undefined;
  const className = elsewhere === undefined ? 'dc-number' : 'dc-number dc-tag dc-tag-warning';
  if (!mayDevices || deviceCount === 0)
    return (
      <span className={className} title={elsewhere}>
        {countText(deviceCount)}
      </span>
    );
  return (
    <Link
      className={className}
      title={elsewhere}
      to={deviceListPath}
      search={{ haZoneId: id }}
      aria-label={`${elsewhere ?? t('devicesOf', { name: zoneName })}: ${countText(deviceCount)}`}
    >
      {countText(deviceCount)}
    </Link>
  );
};
