import { deviceCalls } from '@device-center/contract';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCall } from '../../../api/use-call.ts';
import { deviceListPath, devicePath } from '../../../paths.ts';
import { Link } from '../../../ui/routing.ts';

/** The breadcrumb above the child devices of a gateway. */
export const GatewayCrumb = ({ gatewayId }: { gatewayId: string }) => {
  const { t } = useTranslation('device');
  const { data } = useCall(deviceCalls.getDeviceDetails, { deviceId: gatewayId });
  return (
    <nav className="dc-crumbs" aria-label={t('crumbs')}>
      <Link to={deviceListPath} search={{}}>
        {t('allDevices')}
      </Link>
      <ChevronRight size={14} aria-hidden />
      <Link to={devicePath(gatewayId)}>{data?.deviceName ?? gatewayId}</Link>
      <ChevronRight size={14} aria-hidden />
      <span aria-current="page">{t('childDevices')}</span>
    </nav>
  );
};
