import { type ApplicationRow, Menu } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { mayOpen, useSession } from '../../api/session.ts';
import { countText } from '../../i18n/numbers.ts';
import { deviceListPath } from '../../paths.ts';
import { Link } from '../../ui/routing.ts';

type DeviceCountProps = { application: Pick<ApplicationRow, 'applicationId' | 'applicationName' | 'deviceCount'> };

/** The device count, linked to the device list if the user may open it. */
export const DeviceCount = ({ application: { applicationId, applicationName, deviceCount } }: DeviceCountProps) => {
  const { t } = useTranslation('application');
  const mayListDevices = mayOpen([Menu.deviceList], useSession());
  if (!mayListDevices || deviceCount === 0) return <span className="dc-number">{countText(deviceCount)}</span>;
  return (
    <Link
      className="dc-number"
      to={deviceListPath}
      search={{ applicationId }}
      aria-label={`${t('devicesOf', { name: applicationName })}: ${countText(deviceCount)}`}
    >
      {countText(deviceCount)}
    </Link>
  );
};
