import type { DeviceDetails } from '@device-center/contract';
import { useTranslation } from 'react-i18next';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';

/** Online or not, and since when. */
export const DeviceStatus = ({ device }: { device: DeviceDetails }) => {
  const { t } = useTranslation(['deviceDetail', 'device']);
  const { online, presenceTime } = device;
  return (
    <span className="dc-device-presence" role="status">
      <StatusDot tone={online === 1 ? 'online' : 'offline'}>
        {t(online === 1 ? 'device:online' : 'device:offline')}
      </StatusDot>
      {presenceTime === '' ? <span>{t('deviceDetail:neverOnline')}</span> : <RelativeTime value={presenceTime} />}
    </span>
  );
};
